// SPDX-License-Identifier: MIT

/// The SplitMix64 random number generator: the same seed gives the same numbers on every machine.
package struct SplitMix64: RandomNumberGenerator, Sendable {
    /// The difference of two successive states.
    @usableFromInline static let increment: UInt64 = 0x9E37_79B9_7F4A_7C15
    @usableFromInline var state: UInt64

    @inlinable package init(seed: UInt64) { state = seed }

    @inlinable package mutating func next() -> UInt64 {
        state &+= Self.increment
        return Self.mix(state)
    }

    /// Mixes the bits of a value so that similar values give unrelated results.
    @inlinable package static func mix(_ value: UInt64) -> UInt64 {
        var value = value
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
