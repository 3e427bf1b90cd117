// SPDX-License-Identifier: MIT

internal import SluiceFiles

/// Encodes the values of one column, row group by row group.
///
/// Pages are compressed as soon as they are full. Values that repeat are written as indices of a dictionary. If the
/// dictionary gets too large, the rest of the row group has plain pages. A column whose values hardly repeat has plain
/// pages from then on.
struct ColumnWriter {
    /// The size of a page in bytes, which readers need to hold in memory.
    private static let pageSize = 1 << 20
    private static let maxIndices = 1 << 18
    private static let maxDictionarySize = 1 << 20
    /// The number of values after which a dictionary must have proved useful.
    private static let trialCount = 2000

    let column: ParquetColumn
    /// The number of bytes that the row group's values have, including pages that are compressed already.
    private(set) var rawBytes = 0

    // The current page
    private var repetitions: HybridEncoder?
    private var definitions: HybridEncoder
    private var levelCount = 0
    private var values: [UInt8] = []
    private var indices: [UInt32] = []
    private var booleans: UInt8 = 0
    private var booleanCount = 0

    // The current row group
    /// The dictionary of the row group; `nil` if all its pages are plain.
    private var dictionary: ValueDictionary?
    /// Whether the current page has indices.
    private var isIndexed: Bool
    private var chunk: ColumnChunk
    private var bounds = ValueBounds()

    /// Whether the next row group begins with a dictionary.
    private var mayRepeat: Bool

    init(_ column: ParquetColumn) {
        self.column = column
        chunk = ColumnChunk(column)
        mayRepeat = ![.boolean, .bytes].contains(column.kind)
        isIndexed = mayRepeat
        definitions = HybridEncoder(width: column.definitionWidth)
        repetitions = column.kind == .texts ? HybridEncoder(width: 1) : nil
        startChunk()
    }

    mutating func addNull() {
        chunk.nulls += 1
        addLevels(repetition: 0, definition: column.groupLevels)
    }

    mutating func add(_ text: String, with encoder: ZstdEncoder) {
        precondition(column.kind == .text, "the column \(column.name) holds no text")
        addLevels(repetition: 0, definition: column.groupLevels + 1)
        addText(text)
        endPageIfFull(encoder)
    }

    /// Adds bytes; they need less than 2 GiB.
    mutating func add(_ bytes: [UInt8], with encoder: ZstdEncoder) {
        precondition(column.kind == .bytes, "the column \(column.name) holds no bytes")
        addLevels(repetition: 0, definition: column.groupLevels + 1)
        rawBytes += bytes.count + 4
        values.appendLittleEndian(UInt64(bytes.count), count: 4)
        values += bytes
        endPageIfFull(encoder)
    }

    /// Adds a list of texts.
    mutating func add(_ texts: [String], with encoder: ZstdEncoder) {
        precondition(column.kind == .texts, "the column \(column.name) holds no lists")
        if texts.isEmpty {
            // The statistics count places without a text.
            chunk.nulls += 1
            addLevels(repetition: 0, definition: 1)
        }
        for (position, text) in texts.enumerated() {
            addLevels(repetition: position == 0 ? 0 : 1, definition: 2)
            addText(text)
        }
        endPageIfFull(encoder)
    }

    /// Adds an integer or a time.
    mutating func add(_ number: Int, with encoder: ZstdEncoder) {
        precondition([.integer, .timestamp].contains(column.kind), "the column \(column.name) holds no integers")
        addLevels(repetition: 0, definition: column.groupLevels + 1)
        bounds.add(Int64(number))
        addFixed(UInt64(bitPattern: Int64(number)))
        endPageIfFull(encoder)
    }

    mutating func add(_ number: Double, with encoder: ZstdEncoder) {
        precondition(column.kind == .double, "the column \(column.name) holds no floating-point numbers")
        addLevels(repetition: 0, definition: column.groupLevels + 1)
        bounds.add(number)
        addFixed(number.bitPattern)
        endPageIfFull(encoder)
    }

    /// Adds a Boolean; the pages of Booleans never fill before their row group ends.
    mutating func add(_ flag: Bool) {
        precondition(column.kind == .boolean, "the column \(column.name) holds no Booleans")
        addLevels(repetition: 0, definition: column.groupLevels + 1)
        bounds.add(Int64(flag ? 1 : 0))
        booleans |= (flag ? 1 : 0) << UInt8(booleanCount)
        booleanCount += 1
        if booleanCount == 8 { endBooleans() }
    }

    /// Ends the row group: returns its pages and metadata, and starts the next one.
    mutating func finishChunk(with encoder: ZstdEncoder) -> ColumnChunk {
        if levelCount > 0 { endPage(encoder) }
        var finished = chunk
        finished.bounds = bounds.encoded(isBoolean: column.kind == .boolean)
        if let dictionary, dictionary.count > 0 {
            let body = encoder.frame(dictionary.bytes)
            let header = PageHeader.dictionary(
                count: dictionary.count, size: dictionary.bytes.count, stored: body.count)
            finished.dictionaryPage = header + body
            finished.uncompressedSize += header.count + dictionary.bytes.count
        }
        startChunk()
        return finished
    }

    private mutating func startChunk() {
        let hasLengths = column.kind == .text || column.kind == .texts
        dictionary = mayRepeat ? ValueDictionary(hasLengths: hasLengths) : nil
        isIndexed = mayRepeat
        (chunk, bounds, rawBytes) = (ColumnChunk(column), ValueBounds(), 0)
    }

    private mutating func addLevels(repetition: UInt32, definition: UInt32) {
        repetitions?.append(repetition)
        definitions.append(definition)
        levelCount += 1
    }

    private mutating func addText(_ text: String) {
        let span = text.utf8Span.span
        rawBytes += span.count + 4
        if isIndexed, let (index, isNew) = dictionary?.index(of: span) {
            if isNew { bounds.add(span) }
            return indices.append(UInt32(index))
        }
        bounds.add(span)
        values.appendLittleEndian(UInt64(span.count), count: 4)
        values.append(span)
    }

    private mutating func addFixed(_ bits: UInt64) {
        rawBytes += 8
        guard isIndexed else { return values.appendLittleEndian(bits, count: 8) }
        var bytes = [8 of UInt8](repeating: 0)
        for index in bytes.indices { bytes[index] = UInt8(truncatingIfNeeded: bits >> UInt64(8 * index)) }
        if let (index, _) = dictionary?.index(of: bytes.span) { indices.append(UInt32(index)) }
    }

    private mutating func endBooleans() {
        values.append(booleans)
        (booleans, booleanCount) = (0, 0)
        rawBytes += 1
    }

    private mutating func endPageIfFull(_ encoder: ZstdEncoder) {
        if isIndexed, let dictionary {
            if indices.count == Self.trialCount, dictionary.count > Self.trialCount / 2 {
                leaveDictionary(dictionary)
            } else if indices.count >= Self.maxIndices || dictionary.bytes.count >= Self.maxDictionarySize {
                endPage(encoder)
                isIndexed = dictionary.bytes.count < Self.maxDictionarySize
            }
        }
        if values.count >= Self.pageSize { endPage(encoder) }
    }

    /// Replaces the indices of the first page by plain values.
    private mutating func leaveDictionary(_ dictionary: ValueDictionary) {
        guard chunk.pages.isEmpty else { return }
        for index in indices { values += dictionary.encoding(of: Int(index)) }
        indices.removeAll()
        self.dictionary = nil
        (mayRepeat, isIndexed) = (false, false)
    }

    private mutating func endPage(_ encoder: ZstdEncoder) {
        if booleanCount > 0 { endBooleans() }
        var page: [UInt8] = []
        page.reserveCapacity(values.count + indices.count * 2 + levelCount / 4 + 64)
        if var repetitions { page.appendLevels(repetitions.finish()) }
        page.appendLevels(definitions.finish())
        // Without values there is no dictionary page that indices could refer to.
        let encoding = isIndexed && dictionary?.count ?? 0 > 0 ? PageEncoding.rleDictionary : .plain
        if encoding == .rleDictionary, let dictionary {
            let width = HybridEncoder.width(of: max(dictionary.count - 1, 1))
            page.append(UInt8(width))
            var encoded = HybridEncoder(width: width)
            for index in indices { encoded.append(index) }
            page += encoded.finish()
        } else {
            page += values
            chunk.hasPlainPages = true
        }
        let body = column.codec == .zstd ? encoder.frame(page) : page
        let header = PageHeader.data(
            count: levelCount, encoding: encoding, size: page.count, stored: body.count)
        chunk.pages += header
        chunk.pages += body
        chunk.uncompressedSize += header.count + page.count
        chunk.levels += levelCount
        levelCount = 0
        values.removeAll(keepingCapacity: true)
        indices.removeAll(keepingCapacity: true)
        definitions = HybridEncoder(width: column.definitionWidth)
        if repetitions != nil { repetitions = HybridEncoder(width: 1) }
    }
}

extension [UInt8] {
    /// Appends levels after their length.
    fileprivate mutating func appendLevels(_ levels: [UInt8]) {
        appendLittleEndian(UInt64(levels.count), count: 4)
        self += levels
    }
}
