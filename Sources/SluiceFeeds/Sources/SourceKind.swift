// SPDX-License-Identifier: MIT

internal import SluiceTransfer

/// A kind of source: a service by its name, a file of addresses, the address of a feed.
///
/// To add one, add a file with a type that conforms, and one line to ``Source/kinds``.
protocol SourceKind: Sendable {
    /// The words that name a source of this kind, if words do.
    static var names: [String] { get }
    /// Reads a SOURCE argument; `nil` for another kind's, and throws for one of this kind that is wrong.
    init?(_ text: String) throws(SourceError)
    /// The addresses that the user named with it, which may lie in the user's own network.
    var homes: [String] { get }
    /// How its hosts want to be treated.
    var manners: Manners { get }
    /// A word that changes when the same argument comes to mean other pages: a recipe's file was edited, say.
    var fingerprint: String { get }
    /// Opens the feed.
    func feed(through transfers: Transfers, options: FeedOptions) throws(SourceError) -> any Feed
}

extension SourceKind {
    static var names: [String] { [] }
    var homes: [String] { [] }
    var manners: Manners { Manners() }
    var fingerprint: String { "" }
}
