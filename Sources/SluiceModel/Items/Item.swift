// SPDX-License-Identifier: MIT

/// One photo in one run.
///
/// Each item has exactly one ``ItemOutcome``.
public struct Item: Sendable, Hashable, Codable, Identifiable {
    /// The item's position in the mirror, in feed order from 1; it stays the same in later runs.
    public var seq: Int
    /// The feed's name.
    public var feed: String
    /// The number of the page that listed it.
    public var page: Int
    /// The photo as the feed describes it.
    public var photo: Photo

    /// Creates an item.
    public init(seq: Int, feed: String, page: Int, photo: Photo) {
        self.seq = seq
        self.feed = feed
        self.page = page
        self.photo = photo
    }

    /// The item's identity within its mirror: its ``seq``.
    public var id: Int { seq }
}

/// The outcome of an item.
public enum ItemOutcome: Sendable, Hashable {
    /// This run processed the item.
    case done(Receipt)
    /// An earlier run processed the item, and its files are present.
    case kept(Receipt)
    /// The item was left out on purpose, or the run ended first.
    case skipped(Receipt)
    /// The item failed.
    case failed(Receipt)

    /// The item's receipt.
    public var receipt: Receipt {
        switch self {
        case .done(let receipt), .kept(let receipt), .skipped(let receipt), .failed(let receipt): receipt
        }
    }
}
