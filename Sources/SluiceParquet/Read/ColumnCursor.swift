// SPDX-License-Identifier: MIT

internal import SluiceFiles

/// Reads the values of one column in order, page by page.
struct ColumnCursor {
    /// How much of the file is read to find the header of a page, and how much at most.
    private static let headerSizes = [4 << 10, 1 << 20]
    private static let maxPageSize = 128 << 20
    private static let maxListLength = 1 << 16

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
    private var repetitions: HybridDecoder?
    /// Whether the next value belongs to the list before; `nil` if its level has not been read.
    private var isContinued: Bool?
    /// The position of the next plain value.
    private var position = 0
    /// Indices of the dictionary; Booleans also.
    private var indices: HybridDecoder?

    init(_ field: ParquetField) { self.field = field }

    /// The bytes of the chunk that have not been read.
    var part: Range<Int> { offset..<end }

    /// The memory that the cursor holds.
    private var memory: Int { page.count + (dictionary?.bytes.count ?? 0) }

    /// Continues with the pages of another row group; adds the memory of the last one to `memoryLeft`.
    mutating func start(
        _ chunk: ChunkLocation, fileSize: Int, memoryLeft: inout Int
    ) throws(ParquetError) {
        memoryLeft += memory
        if let problem = chunk.problem { throw problem }
        (codec, offset, valuesLeft) = (chunk.codec, chunk.offset, chunk.values)
        guard chunk.size >= 0, offset >= parquetMagic.count, chunk.size <= fileSize, offset <= fileSize - chunk.size
        else { throw .invalid("the pages of column '\(field.name)' are outside the file") }
        end = offset + chunk.size
        (dictionary, page, pageLeft, isContinued) = (nil, [], 0, nil)
    }

    /// Continues with nothing; adds the memory of the last row group to `memoryLeft`.
    mutating func stop(memoryLeft: inout Int) {
        memoryLeft += memory
        (dictionary, page, pageLeft, valuesLeft) = (nil, [], 0, 0)
    }

    /// Returns the next value of the row group; `memoryLeft` limits the memory of all cursors together.
    mutating func next(in file: any ParquetBytes, memoryLeft: inout Int) throws(ParquetError) -> CellValue {
        try loadPages(of: file, memoryLeft: &memoryLeft)
        pageLeft -= 1
        if let level = try definitions?.next(in: page), level < field.definition { return .missing }
        return try value()
    }

    /// Returns the elements of the next row's list, or only the first of them.
    mutating func nextList(
        in file: any ParquetBytes, memoryLeft: inout Int, isFirstOnly: Bool
    ) throws(ParquetError) -> [CellValue] {
        guard let list = field.list else { return [try next(in: file, memoryLeft: &memoryLeft)] }
        guard try readContinuation(in: file, memoryLeft: &memoryLeft) == false else {
            throw invalid("begins within a list")
        }
        var elements: [CellValue] = []
        repeat {
            isContinued = nil
            pageLeft -= 1
            // A list always has definition levels.
            let level = try definitions?.next(in: page) ?? 0
            if level >= list.definition {
                let element = try level < field.definition ? .missing : value()
                if elements.isEmpty || !isFirstOnly { elements.append(element) }
                guard elements.count <= Self.maxListLength else {
                    throw .unsupported("a list of column '\(field.name)' has more than \(Self.maxListLength) elements")
                }
            }
            // The last list of a row group ends with its pages.
            if pageLeft == 0, valuesLeft == 0 { break }
        } while try readContinuation(in: file, memoryLeft: &memoryLeft)
        return elements
    }

    /// Reads whether the next value belongs to the list before.
    private mutating func readContinuation(
        in file: any ParquetBytes, memoryLeft: inout Int
    ) throws(ParquetError) -> Bool {
        if let isContinued { return isContinued }
        try loadPages(of: file, memoryLeft: &memoryLeft)
        let found = try repetitions?.next(in: page) ?? 0 > 0
        isContinued = found
        return found
    }

    /// Loads pages until one has values.
    private mutating func loadPages(of file: any ParquetBytes, memoryLeft: inout Int) throws(ParquetError) {
        while pageLeft == 0 {
            memoryLeft += memory
            page = []
            defer { memoryLeft -= memory }
            try loadPage(of: file, memoryLeft: memoryLeft)
        }
    }

    /// Returns the next value that is present.
    private mutating func value() throws(ParquetError) -> CellValue {
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

    private mutating func loadPage(of file: any ParquetBytes, memoryLeft: Int) throws(ParquetError) {
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
        case .data: try loadFirstVersion(header, stored, memoryLeft)
        case .dataV2: try loadSecondVersion(header, stored, memoryLeft)
        // Indices for searching have no values.
        case .index, nil: break
        }
    }

    private mutating func readHeader(of file: any ParquetBytes) throws(ParquetError) -> DataPageHeader {
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

    private mutating func loadFirstVersion(
        _ header: DataPageHeader, _ stored: [UInt8], _ memoryLeft: Int
    ) throws(ParquetError) {
        page = try decoder.decompress(stored[...], codec, size: header.size)
        position = 0
        (repetitions, definitions) = (nil, nil)
        if field.isList { repetitions = try takeLevels(header, header.repetitionEncoding, width: 1) }
        if field.definition > 0 {
            definitions = try takeLevels(header, header.levelEncoding, width: field.definitionWidth)
        }
        try beginValues(header, memoryLeft)
    }

    /// Takes levels from the current position of the page.
    private mutating func takeLevels(
        _ header: DataPageHeader, _ encoding: Int, width: Int
    ) throws(ParquetError) -> HybridDecoder {
        switch PageEncoding(rawValue: encoding) {
        case .rle: return HybridDecoder(try takeBlock(), width: width)
        case .bitPacked where width == 1:
            let length = header.count / 8 + (header.count % 8 == 0 ? 0 : 1)
            guard length <= page.count - position else { throw invalid("is truncated") }
            let range = position..<position + length
            // This encoding begins with the highest bit.
            for index in range { page[index] = page[index].bitsReversed }
            position += length
            return HybridDecoder(packed: range, width: 1, count: header.count)
        default: throw unsupported(encoding)
        }
    }

    private mutating func loadSecondVersion(
        _ header: DataPageHeader, _ stored: [UInt8], _ memoryLeft: Int
    ) throws(ParquetError) {
        let levels = header.repetitionLength + header.definitionLength
        page = stored
        // A page without values may lack the end that its compression has.
        if header.isCompressed, header.size > levels {
            page = try stored[..<levels] + decoder.decompress(stored[levels...], codec, size: header.size - levels)
        }
        repetitions = field.isList ? HybridDecoder(0..<header.repetitionLength, width: 1) : nil
        let range = header.repetitionLength..<levels
        definitions = field.definition > 0 ? HybridDecoder(range, width: field.definitionWidth) : nil
        position = levels
        try beginValues(header, memoryLeft)
    }

    /// Prepares to read values from the current position.
    private mutating func beginValues(_ header: DataPageHeader, _ memoryLeft: Int) throws(ParquetError) {
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
        default: try makePlain(header, limit: min(Self.maxPageSize, memoryLeft - memory))
        }
        guard header.count <= valuesLeft else { throw invalid("has more values than the column has rows") }
        valuesLeft -= header.count
        pageLeft = header.count
    }

    /// Changes the page's values to the plain encoding.
    private mutating func makePlain(_ header: DataPageHeader, limit: Int) throws(ParquetError) {
        let (physical, width) = (field.values.physical, field.values.fixedLength)
        let values = PlainValues(page, from: position, count: header.count, limit: limit)
        let plain: [UInt8]
        switch (PageEncoding(rawValue: header.encoding), physical, width) {
        case (.deltaBinaryPacked, .int32, let width?), (.deltaBinaryPacked, .int64, let width?):
            plain = try values.integers(width: width)
        case (.deltaLengthByteArray, .byteArray, _): plain = try values.arrays()
        case (.deltaByteArray, .byteArray, _), (.deltaByteArray, .fixedLengthByteArray, _):
            plain = try values.arraysWithPrefixes(fixedLength: width)
        case (.byteStreamSplit, _, let width?) where physical != .int96:
            plain = try values.joinedBytes(width: width)
        default: throw unsupported(header.encoding)
        }
        page = page[..<position] + plain
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

extension ParquetField {
    /// The number of bits of a definition level.
    fileprivate var definitionWidth: Int { definition.bitWidth - definition.leadingZeroBitCount }
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
