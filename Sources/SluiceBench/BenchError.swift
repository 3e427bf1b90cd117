// SPDX-License-Identifier: MIT

/// Why a bench cannot go on, as one sentence that names the input and what to do.
public struct BenchError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of trouble it is; the command's exit code follows from it.
    public enum Code: Sendable, Hashable {
        /// It was asked for something that cannot be.
        case usage
        /// The machine, its disk or its processes.
        case local
        /// A part of the bench ended without its result.
        case broken
    }

    /// The kind.
    public var code: Code
    /// The sentence.
    public var description: String

    init(_ code: Code, _ description: String) {
        self.code = code
        self.description = description
    }
}
