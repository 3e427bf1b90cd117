// SPDX-License-Identifier: MIT

internal import SluiceModel
public import SluiceTransfer

/// What a SOURCE argument names: where photos are listed.
public struct Source: Sendable {
    /// Every kind of source, each in a file of its own; the first that knows an argument has it.
    static let kinds: [any SourceKind.Type] = [
        CatalogSource.self, IIIFSource.self, RecipeSource.self, FolderSource.self, SyndicationSource.self,
        ListSource.self,
    ]

    private let kind: any SourceKind

    /// Reads a SOURCE argument; throws for what no kind knows, and for what one knows and finds wrong.
    public init(_ text: String) throws(SourceError) {
        for kind in Self.kinds {
            guard let found = try kind.init(text) else { continue }
            self.kind = found
            return
        }
        if text.contains("/") || text.contains(".") {
            throw SourceError("\(Userinfo.split(text).url) is no file that can be read, and no address")
        }
        let near = hint(nearest(text, Self.names))
        let list = near.isEmpty ? "; `sluice feeds` lists what there is" : near
        throw SourceError("unknown source \(text)\(list)")
    }

    /// The words that a SOURCE may be, where it is a word.
    public static var names: [String] { kinds.flatMap { $0.names } }

    /// Whether it is the photo service inside Sluice, which whoever opens it has to start.
    public var isDemo: Bool { (kind as? RecipeSource)?.isDemo ?? false }

    /// Whether it is a folder, whose photos are files on this machine.
    public var isFolder: Bool { kind is FolderSource }

    /// Whether nobody is asked for its pages: they are read from what the user has.
    public var isAtHand: Bool { kind is ListSource || isFolder }

    /// The addresses that the user named with it: their origins may lie in the user's own network, their links not.
    public var homes: [WebAddress] { kind.homes.compactMap { WebAddress($0) } }

    /// How its hosts want to be treated.
    public var manners: Manners { kind.manners }

    /// A word that changes when the same argument comes to mean other pages.
    public var fingerprint: String { kind.fingerprint }

    /// Opens the feed.
    public func feed(through transfers: Transfers, options: FeedOptions) throws(SourceError) -> any Feed {
        try kind.feed(through: transfers, options: options)
    }
}
