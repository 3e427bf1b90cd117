// SPDX-License-Identifier: MIT

/// The metadata at the end of a Parquet file.
///
/// The row groups stay encoded, and are read one at a time.
struct FileMetadata {
    private static let maxElements = 1 << 16

    /// The fields that have values.
    private(set) var fields: [ParquetField] = []
    private(set) var rows = 0
    /// The number of row groups that are still to be read.
    private(set) var groups = 0
    /// The position of the next row group.
    private var reader: CompactReader
    /// The number of columns in each row group.
    private var columns: Int { fields.count }

    /// Reads the schema, and finds the row groups.
    init(_ bytes: [UInt8]) throws(ParquetError) {
        reader = CompactReader(bytes)
        var elements: [SchemaElement] = []
        var found: (reader: CompactReader, count: Int)?
        var whole = reader
        try whole.structure { (id, type, reader) throws(ParquetError) in
            switch (id, type) {
            case (2, .list): elements = try Self.readSchema(&reader)
            case (3, .int64): rows = try reader.integer()
            case (4, .list):
                var start = reader
                let (type, count) = try start.list()
                guard count == 0 || type == .structure else { throw .invalid("it has no list of row groups") }
                found = (start, count)
                return false
            case (8, .structure): throw .unsupported("it is encrypted")
            default: return false
            }
            return true
        }
        guard let found else { throw .invalid("it has no list of row groups") }
        (reader, groups) = found
        fields = try SchemaFields(elements).fields
    }

    /// Reads the next row group: the chunks of the given fields, in order; `nil` after the last.
    mutating func nextGroup(_ wanted: [ParquetField]) throws(ParquetError) -> RowGroup? {
        guard groups > 0 else { return nil }
        groups -= 1
        return try RowGroup(&reader, columns: columns, wanted: wanted)
    }

    private static func readSchema(_ reader: inout CompactReader) throws(ParquetError) -> [SchemaElement] {
        let (type, count) = try reader.list()
        guard count > 0, type == .structure else { throw .invalid("it has no schema") }
        guard count <= maxElements else { throw .unsupported("it has more than \(maxElements) columns") }
        var elements: [SchemaElement] = []
        for _ in 0..<count { elements.append(try SchemaElement(&reader)) }
        return elements
    }
}

/// A row group: the number of its rows, and the chunks of some columns.
struct RowGroup {
    private(set) var rows = 0
    private(set) var chunks: [ChunkLocation] = []

    init(_ reader: inout CompactReader, columns: Int, wanted: [ParquetField]) throws(ParquetError) {
        var found: [Int: ChunkLocation] = [:]
        try reader.structure { (id, type, reader) throws(ParquetError) in
            switch (id, type) {
            case (1, .list):
                let (type, count) = try reader.list()
                guard count == columns, type == .structure else {
                    throw .invalid("a row group has \(count) columns, but the schema has \(columns)")
                }
                for column in 0..<count {
                    if wanted.contains(where: { $0.column == column }) {
                        found[column] = try ChunkLocation(&reader)
                    } else {
                        try reader.skip(.structure)
                    }
                }
            case (3, .int64): rows = try reader.integer()
            default: return false
            }
            return true
        }
        guard rows >= 0 else { throw .invalid("a row group has \(rows) rows") }
        for field in wanted {
            guard let chunk = found[field.column] else { throw .invalid("a row group lacks columns") }
            guard chunk.values == rows || field.isList else {
                throw .invalid("a column has \(chunk.values) values in a row group of \(rows) rows")
            }
            chunks.append(chunk)
        }
    }
}

/// Where the pages of a column in a row group are, and how they are compressed.
struct ChunkLocation {
    private(set) var codec = PageCodec.uncompressed
    private(set) var values = 0
    private(set) var size = 0
    private var dataOffset = 0
    private var dictionaryOffset = 0

    /// The reason why the pages cannot be decompressed.
    var problem: ParquetError? {
        PageDecoder.supports(codec) ? nil : .unsupported("its pages are compressed with \(codec.name)")
    }

    /// The offset of the first page.
    var offset: Int { dictionaryOffset > 0 ? min(dictionaryOffset, dataOffset) : dataOffset }

    init(_ reader: inout CompactReader) throws(ParquetError) {
        try reader.structure { (id, type, reader) throws(ParquetError) in
            switch (id, type) {
            case (1, .binary): throw .unsupported("its columns are in other files")
            case (3, .structure): try readMetadata(&reader)
            case (8, .structure): throw .unsupported("it is encrypted")
            default: return false
            }
            return true
        }
    }

    private mutating func readMetadata(_ reader: inout CompactReader) throws(ParquetError) {
        try reader.structure { (id, type, reader) throws(ParquetError) in
            switch (id, type) {
            case (4, .int32):
                let code = try reader.integer()
                guard let codec = PageCodec(rawValue: code) else {
                    throw .unsupported("its pages have the unknown compression \(code)")
                }
                self.codec = codec
            case (5, .int64): values = try reader.integer()
            case (7, .int64): size = try reader.integer()
            case (9, .int64): dataOffset = try reader.integer()
            case (11, .int64): dictionaryOffset = try reader.integer()
            default: return false
            }
            return true
        }
    }
}

extension PageCodec {
    fileprivate var name: String {
        switch self {
        case .uncompressed: "nothing"
        case .snappy: "Snappy"
        case .gzip: "gzip"
        case .lzo: "LZO"
        case .brotli: "Brotli"
        case .lz4, .lz4Raw: "LZ4"
        case .zstd: "Zstandard"
        }
    }
}
