// SPDX-License-Identifier: MIT

/// A box of an ISO base media file, such as AVIF: its type and the byte range of its content.
struct Box {
    let type: String
    let content: Range<Int>
}

/// Iterates over the boxes in a byte range of a file, checking each against the range.
struct Boxes {
    /// The maximum number of boxes in a range; real files have fewer than a hundred.
    private static let maxBoxes = 10_000

    private var rest: Range<Int>
    private var number = 0

    init(in range: Range<Int>) { rest = range }

    /// Returns the next box; `nil` at the end of the range.
    mutating func next(in window: inout ByteWindow) throws(ImagingError) -> Box? {
        guard rest.count >= 8 else { return nil }
        number += 1
        guard number <= Self.maxBoxes else { throw ImagingError(.badChunk, "more than \(Self.maxBoxes) boxes") }
        var header = BoxFields(rest)
        var size = try header.number(4, in: &window)
        let type = try header.text(4, in: &window)
        // Size 1 announces a longer number, and 0 means that the box is the last one.
        if size == 1 {
            size = try header.number(8, in: &window)
        } else if size == 0 {
            size = rest.count
        }
        let headerBytes = header.offset - rest.lowerBound
        guard size >= headerBytes else { throw ImagingError(.corrupt, "a box of \(size) bytes") }
        guard size <= rest.count else {
            // Bytes with an unprintable type are not a box but rubbish after the last one.
            if rest.upperBound == window.count, !type.utf8.allSatisfy({ (0x20..<0x7F).contains($0) }) { return nil }
            throw ImagingError(rest.upperBound == window.count ? .truncated : .corrupt, "a box of \(size) bytes")
        }
        let end = rest.lowerBound + size
        rest = end..<rest.upperBound
        return Box(type: type, content: end - size + headerBytes..<end)
    }

    /// Returns the first box of a type in a range, or `nil`.
    static func first(
        _ type: String, in range: Range<Int>, _ window: inout ByteWindow
    ) throws(ImagingError) -> Box? {
        var boxes = Boxes(in: range)
        while let box = try boxes.next(in: &window) { if box.type == type { return box } }
        return nil
    }

    /// Returns the first box at a path of nested types, or `nil`.
    static func first(
        at path: [String], in range: Range<Int>, _ window: inout ByteWindow
    ) throws(ImagingError) -> Box? {
        var found: Box?
        for type in path {
            found = try first(type, in: found?.content ?? range, &window)
            if found == nil { return nil }
        }
        return found
    }
}

/// Reads the fields of a box in order.
struct BoxFields {
    /// The offset of the next field.
    private(set) var offset: Int
    private let end: Int

    init(_ content: Range<Int>) { (offset, end) = (content.lowerBound, content.upperBound) }

    /// Reads a big-endian number of up to eight bytes.
    mutating func number(_ count: Int, in window: inout ByteWindow) throws(ImagingError) -> Int {
        let bytes = try bytes(count, in: &window)
        let value = bytes.reduce(0 as UInt64) { $0 << 8 | UInt64($1) }
        // A limit far above any file's size, so that sums of a few numbers cannot overflow.
        guard value < 1 << 60 else { throw ImagingError(.corrupt, "a box with the number \(value)") }
        return Int(value)
    }

    mutating func data(_ count: Int, in window: inout ByteWindow) throws(ImagingError) -> ArraySlice<UInt8> {
        try bytes(count, in: &window)
    }

    /// Reads a text of a fixed length.
    mutating func text(_ count: Int, in window: inout ByteWindow) throws(ImagingError) -> String {
        String(decoding: try bytes(count, in: &window), as: UTF8.self)
    }

    /// Reads a text that ends with a zero byte or with the box, up to a limit.
    mutating func text(in window: inout ByteWindow) throws(ImagingError) -> String {
        let bytes = try window.bytes(at: offset, count: min(end - offset, Self.maxTextBytes))
        let text = bytes.prefix { $0 != 0 }
        offset = min(end, offset + text.count + 1)
        return String(decoding: text, as: UTF8.self)
    }

    private static let maxTextBytes = 256

    private mutating func bytes(_ count: Int, in window: inout ByteWindow) throws(ImagingError) -> ArraySlice<UInt8> {
        guard count <= end - offset else { throw ImagingError(.corrupt, "a box ends early") }
        let bytes = try window.bytes(at: offset, count: count)
        offset += count
        return bytes
    }
}
