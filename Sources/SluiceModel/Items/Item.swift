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

    package init(seq: Int, feed: String, page: Int, photo: Photo) {
        (self.seq, self.feed, self.page, self.photo) = (seq, feed, page, photo)
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

/// A change to one item of a mirror between two runs.
public struct ItemChange: Sendable, Hashable {
    /// A kind of change.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The item was done for the first time, or its feed lists it again.
        case new
        /// The file has other bytes.
        case changed
        /// The feed no longer lists the item.
        case gone
    }

    /// The item's position in the mirror.
    public var item: Int
    /// The kind of change.
    public var kind: Kind
    /// The file's path relative to the mirror; without a file, the item's former name or its id.
    public var name: String

    package init(item: Int, kind: Kind, name: String) {
        (self.item, self.kind, self.name) = (item, kind, name)
    }
}
