// SPDX-License-Identifier: MIT

/// Changes the values of a page to the plain encoding, in which each value is found without decoding those before it.
struct PlainValues {
    private let bytes: [UInt8]
    private let start: Int
    /// The number of values that the page may have.
    private let count: Int
    /// The largest size of the result.
    private let limit: Int

    /// Describes the values after `start`.
    init(_ bytes: [UInt8], from start: Int, count: Int, limit: Int) {
        (self.bytes, self.start) = (bytes, start)
        // Each integer needs eight bytes while it is decoded.
        self.count = min(count, limit / 8)
        self.limit = limit
    }

    /// Decodes differences of integers of `width` bytes.
    func integers(width: Int) throws(ParquetError) -> [UInt8] {
        var decoder = DeltaDecoder(bytes, at: start)
        let values = try decoder.integers(maxCount: count)
        var plain: [UInt8] = []
        plain.reserveCapacity(values.count * width)
        for value in values { plain.appendLittleEndian(UInt64(bitPattern: Int64(value)), count: width) }
        return plain
    }

    /// Decodes byte arrays whose lengths are stored first (DELTA_LENGTH_BYTE_ARRAY).
    func arrays() throws(ParquetError) -> [UInt8] {
        var decoder = DeltaDecoder(bytes, at: start)
        let lengths = try decoder.integers(maxCount: count)
        var position = decoder.position
        var plain: [UInt8] = []
        plain.reserveCapacity(bytes.count - position + 4 * lengths.count)
        for length in lengths {
            plain.appendLittleEndian(UInt64(truncatingIfNeeded: length), count: 4)
            plain += try take(length, at: &position)
        }
        return plain
    }

    /// Decodes byte arrays that begin with a part of the one before (DELTA_BYTE_ARRAY); those of a fixed length are
    /// stored without their lengths.
    func arraysWithPrefixes(fixedLength: Int?) throws(ParquetError) -> [UInt8] {
        var decoder = DeltaDecoder(bytes, at: start)
        let prefixes = try decoder.integers(maxCount: count)
        let suffixes = try decoder.integers(maxCount: count)
        guard prefixes.count == suffixes.count else { throw .invalid("a page has prefixes without suffixes") }
        var position = decoder.position
        var (plain, value): ([UInt8], [UInt8]) = ([], [])
        for (prefix, suffix) in zip(prefixes, suffixes) {
            guard 0...value.count ~= prefix else { throw .invalid("a page has a prefix outside the value before") }
            value.removeLast(value.count - prefix)
            value += try take(suffix, at: &position)
            guard value.count + 4 <= limit - plain.count else { throw .unsupported("its pages need too much memory") }
            if fixedLength == nil {
                plain.appendLittleEndian(UInt64(value.count), count: 4)
            } else if value.count != fixedLength {
                throw .invalid("a page has a value of \(value.count) bytes in a column of fixed length")
            }
            plain += value
        }
        return plain
    }

    /// Joins the bytes of values of `width` bytes (BYTE_STREAM_SPLIT): the first bytes of all values come first.
    func joinedBytes(width: Int) throws(ParquetError) -> [UInt8] {
        let size = bytes.count - start
        guard size % width == 0 else { throw .invalid("a page ends within a value") }
        let values = size / width
        var plain = [UInt8](repeating: 0, count: size)
        for byte in 0..<width {
            for value in 0..<values { plain[value * width + byte] = bytes[start + byte * values + value] }
        }
        return plain
    }

    private func take(_ length: Int, at position: inout Int) throws(ParquetError) -> ArraySlice<UInt8> {
        guard 0...(bytes.count - position) ~= length else { throw .invalid("a page ends within a value") }
        defer { position += length }
        return bytes[position..<position + length]
    }
}
