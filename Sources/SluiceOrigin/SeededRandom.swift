// SPDX-License-Identifier: MIT

/// A reproducible random number generator (SplitMix64) with helpers for drawing.
///
/// The same seed and purpose give the same numbers on every machine.
package struct SeededRandom: Sendable {
    private var state: UInt64

    package init(seed: Int, _ purpose: UInt64) {
        state = Self.mixBits(UInt64(truncatingIfNeeded: seed) &+ purpose &* 0x9E37_79B9_7F4A_7C15)
    }

    package mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.mixBits(state)
    }

    /// Returns a number from 0 up to but not including 1.
    package mutating func fraction() -> Float { Float(next() >> 40) / 16_777_216 }

    /// Returns a number between the two bounds.
    package mutating func between(_ low: Float, _ high: Float) -> Float { low + (high - low) * fraction() }

    /// Returns an integer in the range.
    package mutating func integer(in range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() >> 33) % (range.upperBound - range.lowerBound + 1)
    }

    /// Returns `true` with the given probability.
    package mutating func happens(withProbability probability: Float) -> Bool { fraction() < probability }

    /// Returns one of the elements.
    package mutating func element<Element>(of elements: [Element]) -> Element {
        elements[integer(in: 0...elements.count - 1)]
    }

    /// Mixes the bits of a value so that similar values give unrelated results.
    @inlinable package static func mixBits(_ value: UInt64) -> UInt64 {
        var value = value
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
