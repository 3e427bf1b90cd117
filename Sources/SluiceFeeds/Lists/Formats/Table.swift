// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A table with a header, as RFC 4180 has it, with commas, semicolons or tabs between its columns.
struct Table: ListFormat {
    private let separator: UInt8
    private let options: ListOptions
    private var columns: ListColumns?

    init(separator: UInt8, options: ListOptions) {
        self.separator = separator
        self.options = options
    }

    /// The separator of a header: the tab if there is one, else what there is more of.
    static func separator(in header: ArraySlice<UInt8>) -> UInt8 {
        if header.contains(UInt8(ascii: "\t")) { return UInt8(ascii: "\t") }
        let semicolons = header.count { $0 == UInt8(ascii: ";") }
        return semicolons > header.count { $0 == UInt8(ascii: ",") } ? UInt8(ascii: ";") : UInt8(ascii: ",")
    }

    var note: String? {
        guard let unknown = columns?.unknown, !unknown.isEmpty else { return nil }
        return "the manifest has no place for the list's columns \(unknown.joined(separator: ", "))"
    }

    mutating func next(from bytes: inout ListBytes) throws(Failure) -> Photo? {
        if columns == nil {
            guard let header = try bytes.nextRow(separator: separator) else { return nil }
            if let flaw = header.flaw { throw Failure(.feedParse, "line \(header.line): \(flaw)") }
            columns = try ListColumns(header.fields.map(Self.withoutSpace), options: options)
        }
        while let row = try bytes.nextRow(separator: separator) {
            // An empty line is no row.
            if row.flaw == nil, row.fields == [""] { continue }
            do throws(ListFlaw) { return try photo(of: row) } catch {
                return ListRecord.flawed(line: row.line, error.reason)
            }
        }
        return nil
    }

    private func photo(of row: ListBytes.Row) throws(ListFlaw) -> Photo {
        if let flaw = row.flaw { throw ListFlaw(flaw) }
        let fields = columns?.fields ?? []
        guard row.fields.count <= fields.count else {
            throw ListFlaw("\(row.fields.count) columns, where the header has \(fields.count)")
        }
        var record = ListRecord()
        for (field, text) in zip(fields, row.fields) {
            if let field { try record.set(field, to: Self.withoutSpace(text)) }
        }
        return try record.finished()
    }

    private static func withoutSpace(_ text: String) -> String {
        guard text.first?.isWhitespace == true || text.last?.isWhitespace == true else { return text }
        let front = text.drop(while: \.isWhitespace)
        return String(front[..<(front.lastIndex { !$0.isWhitespace }.map(front.index(after:)) ?? front.startIndex)])
    }
}
