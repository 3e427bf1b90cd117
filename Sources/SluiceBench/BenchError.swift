// SPDX-License-Identifier: MIT

public import SluiceModel

/// An error that ends a benchmark; the message names the input.
public struct BenchError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error, which determines the command's exit code.
    public enum Code: Sendable, Hashable {
        /// The arguments or an input file are invalid.
        case usage
        /// The local system failed: a file, a folder or a process.
        case local
        /// A helper process ended without a valid result.
        case broken
    }

    /// The kind of error.
    public var code: Code
    /// The message, in one line.
    public var description: String
    /// How the user may avoid the error.
    public var hint: Hint?

    init(_ code: Code, _ description: String, hint: Hint? = nil) {
        self.code = code
        self.description = description
        self.hint = hint
    }
}

/// The progress of a benchmark, reported before each sample.
public struct BenchProgress: Sendable {
    /// The number of the next sample, from 1; 0 is the warm-up.
    public var number: Int
    /// The total number of samples.
    public var count: Int
    /// The setting that the sample measures.
    public var label: String
}
