// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A SOURCE argument that cannot be opened, with a message for the user.
public struct SourceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason, with a suggestion if there is one.
    public var message: String

    package init(_ message: String) {
        self.message = Userinfo.removed(fromText: message)
    }

    /// The message.
    public var description: String { message }
}
