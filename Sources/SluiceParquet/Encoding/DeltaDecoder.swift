// SPDX-License-Identifier: MIT

/// Decodes integers that are stored as packed differences (the encoding DELTA_BINARY_PACKED).
struct DeltaDecoder {
    private let bytes: [UInt8]
    /// The position after the integers that were decoded.
    private(set) var position: Int

    init(_ bytes: [UInt8], at position: Int) {
        self.bytes = bytes
        self.position = position
    }

    /// Decodes a sequence, of at most `maxCount` integers.
    mutating func integers(maxCount: Int) throws(ParquetError) -> [Int] {
        let (blockSize, parts, count) = (try length(), try length(), try length())
        let first = try signed()
        guard count <= maxCount else { throw .invalid("a page has more values than its header states") }
        guard parts > 0, blockSize >= 8 * parts, blockSize % (8 * parts) == 0 else {
            throw .invalid("a page has blocks of \(blockSize) differences in \(parts) parts")
        }
        var values: [Int] = []
        guard count > 0 else { return values }
        values.reserveCapacity(count)
        values.append(first)
        while values.count < count { try addBlock(to: &values, count, partSize: blockSize / parts, parts) }
        return values
    }

    private mutating func addBlock(
        to values: inout [Int], _ count: Int, partSize: Int, _ parts: Int
    ) throws(ParquetError) {
        let smallest = try signed()
        guard parts <= bytes.count - position else { throw Self.truncated }
        let widths = position..<position + parts
        position += parts
        var last = values.last ?? 0
        for index in widths where values.count < count {
            let width = Int(bytes[index])
            guard width <= 64 else { throw .invalid("a page has differences of \(width) bits") }
            guard partSize / 8 * width <= bytes.count - position else { throw Self.truncated }
            for number in 0..<min(partSize, count - values.count) {
                last &+= smallest &+ Int(truncatingIfNeeded: packed(number * width, width))
                values.append(last)
            }
            position += partSize / 8 * width
        }
    }

    /// The number of `width` bits at a bit after `position`.
    private func packed(_ bit: Int, _ width: Int) -> UInt64 {
        guard width > 0 else { return 0 }
        var index = position + bit >> 3
        var value = UInt64(bytes[index]) >> UInt64(bit & 7)
        var shift = 8 - bit & 7
        while shift < width {
            index += 1
            value |= UInt64(bytes[index]) << UInt64(shift)
            shift += 8
        }
        return width == 64 ? value : value & (1 << UInt64(width) - 1)
    }

    private mutating func signed() throws(ParquetError) -> Int {
        let raw = try varint()
        return Int(Int64(bitPattern: raw >> 1 ^ (raw & 1 == 0 ? 0 : .max)))
    }

    private mutating func length() throws(ParquetError) -> Int {
        guard let length = Int32(exactly: try varint()) else { throw .invalid("a page has too large lengths") }
        return Int(length)
    }

    private mutating func varint() throws(ParquetError) -> UInt64 {
        var (value, shift): (UInt64, UInt64) = (0, 0)
        while shift < 64, position < bytes.count {
            let next = bytes[position]
            position += 1
            value |= UInt64(next & 0x7F) << shift
            if next < 0x80 { return value }
            shift += 7
        }
        throw Self.truncated
    }

    private static let truncated = ParquetError.invalid("a page has fewer values than its header states")
}
