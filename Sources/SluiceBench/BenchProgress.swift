// SPDX-License-Identifier: MIT

/// The progress of a benchmark, reported before each sample.
public struct BenchProgress: Sendable {
    /// The number of the next sample, from 1; 0 is the warm-up.
    public var number: Int
    /// The total number of samples.
    public var count: Int
    /// The setting that the sample measures.
    public var label: String
}
