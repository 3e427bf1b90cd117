// SPDX-License-Identifier: MIT

public import SluiceModel

/// Where photos are listed: a service, a file, an address.
public protocol Feed: Sendable {
    /// The feed's name, as the manifest states it.
    var name: String { get }
    /// The variant that is mirrored unless the user names another.
    var defaultVariant: String { get }
    /// The page at a cursor that an earlier page gave; the first page where there is none.
    func page(_ number: Int, at cursor: Cursor?, token: Token) async throws(Failure) -> Page
    /// Tells the service of a photo's download, where it asks for that.
    func ping(_ photo: Photo, token: Token) async throws(Failure)
    /// No further page is asked for, whatever the feed says; `nil` for one that is surely finite.
    var longest: Int? { get }
}

extension Feed {
    /// Tells the service of a photo's download, where it asks for that.
    public func ping(_ photo: Photo, token: Token) async throws(Failure) {}

    /// A listing at a stranger's ends some time, or is a trap.
    public var longest: Int? { 10_000 }
}
