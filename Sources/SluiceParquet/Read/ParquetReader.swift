// SPDX-License-Identifier: MIT

package import SluiceFiles

/// Reads the rows of a Parquet file as texts, row group by row group and page by page.
///
/// It reads columns at the top level of the schema. The file may come from a stranger: sizes are checked before memory
/// is used, and memory holds one page and one dictionary of each selected column.
package struct ParquetReader: ~Copyable {
    /// A row of the selected columns.
    package struct Row: Sendable, Hashable {
        /// The values as texts; `nil` for missing ones.
        package var values: [String?]
        /// The reason why the row is invalid.
        package var problem: String?
    }

    /// The first bytes of every file.
    package static let magic = parquetMagic

    private static let maxMetadataSize = 64 << 20
    /// The length of the metadata, and the magic bytes.
    private static let tailSize = 8

    private let file: OpenFile
    private let fileSize: Int
    private var metadata: FileMetadata
    private var selected: [ParquetField] = []
    private var cursors: [ColumnCursor] = []
    /// The memory left for pages and dictionaries.
    private var memoryLeft = 512 << 20
    /// The rows left in the current row group.
    private var rowsLeft = 0
    /// The size of all chunks read so far.
    private var chunkBytes = 0

    /// Reads the metadata of a file.
    package init(_ file: consuming OpenFile) throws(ParquetError) {
        let (metadata, size) = try Self.metadata(of: file)
        self.file = file
        self.metadata = metadata
        fileSize = size
    }

    /// The fields at the top level of the schema.
    package var fields: [ParquetField] { metadata.fields }

    /// The number of rows that the metadata states.
    package var rowCount: Int { metadata.rows }

    /// Chooses the fields that each row has, in this order; call it once, before the first row.
    package mutating func select(_ fields: [ParquetField]) throws(ParquetError) {
        for field in fields {
            guard let problem = field.problem else { continue }
            throw .unsupported("cannot read column '\(field.name)': \(problem)")
        }
        selected = fields
        cursors = fields.map { ColumnCursor($0) }
    }

    /// Returns the next row; `nil` after the last.
    package mutating func next() throws(ParquetError) -> Row? {
        while rowsLeft == 0 { guard try startGroup() else { return nil } }
        rowsLeft -= 1
        var row = Row(values: [])
        row.values.reserveCapacity(cursors.count)
        for index in cursors.indices {
            switch try cursors[index].next(in: file, memoryLeft: &memoryLeft) {
            case .missing: row.values.append(nil)
            case .text(let text): row.values.append(text)
            case .invalid:
                row.values.append(nil)
                row.problem = "column '\(selected[index].name)' is not UTF-8"
            }
        }
        return row
    }

    /// Skips rows, whole row groups without reading them; returns the number of those that existed.
    package mutating func skip(_ count: Int) throws(ParquetError) -> Int {
        var skipped = 0
        while skipped < count {
            if rowsLeft == 0 { guard try startGroup() else { break } }
            if rowsLeft <= count - skipped, isAtGroupStart {
                skipped += rowsLeft
                rowsLeft = 0
            } else if rowsLeft > 0 {
                guard try next() != nil else { break }
                skipped += 1
            }
        }
        return skipped
    }

    private var groupRows = 0
    private var isAtGroupStart: Bool { rowsLeft == groupRows }

    private mutating func startGroup() throws(ParquetError) -> Bool {
        guard let group = try metadata.nextGroup(selected.map(\.column)) else { return false }
        (rowsLeft, groupRows) = (group.rows, group.rows)
        for (index, chunk) in group.chunks.enumerated() {
            try cursors[index].start(chunk, fileSize: fileSize, memoryLeft: &memoryLeft)
            chunkBytes += chunk.size
        }
        // Otherwise a small file could name the same pages in every row group.
        guard chunkBytes <= fileSize * max(1, selected.count) else {
            throw .invalid("its row groups share pages")
        }
        return true
    }

    private static func metadata(of file: borrowing OpenFile) throws(ParquetError) -> (FileMetadata, size: Int) {
        do {
            let size = try file.size
            guard size >= magic.count + tailSize else { throw ParquetError.invalid("it is truncated") }
            let tail = try file.read(at: size - tailSize, count: tailSize)
            guard tail.count == tailSize, tail[4...].elementsEqual(magic) else {
                let isEncrypted = tail.suffix(4).elementsEqual("PARE".utf8)
                throw isEncrypted ? ParquetError.unsupported("it is encrypted") : .invalid("it is truncated")
            }
            let length = (0..<4).reduce(0) { $0 | Int(tail[$1]) << (8 * $1) }
            guard length <= maxMetadataSize else {
                throw ParquetError.unsupported("its metadata has more than \(maxMetadataSize >> 20) MiB")
            }
            guard length <= size - tailSize - magic.count else {
                throw ParquetError.invalid("its metadata is outside the file")
            }
            return (try FileMetadata(file.read(at: size - tailSize - length, count: length)), size)
        } catch let error as ParquetError {
            throw error
        } catch let error as FileError {
            throw .file(error)
        } catch {
            throw .invalid("\(error)")
        }
    }
}
