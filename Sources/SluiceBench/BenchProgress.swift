// SPDX-License-Identifier: MIT

/// How far a bench is.
public struct BenchProgress: Sendable {
    /// Which sample is next, from 1; 0 is the warm-up.
    public var number: Int
    /// How many there will be.
    public var count: Int
    /// What it measures.
    public var label: String
}
