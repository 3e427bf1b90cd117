// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A table with a header (RFC 4180), separated by commas, semicolons or tabs.
struct TableFormat: ListFormat {
    private let separator: UInt8
    private let options: ListOptions
    private var columns: ListColumns?
    let hasRows = true
    /// The first row, if it was read to find the column of addresses.
    private var firstRow: ListBuffer.Row?
    /// The first line that is not UTF-8.
    private var guessedLine: Int?

    init(separator: UInt8, options: ListOptions) {
        self.separator = separator
        self.options = options
    }

    /// Detects a header's separator: a tab if it has one, otherwise the more frequent of comma and semicolon.
    static func separator(in header: ArraySlice<UInt8>) -> UInt8 {
        if header.contains(UInt8(ascii: "\t")) { return UInt8(ascii: "\t") }
        let semicolons = header.count { $0 == UInt8(ascii: ";") }
        return semicolons > header.count { $0 == UInt8(ascii: ",") } ? UInt8(ascii: ";") : UInt8(ascii: ",")
    }

    /// Returns the separator that Excel states in a line before the header: `sep=;`.
    static func statedSeparator(_ text: ArraySlice<UInt8>) -> UInt8? {
        let line = text.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        guard line.count == 5, line.starts(with: "sep=".utf8) else { return nil }
        return line.last
    }

    var note: String? {
        let notes = [columns.flatMap { ListColumns.note($0.unknown) }, guessedLine.map(ListText.note)]
        return notes.contains { $0 != nil } ? notes.compactMap(\.self).joined(separator: "; ") : nil
    }

    mutating func next(from buffer: inout ListBuffer, more: inout [Photo]) throws(Failure) -> Photo? {
        if columns == nil {
            guard let header = try buffer.nextRow(separator: separator) else { return nil }
            if let problem = header.problem { throw Failure(.feedParse, "line \(header.line): \(problem)") }
            if header.isGuessed { guessedLine = header.line }
            let names = header.fields.map(\.trimmed)
            let row = ListColumns.needsFirstRow(names, options: options) ? try nextRow(from: &buffer) : nil
            columns = try ListColumns(names, options: options, firstRow: row?.fields ?? [], takesSeveral: true)
            firstRow = row
        }
        while let row = try nextRow(from: &buffer) {
            if row.isGuessed { guessedLine = guessedLine ?? row.line }
            do throws(InvalidText) { return try photo(of: row, more: &more) } catch {
                return ListRecord.invalid(line: row.line, error.problem)
            }
        }
        return nil
    }

    /// Returns the next row that is no empty line.
    private mutating func nextRow(from buffer: inout ListBuffer) throws(Failure) -> ListBuffer.Row? {
        if let row = firstRow.take() { return row }
        while let row = try buffer.nextRow(separator: separator) {
            if row.problem != nil || row.fields != [""] { return row }
        }
        return nil
    }

    /// Returns the photo of a row; those at other addresses in its cell are put into `more`.
    private func photo(of row: ListBuffer.Row, more: inout [Photo]) throws(InvalidText) -> Photo {
        if let problem = row.problem { throw InvalidText(problem) }
        guard let columns else { return try ListRecord().makePhoto() }
        let fields = columns.fields
        guard row.fields.count <= fields.count else {
            throw InvalidText("has \(row.fields.count) columns, expected \(fields.count)")
        }
        var record = ListRecord()
        var addresses: [String] = []
        for (index, text) in row.fields.enumerated() {
            let text = text.trimmed
            if case .url? = fields[index] {
                if text.isEmpty { continue }
                let several = ListAddress.hasSeparator(text.utf8Span.span) ? ListAddress.addresses(in: text) : []
                addresses += several.isEmpty ? [text] : several
            } else if let field = fields[index] {
                try record.set(field, to: text)
            }
            if let name = columns.others[index] { record.others.add(name, text: text) }
        }
        try record.set(.url, to: addresses.first ?? "")
        let photo = try record.makePhoto()
        more = ListRecord.photos(like: photo, at: addresses.dropFirst()).reversed()
        return photo
    }
}

/// A table without a header whose cells are separated by tabs and have no quotes: an address and a caption, in either
/// order, and perhaps further columns, as Conceptual Captions are published.
struct HeaderlessTableFormat: ListFormat {
    private static let tab = UInt8(ascii: "\t")
    private let address: Int
    private let options: ListOptions
    let hasRows = true
    private(set) var note: String?

    /// Reads the beginning of a list; `nil` unless the lines have one column of addresses, and others.
    init?(_ text: ArraySlice<UInt8>, options: ListOptions) {
        var lines = text.split(separator: UInt8(ascii: "\n"))
        if lines.count > 1, text.last != UInt8(ascii: "\n") { lines.removeLast() }
        let rows = lines.prefix(10).map { $0.split(separator: Self.tab, omittingEmptySubsequences: false) }
        guard let first = rows.first, first.count > 1, rows.allSatisfy({ $0.count == first.count }) else { return nil }
        let columns = first.indices.filter { column in rows.contains { ListAddress.begins($0[column]) } }
        guard columns.count == 1, rows.allSatisfy({ ListAddress.begins($0[columns[0]]) }) else { return nil }
        (address, self.options) = (columns[0], options)
    }

    mutating func next(from buffer: inout ListBuffer, more: inout [Photo]) throws(Failure) -> Photo? {
        while let line = try buffer.nextLine() {
            guard !line.isTooLong else { return ListRecord.invalid(line: line.number, ListBuffer.tooLong) }
            let text = ListText(buffer.window[line.range])
            if text.isGuessed { note = note ?? ListText.note(line: line.number) }
            if text.text.trimmed.isEmpty { continue }
            let cells = text.text.split(separator: "\t", omittingEmptySubsequences: false).map { cell -> JSON in
                let cell = String(cell).trimmed
                return cell.isEmpty ? .null : OtherColumns.value(cell)
            }
            do throws(InvalidText) {
                return try ListRecord.photo(
                    ofCells: cells, address: address, caption: address == 0 ? 1 : 0, options: options)
            } catch {
                return ListRecord.invalid(line: line.number, error.problem)
            }
        }
        return nil
    }
}
