// SPDX-License-Identifier: MIT

internal import SluiceModel

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
