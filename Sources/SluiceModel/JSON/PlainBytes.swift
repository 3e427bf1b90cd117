// SPDX-License-Identifier: MIT

/// Tells text that JSON takes as it is, eight bytes at a time.
enum PlainBytes {
    /// Whether no byte of it is, or is part of, a scalar that is escaped.
    static func isPlain(_ text: UnsafeBufferPointer<UInt8>) -> Bool {
        let bytes = UnsafeRawBufferPointer(text)
        var index = 0
        while index + 8 <= bytes.count {
            let word = unsafe bytes.loadUnaligned(fromByteOffset: index, as: UInt64.self)
            if !isPlain(word) { guard unsafe text[index..<index + 8].allSatisfy(isPlain) else { return false } }
            index += 8
        }
        return unsafe text[index...].allSatisfy(isPlain)
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
