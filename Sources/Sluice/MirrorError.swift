// SPDX-License-Identifier: MIT

/// Why a run could not begin or go on, as one sentence that names the input and what to do.
public struct MirrorError: Error, Sendable, Hashable, CustomStringConvertible {
    /// What kind of trouble it is; the command's exit code follows from it.
    public enum Code: Sendable, Hashable {
        /// The user asked for something that cannot be: an unknown source, a folder that is not a mirror.
        case usage
        /// The feed cannot be read at all.
        case feed
        /// The disk, its rights, or the machine's limits.
        case local
        /// Another run holds the mirror.
        case locked
        /// The ledger or a stored file is not what it should be.
        case damaged
    }

    /// The kind.
    public var code: Code
    /// The sentence.
    public var message: String

    /// Makes an error.
    public init(_ code: Code, _ message: String) {
        self.code = code
        self.message = message
    }

    /// The sentence.
    public var description: String { message }
}
