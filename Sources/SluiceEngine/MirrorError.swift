// SPDX-License-Identifier: MIT

public import SluiceModel

/// The reason why a run could not begin or continue, as a message that names the input.
public struct MirrorError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The kind of error.
    ///
    /// It determines the command's exit code.
    public enum Code: Sendable, Hashable {
        /// The request is invalid: for example an unknown source, or a folder that is not a mirror.
        case usage
        /// The feed cannot be read.
        case feed
        /// The disk, file permissions or system limits.
        case local
        /// Another run holds the mirror.
        case locked
        /// The ledger or a stored file is damaged.
        case damaged
    }

    /// The kind.
    public var code: Code
    /// The message.
    public var message: String
    /// How the user may avoid the error.
    public var hint: Hint?

    /// Creates an error; credentials of addresses are removed from the message.
    package init(_ code: Code, _ message: String, hint: Hint? = nil) {
        self.code = code
        self.message = Userinfo.removed(fromText: message)
        self.hint = hint
    }

    /// The message.
    public var description: String { message }
}
