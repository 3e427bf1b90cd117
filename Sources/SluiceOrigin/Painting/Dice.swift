// SPDX-License-Identifier: MIT

/// Chance that falls the same way each time: SplitMix64.
struct Dice: Sendable {
    private var state: UInt64

    init(seed: Int, _ purpose: UInt64) {
        state = Self.scramble(UInt64(truncatingIfNeeded: seed) &+ purpose &* 0x9E37_79B9_7F4A_7C15)
    }

    mutating func next() -> UInt64 {
        state &+= 0x9E37_79B9_7F4A_7C15
        return Self.scramble(state)
    }

    /// A number from 0 to just below 1.
    mutating func unit() -> Float { Float(next() >> 40) / 16_777_216 }

    /// A number between the two.
    mutating func between(_ low: Float, _ high: Float) -> Float { low + (high - low) * unit() }

    mutating func whole(_ range: ClosedRange<Int>) -> Int {
        range.lowerBound + Int(next() >> 33) % (range.upperBound - range.lowerBound + 1)
    }

    /// Whether it falls so, by a probability.
    mutating func falls(_ probability: Float) -> Bool { unit() < probability }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[whole(0...elements.count - 1)] }

    static func scramble(_ value: UInt64) -> UInt64 {
        var value = value
        value = (value ^ value >> 30) &* 0xBF58_476D_1CE4_E5B9
        value = (value ^ value >> 27) &* 0x94D0_49BB_1331_11EB
        return value ^ value >> 31
    }
}
