// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A reproducible random order of the numbers 1 to `count`, in constant memory.
///
/// A Feistel network permutes the smallest range of 4^n numbers that is large enough, and numbers outside 1 to `count`
/// are permuted again.
struct SeededPermutation {
    private static let rounds = 6

    private let count: UInt64
    private let halfBits: UInt64
    private let keys: [UInt64]

    init(of count: Int, seed: Int) {
        self.count = UInt64(max(count, 1))
        var bits: UInt64 = 1
        while bits < 31, 1 << (2 * bits) < self.count { bits += 1 }
        halfBits = bits
        keys = (0..<Self.rounds).map {
            Self.mix(UInt64(bitPattern: Int64(seed)) &+ UInt64($0) &* 0x9E37_79B9_7F4A_7C15)
        }
    }

    /// Returns the number at a position, which is from 1 to `count`.
    func number(at position: Int) -> Int {
        var value = UInt64(position - 1)
        repeat { value = permuted(value) } while value >= count
        return Int(value) + 1
    }

    private func permuted(_ value: UInt64) -> UInt64 {
        let mask: UInt64 = (1 << halfBits) - 1
        var (left, right) = (value >> halfBits, value & mask)
        for key in keys { (left, right) = (right, left ^ Self.mix(right ^ key) & mask) }
        return left << halfBits | right
    }

    private static func mix(_ value: UInt64) -> UInt64 {
        var random = SplitMix64(seed: value)
        return random.next()
    }
}
