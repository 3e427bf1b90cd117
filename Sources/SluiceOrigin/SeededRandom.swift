// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Reproducible random numbers, with helpers for drawing.
///
/// The same seed and purpose give the same numbers on every machine.
package struct SeededRandom: Sendable {
    private var bits: SplitMix64

    package init(seed: Int, _ purpose: UInt64) {
        bits = SplitMix64(seed: SplitMix64.mix(UInt64(truncatingIfNeeded: seed) &+ purpose &* 0x9E37_79B9_7F4A_7C15))
    }

    package mutating func next() -> UInt64 { bits.next() }

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
}
