// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A feed that a run reads, with the rules of its source.
package struct SourceFeed: Sendable {
    package var feed: any Feed
    /// The SOURCE, or the list in it, that its photos state; `nil` in a run that reads only this feed.
    package var source: String?
    /// A text that is the same for feeds whose ids mean the same photos.
    package var idScope: String
    /// The limits that its hosts and terms ask for.
    package var politeness: Politeness
    /// The maximum number of photos that a run takes from it; `nil` for all.
    package var cap: Int?

    /// The host of the SOURCE, whose pages name the photos; `nil` for the user's own lists.
    package var page: String?

    /// Creates the only feed of a run.
    package init(_ feed: any Feed, idScope: String = "", politeness: Politeness = Politeness()) {
        (self.feed, self.idScope, self.politeness) = (feed, idScope, politeness)
    }
}

extension [SourceFeed] {
    /// The names of the feeds, each once, in their order.
    package var names: [String] {
        var names: [String] = []
        for name in map(\.feed.name) where !names.contains(where: { $0 === name }) { names.append(name) }
        return names
    }
}
