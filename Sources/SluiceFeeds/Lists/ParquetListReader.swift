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
    private let fields: [ListField]
    /// The number of rows read so far.
    private var row = 0

    let note: String?
    let membersWithoutAddress: [String]? = nil

    /// Reads the schema, and chooses the columns by the options or by their names.
    ///
    /// Columns that cannot be read are ignored unless the user chose them.
    init(
        _ file: consuming OpenFile, named path: String, options: ListOptions, token: CancellationToken
    ) throws(Failure) {
        let place = file.path
        do {
            var reader = try ParquetReader(file)
            let usable = reader.fields.filter { $0.problem == nil || options.names($0.name) }
            let names = usable.map(\.name)
            let needsFirstRow = ListColumns.needsFirstRow(names, options: options)
            let firstRow = needsFirstRow ? try Self.firstRow(of: usable, at: place) : []
            let columns = try ListColumns(names, options: options, firstRow: firstRow, place: "'\(path)'")
            let chosen = zip(usable, columns.fields).filter { $0.1 != nil }
            try reader.select(chosen.map(\.0))
            let ignored = columns.unknown + reader.fields.filter { !usable.contains($0) }.map(\.name)
            note = ListColumns.note(ignored)
            fields = chosen.compactMap(\.1)
            self.reader = reader
        } catch {
            throw Self.failure(error, path)
        }
        self.path = path
        self.token = token
    }

    var consumedShare: Double? { min(1, Double(row) / Double(max(reader.rowCount, 1))) }

    func next() throws(Failure) -> Photo? {
        try token.check()
        let found: ParquetReader.Row?
        do throws(ParquetError) { found = try reader.next() } catch { throw Self.failure(error, path) }
        guard let found else { return nil }
        row += 1
        do throws(ListRecordError) { return try photo(of: found) } catch {
            return ListRecord.invalid(row: row, error.reason)
        }
    }

    func skip(_ count: Int) throws(Failure) {
        try token.check()
        do throws(ParquetError) { row += try reader.skip(count) } catch { throw Self.failure(error, path) }
    }

    /// Reads the first row of a file with these fields.
    private static func firstRow(of fields: [ParquetField], at path: String) throws -> [String?] {
        var reader = try ParquetReader(OpenFile.reading(path, followsLink: true))
        let readable = fields.filter { $0.problem == nil }
        try reader.select(readable)
        let row = try reader.next()
        return fields.map { field in readable.firstIndex(of: field).flatMap { row?.values[$0] } }
    }

    private func photo(of row: ParquetReader.Row) throws(ListRecordError) -> Photo {
        if let problem = row.problem { throw ListRecordError(problem) }
        guard row.values.reduce(0, { $0 + ($1?.utf8.count ?? 0) }) <= ListBuffer.maxRecordLength else {
            throw ListRecordError(ListBuffer.tooLong)
        }
        var record = ListRecord()
        for (field, text) in zip(fields, row.values) {
            if let text { try record.set(field, to: text.trimmed) }
        }
        return try record.makePhoto()
    }

    private static func failure(_ error: any Error, _ path: String) -> Failure {
        switch error {
        case let failure as Failure: failure
        case ParquetError.file(let error): Failure(.disk, "\(error)", finalURL: path, scope: .run)
        default: Failure(.feedParse, "'\(path)' \(error)")
        }
    }
}

extension ListOptions {
    /// Whether the user chose the column with this name.
    fileprivate func names(_ name: String) -> Bool { [urlColumn, idColumn, captionColumn].contains(name) }
}
