// SPDX-License-Identifier: MIT

package import SluiceFiles

/// Writes a Parquet file row by row.
///
/// Add the values of a row in the order of the columns, then end the row; at the end call ``finish()``. A value of
/// another type than its column's is a programming error. Memory holds one compressed row group. The same rows
/// produce the same bytes. Pages are
/// compressed with Zstandard, except those of bytes.
package struct ParquetWriter: ~Copyable {
    /// The rows of a row group, unless it gets too large before.
    static let rowsPerGroup = 100_000
    /// The size of a row group before compression.
    static let bytesPerGroup = 128 << 20

    private let file: NewFile
    private let encoder = ZstdEncoder()
    private let rowsPerGroup: Int
    private let bytesPerGroup: Int
    private let metadata: KeyValuePairs<String, String>
    private var columns: [ColumnWriter]
    /// The column of the next value.
    private var next = 0
    private var rows = 0
    private var groupRows = 0
    private var offset = 0
    /// The encoded metadata of finished row groups.
    private var groups = CompactWriter()
    private var groupCount = 0

    /// Starts a file with these columns, and with metadata for other programs.
    package init(
        _ columns: [ParquetColumn], metadata: KeyValuePairs<String, String> = [:], to file: consuming NewFile
    ) throws(FileError) {
        try self.init(
            columns, metadata: metadata, to: file, rowsPerGroup: Self.rowsPerGroup,
            bytesPerGroup: Self.bytesPerGroup)
    }

    /// Starts a file with row groups of another size, for tests.
    init(
        _ columns: [ParquetColumn], metadata: KeyValuePairs<String, String> = [:], to file: consuming NewFile,
        rowsPerGroup: Int, bytesPerGroup: Int
    ) throws(FileError) {
        precondition(!columns.isEmpty, "a Parquet file has columns")
        self.file = file
        self.metadata = metadata
        self.columns = columns.map(ColumnWriter.init)
        self.rowsPerGroup = rowsPerGroup
        self.bytesPerGroup = bytesPerGroup
        try write(parquetMagic)
    }

    /// Adds a text, or a missing value.
    package mutating func add(_ text: String?) {
        guard let text else { return addNull() }
        columns[next].add(text, with: encoder)
        next += 1
    }

    /// Adds bytes of less than 2 GiB, or a missing value.
    package mutating func add(_ bytes: [UInt8]?) {
        guard let bytes else { return addNull() }
        columns[next].add(bytes, with: encoder)
        next += 1
    }

    /// Adds an integer or a time in milliseconds since 1970, or a missing value.
    package mutating func add(_ number: Int?) {
        guard let number else { return addNull() }
        columns[next].add(number, with: encoder)
        next += 1
    }

    /// Adds a floating-point number, or a missing value.
    package mutating func add(_ number: Double?) {
        guard let number else { return addNull() }
        columns[next].add(number, with: encoder)
        next += 1
    }

    /// Adds a Boolean, or a missing value.
    package mutating func add(_ flag: Bool?) {
        guard let flag else { return addNull() }
        columns[next].add(flag)
        next += 1
    }

    /// Adds a list of texts, which may be empty, or a missing value.
    package mutating func add(_ texts: [String]?) {
        guard let texts else { return addNull() }
        columns[next].add(texts, with: encoder)
        next += 1
    }

    /// Adds a missing value of any type.
    package mutating func addNull() {
        columns[next].addNull()
        next += 1
    }

    package mutating func endRow() throws(FileError) {
        precondition(next == columns.count, "the row has \(next) values for \(columns.count) columns")
        next = 0
        rows += 1
        groupRows += 1
        if groupRows >= rowsPerGroup || columns.reduce(0, { $0 + $1.rawBytes }) >= bytesPerGroup { try endGroup() }
    }

    /// Writes the rest, and returns the complete file, which is still to be staged or renamed.
    package consuming func finish() throws(FileError) -> NewFile {
        precondition(next == 0, "the last row has not ended")
        if groupRows > 0 { try endGroup() }
        var footer = footer()
        footer.appendLittleEndian(UInt64(footer.count), count: 4)
        try write(footer + parquetMagic)
        return file
    }

    private mutating func endGroup() throws(FileError) {
        let start = offset
        var size = 0
        var chunks = CompactWriter()
        for index in columns.indices {
            let chunk = columns[index].finishChunk(with: encoder)
            chunk.write(to: &chunks, offset: offset)
            size += chunk.uncompressedSize
            try write(chunk.dictionaryPage)
            try write(chunk.pages)
        }
        groups.structure { group in
            group.list(1, of: .structure, count: columns.count)
            group.encoded(chunks.bytes)
            group.int64(2, size)
            group.int64(3, groupRows)
            group.int64(5, start)
            group.int64(6, offset - start)
        }
        groupCount += 1
        groupRows = 0
    }

    private func footer() -> [UInt8] {
        var writer = CompactWriter()
        writer.structure { file in
            file.int32(1, 2)
            let described = columns.map(\.column)
            let starts = described.indices.filter { index in
                described[index].group.map { index == 0 || described[index - 1].group != $0 } ?? false
            }
            let elements = described.reduce(1 + starts.count) { $0 + $1.schemaCount }
            file.list(2, of: .structure, count: elements)
            file.structure { root in
                root.binary(4, "schema".utf8)
                root.int32(5, starts.count + described.count { $0.group == nil })
            }
            for (index, column) in described.enumerated() {
                if starts.contains(index), let group = column.group {
                    let count = described[index...].prefix { $0.group == group }.count
                    ParquetColumn.writeGroup(group, count: count, to: &file)
                }
                column.writeSchema(to: &file)
            }
            file.int64(3, rows)
            file.list(4, of: .structure, count: groupCount)
            file.encoded(groups.bytes)
            if !metadata.isEmpty {
                file.list(5, of: .structure, count: metadata.count)
                for (key, value) in metadata {
                    file.structure { pair in
                        pair.binary(1, key.utf8)
                        pair.binary(2, value.utf8)
                    }
                }
            }
            file.binary(6, "Sluice".utf8)
            // Without the order of each column, readers ignore the bounds.
            file.list(7, of: .structure, count: columns.count)
            for _ in columns { file.structure { $0.structure(1) { _ in } } }
        }
        return writer.bytes
    }

    private mutating func write(_ bytes: [UInt8]) throws(FileError) {
        try file.write(bytes)
        offset += bytes.count
    }
}
