// SPDX-License-Identifier: MIT

/// One reply of a feed: some photos, and the cursor of the next page.
public struct Page: Sendable, Hashable, Codable {
    /// The page's place in this walk, from 1.
    public var number: Int
    /// The photos in the feed's order.
    public var photos: [Photo]
    /// Where the feed goes on; `nil` at its end.
    public var next: Cursor?
    /// How many photos the feed says it has in all.
    public var total: Int?
    /// Whether the feed may go on behind it though it has no photo: all that it lists was passed over, say.
    public var mayBeEmpty = false
    /// What was odd about the reply and lost no photo but itself: a record without an id, say.
    public var notes: [String] = []

    /// Makes a page.
    public init(number: Int, photos: [Photo], next: Cursor? = nil, total: Int? = nil) {
        self.number = number
        self.photos = photos
        self.next = next
        self.total = total
    }
}

/// Where in a feed a page starts, in the feed's own terms: a page number, an address, an opaque string.
///
/// Only the feed that made a cursor understands it; everyone else keeps it, compares it, and hands it back.
public struct Cursor: Sendable, Hashable, Codable, RawRepresentable {
    /// The feed's own text.
    public var rawValue: String

    /// Makes a cursor of a feed's text.
    public init(rawValue: String) {
        self.rawValue = rawValue
    }
}
