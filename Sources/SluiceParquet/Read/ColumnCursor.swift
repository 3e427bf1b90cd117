// SPDX-License-Identifier: MIT

internal import SluiceFiles

/// Reads the values of one column in order, page by page.
struct ColumnCursor {
    /// How much of the file is read to find the header of a page, and how much at most.
    private static let headerSizes = [4 << 10, 1 << 20]
    private static let maxPageSize = 128 << 20

    private let field: ParquetField
    private let decoder = PageDecoder()

    // The current chunk
    private var codec = PageCodec.uncompressed
    private var offset = 0
    private var end = 0
    /// The number of values in pages that are not loaded yet.
    private var valuesLeft = 0
    private var dictionary: PlainDictionary?

    // The current page
    private var page: [UInt8] = []
    private var pageLeft = 0
    private var definitions: HybridDecoder?
    /// The position of the next plain value.
    private var position = 0
    /// Indices of the dictionary; Booleans also.
    private var indices: HybridDecoder?

    init(_ field: ParquetField) { self.field = field }

    /// The memory that the cursor holds.
    private var memory: Int { page.count + (dictionary?.bytes.count ?? 0) }

    /// Continues with the pages of another row group; adds the memory of the last one to `memoryLeft`.
    mutating func start(
        _ chunk: ChunkLocation, fileSize: Int, memoryLeft: inout Int
    ) throws(ParquetError) {
        memoryLeft += memory
        (codec, offset, valuesLeft) = (chunk.codec, chunk.offset, chunk.values)
        guard chunk.size >= 0, offset >= parquetMagic.count, chunk.size <= fileSize, offset <= fileSize - chunk.size
        else { throw .invalid("the pages of column '\(field.name)' are outside the file") }
        end = offset + chunk.size
        (dictionary, page, pageLeft) = (nil, [], 0)
    }

    /// Returns the next value of the row group; `memoryLeft` limits the memory of all cursors together.
    mutating func next(in file: borrowing OpenFile, memoryLeft: inout Int) throws(ParquetError) -> CellValue {
        while pageLeft == 0 {
            memoryLeft += memory
            page = []
            try loadPage(of: file, memoryLeft: memoryLeft)
            memoryLeft -= memory
        }
        pageLeft -= 1
        if try definitions?.next(in: page) == 0 { return .missing }
        if let index = try indices?.next(in: page) {
            if field.values.physical == .boolean { return .text(index == 0 ? "false" : "true") }
            guard let dictionary, let range = dictionary.range(of: Int(index)) else {
                throw invalid("has an index outside its dictionary")
            }
            return field.values.value(in: dictionary.bytes, range)
        }
        guard let range = field.values.range(in: page, at: position) else { throw invalid("ends within a value") }
        position = range.upperBound
        return field.values.value(in: page, range)
    }

    private func invalid(_ problem: String) -> ParquetError { .invalid("a page of column '\(field.name)' \(problem)") }

    private mutating func loadPage(of file: borrowing OpenFile, memoryLeft: Int) throws(ParquetError) {
        guard offset < end else { throw .invalid("column '\(field.name)' has fewer values than rows") }
        let header = try readHeader(of: file)
        guard header.storedSize <= end - offset else { throw invalid("is truncated") }
        guard max(header.size, header.storedSize) <= Self.maxPageSize else {
            throw .unsupported("a page of column '\(field.name)' is larger than \(Self.maxPageSize >> 20) MiB")
        }
        guard header.size <= memoryLeft - memory else { throw .unsupported("its pages need too much memory") }
        let stored: [UInt8]
        do throws(FileError) { stored = try file.read(at: offset, count: header.storedSize) } catch {
            throw .file(error)
        }
        guard stored.count == header.storedSize else { throw invalid("is truncated") }
        offset += header.storedSize
        switch PageType(rawValue: header.type) {
        case .dictionary: try loadDictionary(header, stored)
        // A page without values is not worth decompressing.
        case .data where header.count == 0, .dataV2 where header.count == 0: break
        case .data: try loadFirstVersion(header, stored)
        case .dataV2: try loadSecondVersion(header, stored)
        // Indices for searching have no values.
        case .index, nil: break
        }
    }

    private mutating func readHeader(of file: borrowing OpenFile) throws(ParquetError) -> DataPageHeader {
        for size in Self.headerSizes {
            let count = min(size, end - offset)
            let bytes: [UInt8]
            do throws(FileError) { bytes = try file.read(at: offset, count: count) } catch { throw .file(error) }
            var reader = CompactReader(bytes)
            do throws(ParquetError) {
                let header = try DataPageHeader(&reader)
                offset += reader.position
                return header
            } catch {
                guard error == CompactReader.truncated, count == size, size != Self.headerSizes.last else {
                    throw error
                }
            }
        }
        throw CompactReader.truncated
    }

    private mutating func loadDictionary(_ header: DataPageHeader, _ stored: [UInt8]) throws(ParquetError) {
        guard dictionary == nil else { throw invalid("is a second dictionary") }
        guard [PageEncoding.plain, .plainDictionary].contains(PageEncoding(rawValue: header.encoding)) else {
            throw unsupported(header.encoding)
        }
        let bytes = try decoder.decompress(stored[...], codec, size: header.size)
        guard let dictionary = PlainDictionary(bytes, count: header.count, of: field.values) else {
            throw invalid("has an invalid dictionary")
        }
        self.dictionary = dictionary
    }

    private mutating func loadFirstVersion(_ header: DataPageHeader, _ stored: [UInt8]) throws(ParquetError) {
        page = try decoder.decompress(stored[...], codec, size: header.size)
        position = 0
        definitions = nil
        if field.isOptional { definitions = try takeDefinitions(header) }
        try beginValues(header)
    }

    /// Takes the definition levels from the beginning of the page.
    private mutating func takeDefinitions(_ header: DataPageHeader) throws(ParquetError) -> HybridDecoder {
        switch PageEncoding(rawValue: header.levelEncoding) {
        case .rle: return HybridDecoder(try takeBlock(), width: 1)
        case .bitPacked:
            let length = header.count / 8 + (header.count % 8 == 0 ? 0 : 1)
            guard length <= page.count else { throw invalid("is truncated") }
            // This encoding begins with the highest bit.
            for index in 0..<length { page[index] = page[index].bitsReversed }
            position = length
            return HybridDecoder(packed: 0..<length, width: 1, count: header.count)
        default: throw unsupported(header.levelEncoding)
        }
    }

    private mutating func loadSecondVersion(_ header: DataPageHeader, _ stored: [UInt8]) throws(ParquetError) {
        let levels = header.repetitionLength + header.definitionLength
        page =
            try header.isCompressed
            ? stored[..<levels]
                + decoder.decompress(stored[levels...], codec, size: header.size - levels)
            : stored
        definitions = field.isOptional ? HybridDecoder(header.repetitionLength..<levels, width: 1) : nil
        position = levels
        try beginValues(header)
    }

    /// Prepares to read values from the current position.
    private mutating func beginValues(_ header: DataPageHeader) throws(ParquetError) {
        indices = nil
        switch (PageEncoding(rawValue: header.encoding), field.values.physical) {
        case (.plain, .boolean):
            indices = HybridDecoder(packed: position..<page.count, width: 1, count: header.count)
        case (.rle, .boolean): indices = HybridDecoder(try takeBlock(), width: 1)
        case (.plain, _): break
        case (.plainDictionary, _), (.rleDictionary, _):
            guard dictionary != nil else { throw invalid("has no dictionary") }
            // A page without values may lack the width.
            let width = position < page.count ? Int(page[position]) : 0
            guard width <= 32 else { throw invalid("has indices of \(width) bits") }
            indices = HybridDecoder(min(position + 1, page.count)..<page.count, width: width)
        default: throw unsupported(header.encoding)
        }
        guard header.count <= valuesLeft else { throw invalid("has more values than the column has rows") }
        valuesLeft -= header.count
        pageLeft = header.count
    }

    /// Takes a block of the page that follows its length.
    private mutating func takeBlock() throws(ParquetError) -> Range<Int> {
        guard let range = ValueType.block(in: page, at: position) else { throw invalid("is truncated") }
        position = range.upperBound
        return range
    }

    private func unsupported(_ encoding: Int) -> ParquetError {
        let name = PageEncoding(rawValue: encoding).map { "\($0)" } ?? "\(encoding)"
        return .unsupported("the pages of column '\(field.name)' have the encoding \(name)")
    }
}

extension ValueType {
    /// The range of the plain value at a position; `nil` if it is truncated.
    func range(in bytes: [UInt8], at position: Int) -> Range<Int>? {
        guard let fixedLength else { return Self.block(in: bytes, at: position) }
        return fixedLength <= bytes.count - position ? position..<position + fixedLength : nil
    }

    /// The range of a block that follows its length of four bytes; `nil` if it is truncated.
    static func block(in bytes: [UInt8], at position: Int) -> Range<Int>? {
        guard bytes.count - position >= 4 else { return nil }
        var length = 0
        for index in 0..<4 { length |= Int(bytes[position + index]) << (8 * index) }
        let start = position + 4
        return length <= bytes.count - start ? start..<start + length : nil
    }
}

extension UInt8 {
    fileprivate var bitsReversed: UInt8 { (0..<8).reduce(0) { $0 | (self >> $1 & 1) << (7 - $1) } }
}

/// The values of a dictionary page, in the plain encoding.
struct PlainDictionary {
    let bytes: [UInt8]
    /// The start of each value of variable length.
    private var starts: [UInt32] = []
    private let type: ValueType
    private let count: Int

    /// Finds the values; `nil` if the page has fewer.
    init?(_ bytes: [UInt8], count: Int, of type: ValueType) {
        (self.bytes, self.count, self.type) = (bytes, count, type)
        if let length = type.fixedLength {
            guard count <= bytes.count / length else { return nil }
            return
        }
        // Each value has at least its length.
        guard type.physical == .byteArray, count <= bytes.count / 4 else { return nil }
        starts.reserveCapacity(count)
        var position = 0
        for _ in 0..<count {
            guard let range = ValueType.block(in: bytes, at: position) else { return nil }
            starts.append(UInt32(position))
            position = range.upperBound
        }
    }

    /// The range of the value with an index; `nil` for an index past the end.
    func range(of index: Int) -> Range<Int>? {
        guard index < count else { return nil }
        guard let length = type.fixedLength else { return ValueType.block(in: bytes, at: Int(starts[index])) }
        return index * length..<(index + 1) * length
    }
}
