// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel
internal import SluiceParquet

extension JSONWriter {
    /// Writes columns of a row as an object; a missing value is null.
    mutating func nullableColumns(_ columns: [DatasetColumn], of row: DatasetRow) {
        object { object in
            for column in columns {
                guard !object.write(column, of: row) else { continue }
                object.member(null: column.name)
            }
        }
    }

    /// Writes columns of a row as an object in which each member has the same type for all rows.
    mutating func typedColumns(_ columns: [DatasetColumn], of row: DatasetRow) {
        object { object in
            for column in columns {
                guard !object.write(column, of: row) else { continue }
                if case .integer = column.value {
                    object.member(column.name, 0)
                } else {
                    object.member(column.name, "")
                }
            }
        }
    }

    /// Writes a column; returns false if the row has no value.
    private mutating func write(_ column: DatasetColumn, of row: DatasetRow) -> Bool {
        switch column.value {
        case .text(let value):
            guard let text = value(row) else { return false }
            member(column.name, text)
        case .integer(let value):
            guard let number = value(row) else { return false }
            member(column.name, number)
        case .time(let value):
            guard let time = value(row) else { return false }
            member(column.name, UTCTime.text(of: time))
        }
        return true
    }
}

extension ParquetWriter {
    /// Starts a table of columns.
    init(_ columns: [DatasetColumn], to file: consuming NewFile) throws(FileError) {
        let described = columns.map { column in
            switch column.value {
            case .text: ParquetColumn(column.name, .text)
            case .integer: ParquetColumn(column.name, .integer)
            case .time: ParquetColumn(column.name, .timestamp)
            }
        }
        try self.init(described, to: file)
    }

    /// Adds a row of columns.
    mutating func add(_ columns: [DatasetColumn], of row: DatasetRow) throws(FileError) {
        for column in columns {
            switch column.value {
            case .text(let value): add(value(row))
            case .integer(let value): add(value(row))
            case .time(let value): add(value(row).map { $0.multipliedReportingOverflow(by: 1000).partialValue })
            }
        }
        try endRow()
    }
}
