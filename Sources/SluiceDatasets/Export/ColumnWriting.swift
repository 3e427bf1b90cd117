// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel
internal import SluiceParquet

extension JSONWriter {
    /// Writes columns of a row as an object; a missing value is null.
    mutating func columns(_ columns: [DatasetColumn], of row: DatasetRow) {
        object { object in
            for column in columns {
                guard !object.write(column, of: row) else { continue }
                object.member(null: column.name)
            }
        }
    }

    /// Writes a column; returns false if the row has no value.
    fileprivate mutating func write(_ column: DatasetColumn, of row: DatasetRow) -> Bool {
        switch column.value {
        case .text(let value):
            guard let text = value(row) else { return false }
            member(column.name, text)
        case .integer(let value):
            guard let number = value(row) else { return false }
            member(column.name, number)
        case .decimal(let value):
            // JSON has no infinity.
            guard let number = value(row), number.isFinite else { return false }
            member(column.name, json: .number("\(number)"))
        case .flag(let value):
            guard let flag = value(row) else { return false }
            member(column.name, flag)
        case .time(let value):
            guard let time = value(row) else { return false }
            member(column.name, UTCTime(secondsSince1970: time).text)
        }
        return true
    }
}

extension DatasetRow {
    /// The line of the manifest with further members, for those values that the row has.
    func line(with columns: [DatasetColumn]) -> [UInt8] {
        guard !columns.isEmpty else { return line }
        var writer = JSONWriter()
        writer.object { object in
            for column in columns { _ = object.write(column, of: self) }
        }
        guard writer.bytes.count > 2, let end = line.lastIndex(of: UInt8(ascii: "}")) else { return line }
        return line[..<end] + [UInt8(ascii: ",")] + writer.bytes.dropFirst() + line[line.index(after: end)...]
    }
}

extension ParquetWriter {
    /// Starts a table of columns, which begins with the pictures if it has them.
    init(_ columns: [DatasetColumn], withPictures: Bool, to file: consuming NewFile) throws(FileError) {
        let described = columns.map { ParquetColumn($0.name, $0.value.kind) }
        guard withPictures else {
            try self.init(described, to: file)
            return
        }
        // Names and types as `datasets` writes them.
        let image = "image"
        let pictures = [ParquetColumn("bytes", .bytes, in: image), ParquetColumn("path", .text, in: image)]
        var features = JSONWriter()
        features.object { json in
            json.object("info") { info in
                info.object("features") { features in
                    features.object(image) { $0.member("_type", "Image") }
                    for column in columns {
                        features.object(column.name) { feature in
                            feature.member("dtype", column.value.typeOfDatasets)
                            feature.member("_type", "Value")
                        }
                    }
                }
            }
        }
        let text = String(decoding: features.bytes, as: UTF8.self)
        try self.init(pictures + described, metadata: ["huggingface": text], to: file)
    }

    /// Adds the picture of the next row.
    mutating func add(_ picture: [UInt8]?, named name: String?) {
        add(picture)
        add(name)
    }

    mutating func add(_ columns: [DatasetColumn], of row: DatasetRow) throws(FileError) {
        for column in columns {
            switch column.value {
            case .text(let value): add(value(row))
            case .integer(let value): add(value(row))
            case .decimal(let value): add(value(row))
            case .flag(let value): add(value(row))
            case .time(let value): add(value(row).map { $0.multipliedReportingOverflow(by: 1000).partialValue })
            }
        }
        try endRow()
    }
}

extension DatasetColumn.Value {
    fileprivate var kind: ParquetColumn.Kind {
        switch self {
        case .text: .text
        case .integer: .integer
        case .decimal: .double
        case .flag: .boolean
        case .time: .timestamp
        }
    }

    /// The type in the words of `datasets`.
    fileprivate var typeOfDatasets: String {
        switch self {
        case .text: "string"
        case .integer: "int64"
        case .decimal: "float64"
        case .flag: "bool"
        case .time: "timestamp[ms, tz=UTC]"
        }
    }
}
