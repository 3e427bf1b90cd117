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
}
