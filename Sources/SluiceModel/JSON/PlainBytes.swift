// SPDX-License-Identifier: MIT

/// Tells text that JSON takes as it is, eight bytes at a time.
enum PlainBytes {
    /// Where the next byte is that is, or begins, a scalar that may be escaped.
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

    /// The scalar that begins at a place of a text; `nil` at its end.
    static func scalar(in text: UnsafeBufferPointer<UInt8>, at place: Int) -> Unicode.Scalar? {
        var decoder = UTF8()
        var bytes = unsafe text[place...].makeIterator()
        guard case .scalarValue(let scalar) = unsafe decoder.decode(&bytes) else { return nil }
        return scalar
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        // What is escaped above U+007F begins with C2 or E2.
        case 0x00..<0x20, UInt8(ascii: "\""), UInt8(ascii: "\\"), UInt8(ascii: "<"), 0x7F, 0xC2, 0xE2: false
        default: true
        }
    }

    /// Whether eight bytes are surely plain: all of them ASCII, and none of those that are not.
    private static func isPlain(_ word: UInt64) -> Bool {
        let low: UInt64 = 0x0101_0101_0101_0101
        let high = low << 7
        // A byte's highest bit is set in the difference where it is less than what is taken from it.
        func isZero(_ word: UInt64) -> UInt64 { (word &- low) & ~word }
        let found =
            word | (word &- low &* 0x20) & ~word | isZero(word ^ low &* 0x22) | isZero(word ^ low &* 0x3C)
            | isZero(word ^ low &* 0x5C) | isZero(word ^ low &* 0x7F)
        return found & high == 0
    }
}
