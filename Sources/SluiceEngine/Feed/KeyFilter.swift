// SPDX-License-Identifier: MIT

/// Tells which keys a run certainly lacks: a Bloom filter with blocks of 512 bits, so that a query reads one of them.
///
/// Of the keys that the run lacks, about one in a hundred passes.
struct KeyFilter: Sendable {
    private static let bitsPerKey = 12
    /// The number of bits that a key sets in its block.
    private static let probes = 6
    private static let wordsPerBlock = 8

    private var words: [UInt64]

    init(for count: Int) {
        let blocks = max(1, (count * Self.bitsPerKey + 511) / 512)
        words = Array(repeating: 0, count: blocks * Self.wordsPerBlock)
    }

    mutating func add(_ key: UInt) {
        let block = firstWord(of: key)
        var bits = Self.bits(of: key)
        for _ in 0..<Self.probes {
            words[block + Int(bits >> 6 & 7)] |= 1 << (bits & 63)
            bits >>= 9
        }
    }

    func mayContain(_ key: UInt) -> Bool {
        let block = firstWord(of: key)
        var bits = Self.bits(of: key)
        for _ in 0..<Self.probes {
            guard words[block + Int(bits >> 6 & 7)] & 1 << (bits & 63) != 0 else { return false }
            bits >>= 9
        }
        return true
    }

    /// The block comes from the key's high bits.
    private func firstWord(of key: UInt) -> Int {
        Int(UInt64(key).multipliedFullWidth(by: UInt64(words.count / Self.wordsPerBlock)).high) * Self.wordsPerBlock
    }

    /// The bits come from all bits of the key, mixed as in SplitMix64.
    private static func bits(of key: UInt) -> UInt64 {
        var bits = UInt64(key) &* 0xBF58_476D_1CE4_E5B9
        bits ^= bits >> 27
        bits &*= 0x94D0_49BB_1331_11EB
        return bits >> 8
    }
}
