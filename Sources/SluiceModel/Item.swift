// SPDX-License-Identifier: MIT

/// One photo's way through a run.
///
/// It ends exactly once: see ``End``.
public struct Item: Sendable, Hashable, Codable, Identifiable {
    /// The item's place in the mirror, in the feed's order, from 1; the same in every later run.
    public var seq: Int
    /// The feed's name.
    public var feed: String
    /// The number of the page that listed it.
    public var page: Int
    /// What the feed said.
    public var photo: Photo

    /// Makes an item.
    public init(seq: Int, feed: String, page: Int, photo: Photo) {
        self.seq = seq
        self.feed = feed
        self.page = page
        self.photo = photo
    }

    /// The item's name within its mirror: its ``seq``.
    public var id: Int { seq }
}
