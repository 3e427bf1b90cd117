// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel
internal import SluiceParquet

/// Reads a list whose rows are in a Parquet file.
final class ParquetListReader: ListReader {
    private let path: String
    private let token: CancellationToken
    private var reader: ParquetReader
    /// The photo's fields that the selected columns hold.
    private let fields: [ListField?]
    /// The selected columns that are kept without being a field.
    private let others: [OtherColumn?]
    /// The numbers of the fields without which a row is invalid: its address and what the user chose.
    private let required: Set<Int>
    /// Whether the id of a row is shared by the photos of its list.
    private let sharesIDs: Bool
    /// The number of rows read so far.
    private var row = 0
    /// A note about columns without a meaning.
    private let columnNote: String?
    /// A note about the first value that was too long.
    private var longNote: String?

    /// The longest list that is kept; longer ones are vectors of numbers, which would fill the ledger.
    private static let longestList = 256

    /// A column that is kept without being a field.
    private struct OtherColumn {
        var name: String
        var kind: ParquetField.Kind
    }

    let hasRows = true
    let membersWithoutAddress: [String]? = nil

    /// Reads the schema, and chooses the columns by the options or by their names.
    ///
    /// Columns that cannot be read are ignored unless the user chose them. A list of addresses makes several photos.
    init(
        _ opener: () throws(FileError) -> any ParquetBytes, named path: String, options: ListOptions,
        token: CancellationToken
    ) throws(Failure) {
        do {
            let file = try opener()
            var reader = try ParquetReader(file)
            let usable = reader.fields.filter { $0.problem == nil || options.names($0.name) }
            let names = usable.map(\.name)
            let needsFirstRow = ListColumns.needsFirstRow(names, options: options)
            let firstRow = needsFirstRow ? try Self.firstRow(of: usable, in: file) : []
            let columns = try ListColumns(
                names, options: options, firstRow: firstRow, place: "'\(path)'",
                unwanted: TextSet(usable.lazy.filter { $0.kind == .bytes }.map(\.name)))
            // Fields come first, because the pages in memory are limited.
            let uses = zip(usable, zip(columns.fields, columns.others))
            let chosen =
                uses.compactMap { column, use in use.0.map { (column, $0 as ListField?) } }
                + uses.compactMap { column, use in use.1.map { _ in (column, nil) } }
            let kept = uses.compactMap { column, use in use.1.map { OtherColumn(name: $0, kind: column.kind) } }
            let first = chosen.count - kept.count
            others = Array(repeating: nil, count: first) + kept
            let ignored = columns.unknown + reader.fields.filter { !usable.contains($0) }.map(\.name)
            columnNote = ListColumns.note(ignored)
            fields = chosen.map(\.1)
            required = Set<Int>(
                chosen.indices.filter { [.url, .id].contains(chosen[$0].1) || options.names(chosen[$0].0.name) })
            let address = fields.firstIndex(of: .url)
            let list = address.flatMap { chosen[$0].0.list }
            sharesIDs = fields.firstIndex(of: .id).map { chosen[$0].0.list != list } ?? false
            let tagLists = chosen.indices.filter { chosen[$0].1 == .tags && chosen[$0].0.list != nil }
            try reader.select(
                chosen.map { $1?.binaryLength.map($0.hexadecimal) ?? $0 },
                optional: Set<Int>(chosen.indices).subtracting(required), splittingBy: address,
                whole: Set<Int>(first..<chosen.count).union(tagLists))
            self.reader = reader
        } catch {
            throw Self.failure(error, path)
        }
        self.path = path
        self.token = token
    }

    var note: String? {
        let notes = [columnNote, longNote].compactMap(\.self) + reader.notes
        return notes.isEmpty ? nil : notes.joined(separator: "; ")
    }

    var consumedShare: Double? { min(1, Double(row) / Double(max(reader.rowCount, 1))) }

    func next() throws(Failure) -> Photo? {
        try token.check()
        let found: ParquetReader.Row?
        do throws(ParquetError) { found = try reader.next() } catch { throw Self.failure(error, path) }
        guard let found else { return nil }
        row = found.number
        do throws(InvalidText) { return try photo(of: found) } catch {
            return ListRecord.invalid(row: row, error.problem)
        }
    }

    func skip(_ count: Int) throws(Failure) {
        try token.check()
        do throws(ParquetError) { _ = try reader.skip(count) } catch { throw Self.failure(error, path) }
    }

    /// Reads the first row of a file with these fields.
    private static func firstRow(of fields: [ParquetField], in file: any ParquetBytes) throws -> [String?] {
        var reader = try ParquetReader(file)
        let readable = fields.filter { $0.problem == nil }
        try reader.select(readable, optional: Set<Int>(readable.indices))
        let row = try reader.next()
        return fields.map { field in readable.firstIndex(of: field).flatMap { row?.values[$0] } }
    }

    private func photo(of row: ParquetReader.Row) throws(InvalidText) -> Photo {
        if let problem = row.problem { throw InvalidText(problem) }
        var record = ListRecord()
        var row = row
        try shorten(&row)
        for (index, text) in row.values.enumerated() {
            if let column = others[index] {
                add(column, text, row.lists[index], to: &record)
                continue
            }
            let tags = row.lists[index].flatMap { TagList($0.prefix(Self.longestList).compactMap(\.self)).text }
            guard let field = fields[index], var text = tags ?? text?.trimmed else { continue }
            // The photos of a list need ids of their own.
            if field == .id, sharesIDs, row.element > 0, !text.isEmpty { text += "#\(row.element + 1)" }
            try record.set(field, to: text)
        }
        return try record.makePhoto()
    }

    /// Adds the value or the list of a column that is no field.
    private func add(_ column: OtherColumn, _ text: String?, _ list: [String?]?, to record: inout ListRecord) {
        if let list {
            guard list.count <= Self.longestList else {
                let reason = "more than \(Self.longestList) elements"
                longNote = longNote ?? "ignored lists of column '\(column.name)' from row \(row): \(reason)"
                return
            }
            guard !list.isEmpty else { return }
            record.others.add(column.name, .array(list.map { $0.map(column.kind.json) ?? .null }))
        } else if let text {
            record.others.add(column.name, column.kind.json(of: text))
        }
    }

    /// Removes lists and the longest values that are not required, if the row is too long.
    private func shorten(_ row: inout ParquetReader.Row) throws(InvalidText) {
        func length(of texts: [String?]) -> Int { texts.reduce(0) { $0 + ($1?.utf8.count ?? 0) } }
        var rest = length(of: row.values)
        guard rest + row.lists.values.reduce(0, { $0 + length(of: $1) }) > ListBuffer.maxRecordLength else { return }
        row.lists = [:]
        while rest > ListBuffer.maxRecordLength {
            let longest = row.values.indices.filter { row.values[$0] != nil && !required.contains($0) }
                .max { row.values[$0]?.utf8.count ?? 0 < row.values[$1]?.utf8.count ?? 0 }
            guard let longest else { throw InvalidText(ListBuffer.tooLong) }
            rest -= row.values[longest]?.utf8.count ?? 0
            row.values[longest] = nil
        }
        longNote = longNote ?? "ignored values from row \(row.number): \(ListBuffer.tooLong)"
    }

    private static func failure(_ error: any Error, _ path: String) -> Failure {
        switch error {
        case let failure as Failure: failure
        case ParquetError.file(let error), let error as FileError:
            Failure(.disk, "\(error)", finalURL: path, scope: .run, hint: error.isRefusedKey ? .readAnonymously : nil)
        default: Failure(.feedParse, "'\(path)' \(error)")
        }
    }
}

extension ListOptions {
    /// Whether the user chose the column with this name.
    fileprivate func names(_ name: String) -> Bool {
        [urlColumn, idColumn, captionColumn].contains(name) || keptColumns?.contains(name) == true
    }
}

extension ParquetField.Kind {
    /// The value of a column with this text.
    fileprivate func json(of text: String) -> JSON {
        switch self {
        case .text, .bytes: .string(text)
        case .integer: OtherColumns.value(text)
        case .decimal:
            // Whole numbers keep their fraction, so that all rows have the type of the column.
            Double(text).map { $0.isFinite ? .number("\($0)") : .string("\($0)") } ?? .string(text)
        case .boolean: .bool(text == "true")
        }
    }
}

extension ListField {
    /// The number of bytes that a value of this field has in a binary column.
    fileprivate var binaryLength: Int? {
        if case .checksum(let algorithm) = self { algorithm.digitCount / 2 } else { nil }
    }
}
