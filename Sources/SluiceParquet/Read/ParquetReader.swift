// SPDX-License-Identifier: MIT

package import SluiceFiles

/// Reads the rows of a Parquet file as texts, row group by row group and page by page.
///
/// A row with a list can become several rows, one for each element. The file may come from a stranger: sizes are
/// checked before memory is used, and memory holds one page and one dictionary of each selected column.
package struct ParquetReader: ~Copyable {
    /// A row of the selected columns.
    package struct Row: Sendable, Hashable {
        /// The values as texts; `nil` for missing ones.
        package var values: [String?]
        /// The reason why the row is invalid.
        package var problem: String?
        /// The number of the row in the file, from one.
        package var number = 0
        /// The number of the element in the list that the row was split by, from zero.
        package var element = 0
        /// The lists of the fields that rows have whole, by their numbers.
        package var lists: [Int: [String?]] = [:]
    }

    /// The first bytes of every file.
    package static let magic = parquetMagic

    private static let maxMetadataSize = 64 << 20
    /// The length of the metadata, and the magic bytes.
    private static let tailSize = 8

    private let file: any ParquetBytes
    private let fileSize: Int
    private var metadata: FileMetadata
    private var selected: [ParquetField] = []
    private var cursors: [ColumnCursor] = []
    /// The selected fields whose values may be missing, by their numbers.
    private var optional: Set<Int> = []
    /// The number of the selected field whose lists split rows.
    private var splitting: Int?
    /// The selected fields whose lists rows have whole, by their numbers.
    private var whole: Set<Int> = []
    /// The rows of the last list, in reverse order.
    private var splitRows: [Row] = []
    /// The number of rows read or skipped so far.
    private var rowNumber = 0
    /// The reasons why optional fields are ignored, by their numbers.
    private var ignored: [Int: String] = [:]
    /// Notes about optional fields with texts that are not UTF-8, by their numbers.
    private var invalidTexts: [Int: String] = [:]
    /// The memory left for pages and dictionaries.
    private var memoryLeft = 512 << 20
    /// The rows left in the current row group.
    private var rowsLeft = 0
    /// The size of all chunks read so far.
    private var chunkBytes = 0

    /// Reads the metadata of a file.
    package init(_ file: consuming OpenFile) throws(ParquetError) { try self.init(LocalParquetFile(file)) }

    /// Reads the metadata of a file.
    package init(_ file: any ParquetBytes) throws(ParquetError) {
        let (metadata, size) = try Self.metadata(of: file)
        self.file = file
        self.metadata = metadata
        fileSize = size
    }

    /// The fields that have values.
    package var fields: [ParquetField] { metadata.fields }

    /// The reasons why values of optional fields are missing so far.
    package var notes: [String] {
        selected.indices.flatMap { index in [ignored[index], invalidTexts[index]].compactMap(\.self) }
    }

    /// The number of rows that the metadata states.
    package var rowCount: Int { metadata.rows }

    /// Chooses the fields that each row has, in this order; call it once, before the first row.
    ///
    /// If the values of an `optional` field cannot be read, they are missing, and ``notes`` says why. Fields are given
    /// by their numbers in `fields`, as is one to split rows by: each element of its list makes a row. Other fields of
    /// the same list have the elements at the same place, and fields in other lists their first element. Rows have the
    /// lists of `whole` fields in ``Row/lists`` instead.
    package mutating func select(
        _ fields: [ParquetField], optional: Set<Int> = [], splittingBy splitting: Int? = nil, whole: Set<Int> = []
    ) throws(ParquetError) {
        for field in fields {
            guard let problem = field.problem else { continue }
            throw .unsupported("cannot read column '\(field.name)': \(problem)")
        }
        selected = fields
        cursors = fields.map { ColumnCursor($0) }
        self.optional = optional
        self.splitting = splitting.flatMap { fields[$0].isList ? $0 : nil }
        let list = self.splitting.flatMap { fields[$0].list }
        self.whole = whole.filter { fields[$0].isList && fields[$0].list != list }
    }

    /// Returns the next row; `nil` after the last.
    package mutating func next() throws(ParquetError) -> Row? {
        while true {
            if let row = splitRows.popLast() { return row }
            while rowsLeft == 0 { guard try startGroup() else { return nil } }
            rowsLeft -= 1
            rowNumber += 1
            guard let splitting else { return try readRow() }
            splitRows = try readRows(splitting: splitting)
        }
    }

    private mutating func readRow() throws(ParquetError) -> Row {
        var row = Row(values: [], number: rowNumber)
        row.values.reserveCapacity(cursors.count)
        for index in cursors.indices {
            let values = try values(of: index, isFirstOnly: !whole.contains(index))
            add(values, index, to: &row)
        }
        return row
    }

    /// Adds the value of a field that has no list, or one that is not split.
    private mutating func add(_ values: [CellValue], _ index: Int, to row: inout Row) {
        guard whole.contains(index) else {
            row.values.append(text(of: values.first ?? .missing, index, problem: &row.problem))
            return
        }
        row.values.append(nil)
        var texts: [String?] = []
        for value in values { texts.append(text(of: value, index, problem: &row.problem)) }
        row.lists[index] = texts
    }

    /// Reads a row, and returns a row for each element of a list, in reverse order.
    private mutating func readRows(splitting: Int) throws(ParquetError) -> [Row] {
        let list = selected[splitting].list
        var columns: [[CellValue]] = []
        for index in cursors.indices {
            let isFirstOnly = selected[index].list != list && !whole.contains(index)
            columns.append(try values(of: index, isFirstOnly: isFirstOnly))
        }
        var rows: [Row] = []
        for element in columns[splitting].indices {
            var row = Row(values: [], number: rowNumber, element: element)
            for (index, column) in columns.enumerated() {
                let isSplit = selected[index].list == list
                add(isSplit ? Array(column.dropFirst(element).prefix(1)) : column, index, to: &row)
            }
            rows.append(row)
        }
        return rows.reversed()
    }

    /// Returns the value of a field in the next row, or those of its list.
    private mutating func values(of index: Int, isFirstOnly: Bool) throws(ParquetError) -> [CellValue] {
        guard ignored[index] == nil else { return [] }
        do throws(ParquetError) {
            return selected[index].isList
                ? try cursors[index].nextList(in: file, memoryLeft: &memoryLeft, isFirstOnly: isFirstOnly)
                : [try cursors[index].next(in: file, memoryLeft: &memoryLeft)]
        } catch {
            try ignore(index, error)
            return []
        }
    }

    private mutating func text(of value: CellValue, _ index: Int, problem: inout String?) -> String? {
        switch value {
        case .missing: return nil
        case .text(let text): return text
        case .invalid:
            let reason = "column '\(selected[index].name)' is not UTF-8"
            if !optional.contains(index) {
                problem = reason
            } else if invalidTexts[index] == nil {
                invalidTexts[index] = "ignored texts from row \(rowNumber): \(reason)"
            }
            return nil
        }
    }

    /// Ignores the values of an optional field from here on.
    private mutating func ignore(_ index: Int, _ error: ParquetError) throws(ParquetError) {
        // A file that cannot be read any more has no unreadable column.
        if case .file = error { throw error }
        guard optional.contains(index) else { throw error }
        cursors[index].stop(memoryLeft: &memoryLeft)
        let reason =
            switch error {
            case .file(let error): "\(error)"
            case .invalid(let reason), .unsupported(let reason): reason
            }
        ignored[index] = "ignored column '\(selected[index].name)' from row \(max(rowNumber, 1)): \(reason)"
    }

    /// Skips rows, whole row groups without reading them; returns the number of those that existed.
    package mutating func skip(_ count: Int) throws(ParquetError) -> Int {
        var skipped = 0
        while skipped < count {
            if rowsLeft == 0, splitRows.isEmpty { guard try startGroup() else { break } }
            if rowsLeft <= count - skipped, isAtGroupStart, splitting == nil {
                skipped += rowsLeft
                rowNumber += rowsLeft
                rowsLeft = 0
            } else if rowsLeft > 0 || splitting != nil {
                guard try next() != nil else { break }
                skipped += 1
            }
        }
        return skipped
    }

    private var groupRows = 0
    private var isAtGroupStart: Bool { rowsLeft == groupRows }

    private mutating func startGroup() throws(ParquetError) -> Bool {
        guard let group = try metadata.nextGroup(selected) else { return false }
        (rowsLeft, groupRows) = (group.rows, group.rows)
        // A group without rows may have no pages.
        guard group.rows > 0 else { return true }
        for (index, chunk) in group.chunks.enumerated() where ignored[index] == nil {
            do throws(ParquetError) {
                try cursors[index].start(chunk, fileSize: fileSize, memoryLeft: &memoryLeft)
            } catch {
                try ignore(index, error)
            }
            chunkBytes += chunk.size
        }
        // Otherwise a small file could name the same pages in every row group.
        guard chunkBytes <= fileSize * max(1, selected.count) else {
            throw .invalid("its row groups share pages")
        }
        file.willRead(cursors.indices.filter { ignored[$0] == nil }.map { cursors[$0].part })
        return true
    }

    private static func metadata(of file: any ParquetBytes) throws(ParquetError) -> (FileMetadata, size: Int) {
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

/// The bytes of a Parquet file: a local file, or one of which parts are requested.
///
/// One thread at a time uses it.
package protocol ParquetBytes: AnyObject {
    /// The size of the whole file.
    var size: Int { get throws(FileError) }

    /// Reads up to `count` bytes at `offset`; returns fewer only at the end of the file.
    func read(at offset: Int, count: Int) throws(FileError) -> [UInt8]

    /// Announces the parts that are read next, each from its start to its end.
    func willRead(_ parts: [Range<Int>])
}

/// A Parquet file on this machine.
package final class LocalParquetFile: ParquetBytes {
    private let file: OpenFile

    package init(_ file: consuming OpenFile) { self.file = file }

    package var size: Int {
        get throws(FileError) { try file.size }
    }

    package func read(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
        try file.read(at: offset, count: count)
    }

    package func willRead(_ parts: [Range<Int>]) {}
}
