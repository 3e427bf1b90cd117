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

/// A file in an adopted folder, and how it compares with the photos.
public struct FoundFile: Sendable, Hashable, Codable {
    /// The result of the comparison.
    public enum Verdict: String, Sendable, Hashable, Codable, CaseIterable {
        /// The file belongs to photos that lack a file.
        case match
        /// The file belongs to a photo that already has one.
        case needless
        /// The file fits several photos, or several files fit one photo; Sluice does not guess.
        case ambiguous
        /// The file belongs to no photo.
        case unknown
    }

    /// The property that identified a file, the strongest first.
    public enum Basis: String, Sendable, Hashable, Codable, CaseIterable {
        /// The hash stated by the feed, or recorded for a file that is now missing.
        case hash
        /// The photo's full address, recorded next to the file by the other tool.
        case address
        /// The last parts of the address's path.
        case name
        /// The feed's id for the photo.
        case id
    }

    /// The path relative to the folder.
    public var path: String
    /// The result of the comparison with the photos.
    public var verdict: Verdict
    /// The property that identified the file; `nil` for an unknown file.
    public var basis: Basis?
    /// The positions of the photos in the mirror; only the first ones if many fit.
    public var items: [Int]

    package init(_ path: String) {
        self.path = path
        verdict = .unknown
        items = []
    }
}
