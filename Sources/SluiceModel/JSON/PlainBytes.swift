// SPDX-License-Identifier: MIT

/// Finds the parts of a text that need no JSON escapes, eight bytes at a time.
enum PlainBytes {
    /// Returns the offset of the next byte that is, or starts, a scalar that may need an escape.
    static func end(in text: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        let bytes = UnsafeRawBufferPointer(text)
        var index = start
        while index + 8 <= bytes.count {
            let word = unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            guard unsafe isPlain(word) || text[index..<index + 8].allSatisfy(isPlain) else { break }
            index += 8
        }
        return unsafe text[index...].firstIndex { !isPlain($0) } ?? text.count
    }

    /// Returns the scalar at an offset; `nil` at the end of the text.
    static func scalar(in text: UnsafeBufferPointer<UInt8>, at offset: Int) -> Unicode.Scalar? {
        var decoder = UTF8()
        var bytes = unsafe text[offset...].makeIterator()
        guard case .scalarValue(let scalar) = unsafe decoder.decode(&bytes) else { return nil }
        return scalar
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        // The escaped scalars above U+007F start with C2 or E2.
        case 0x00..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "<"), 0x7F, 0xC2, 0xE2: false
        default: true
        }
    }

    /// Whether all eight bytes are ASCII and need no escape; may return false for some plain words.
    private static func isPlain(_ word: UInt64) -> Bool {
        let low: UInt64 = 0x0101_0101_0101_0101
        let high = low << 7
        // In each difference, the high bit of a byte is set if the byte is less than the subtrahend.
        func isZero(_ word: UInt64) -> UInt64 { (word &- low) & ~word }
        let found =
            word | (word &- low &* 0x20) & ~word | isZero(word ^ low &* 0x22) | isZero(word ^ low &* 0x3C)
            | isZero(word ^ low &* 0x5C) | isZero(word ^ low &* 0x7F)
        return found & high == 0
    }
}
