// SPDX-License-Identifier: MIT

/// Decodes a mixture of runs and bit-packed groups: levels, dictionary indices and Booleans.
///
/// It keeps positions only; the caller passes the page's bytes with each call.
struct HybridDecoder {
    private var position: Int
    private let end: Int
    private let width: Int
    /// The values left of the current run.
    private var left = 0
    /// The value of a run; `nil` in a bit-packed one.
    private var repeated: UInt32?
    /// The position of the next bit-packed value, counted in bits from `position`.
    private var bit = 0

    /// Starts at the beginning of `range`; values have `width` bits, at most 32.
    init(_ range: Range<Int>, width: Int) {
        (position, end) = (range.lowerBound, range.upperBound)
        self.width = width
    }

    /// Starts at values that are bit-packed without a header.
    init(packed range: Range<Int>, width: Int, count: Int) {
        self.init(range, width: width)
        left = count
    }

    mutating func next(in bytes: [UInt8]) throws(ParquetError) -> UInt32 {
        if left == 0 { try startRun(in: bytes) }
        left -= 1
        if let repeated { return repeated }
        return try packed(in: bytes)
    }

    private mutating func packed(in bytes: [UInt8]) throws(ParquetError) -> UInt32 {
        let first = position + bit >> 3
        let last = position + (bit + width + 7) >> 3
        guard last <= end else { throw Self.truncated }
        var value: UInt64 = 0
        for index in first..<last { value |= UInt64(bytes[index]) << UInt64(8 * (index - first)) }
        value >>= UInt64(bit & 7)
        bit += width
        if left == 0 { position = last }
        return UInt32(truncatingIfNeeded: value & (1 << UInt64(width) - 1))
    }

    private mutating func startRun(in bytes: [UInt8]) throws(ParquetError) {
        while left == 0 {
            let header = try varint(in: bytes)
            if header & 1 == 0 {
                left = Int(header >> 1)
                let count = (width + 7) / 8
                guard count <= end - position else { throw Self.truncated }
                var value: UInt32 = 0
                for index in 0..<count { value |= UInt32(bytes[position + index]) << UInt32(8 * index) }
                repeated = value
                position += count
            } else {
                // The last group of a page may be cut off after its last value.
                left = Int(header >> 1) * 8
                repeated = nil
                bit = 0
            }
        }
    }

    /// Reads a header of at most 32 bits.
    private mutating func varint(in bytes: [UInt8]) throws(ParquetError) -> UInt32 {
        var (value, shift): (UInt64, UInt64) = (0, 0)
        while shift < 35 {
            guard position < end else { throw Self.truncated }
            let next = bytes[position]
            position += 1
            value |= UInt64(next & 0x7F) << shift
            if next < 0x80 { return UInt32(truncatingIfNeeded: value) }
            shift += 7
        }
        throw .invalid("a run is too long")
    }

    private static let truncated = ParquetError.invalid("a page has fewer values than its header states")
}
