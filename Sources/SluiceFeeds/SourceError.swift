// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A SOURCE argument that cannot be opened, with a message for the user.
public struct SourceError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The reason, with a suggestion if there is one.
    public var message: String
    /// Whether this machine prevents reading the source, for example by its permissions.
    package var isLocal: Bool

    package init(_ message: String, isLocal: Bool = false) {
        self.message = Userinfo.removed(fromText: message)
        self.isLocal = isLocal
    }

    /// The message.
    public var description: String { message }
}
