// SPDX-License-Identifier: MIT

/// One page of a feed: photos, and the cursor of the next page.
package struct Page: Sendable, Hashable, Codable {
    /// The page's number in this walk, from 1.
    package var number: Int
    /// The photos, in feed order.
    package var photos: [Photo]
    /// The cursor of the next page; `nil` on the last page.
    package var next: Cursor?
    /// The total number of photos that the feed reports.
    package var total: Int?
    /// The share of the source that ends with this page, from 0 to 1, if the feed knows that instead of the total.
    package var share: Double?
    /// Whether the feed may continue even if this page has no photos, for example because all of them were filtered
    /// out.
    package var mayBeEmpty = false
    /// The name of the feed that lists the photos, if the run reads several feeds.
    package var feed: String?
    /// The SOURCE arguments whose ids mean the same photos as those on this page.
    package var peers: [String] = []
    /// Whether the photos are rows of the user's list: a row that repeats an id with other addresses or another
    /// caption is a photo of its own.
    package var hasRows = false
    /// Notes on oddities in the reply that affect single records, for example a record without an id.
    package var notes: [String] = []

    package init(number: Int, photos: [Photo], next: Cursor? = nil, total: Int? = nil) {
        (self.number, self.photos, self.next, self.total) = (number, photos, next, total)
    }
}

/// The start of a page in a feed: a page number, an address or an opaque string.
///
/// Only the feed that created a cursor interprets it; other code stores it, compares it and passes it back.
package struct Cursor: Sendable, Hashable, Codable, RawRepresentable {
    /// The text in the feed's format.
    package var rawValue: String

    /// The number of photos before the page, in cursors that are one; `nil` in others.
    package var position: Int? { Int(rawValue)?.within(Quantity.range) }

    package init(rawValue: String) {
        self.rawValue = rawValue
    }

    /// Whether both cursors have the same bytes.
    package static func == (left: Cursor, right: Cursor) -> Bool { left.rawValue === right.rawValue }

    package func hash(into hasher: inout Hasher) { ExactText(rawValue).hash(into: &hasher) }
}

/// A description of a photo service that Sluice supports.
public struct ServiceInfo: Sendable, Hashable {
    /// The name, as used in a SOURCE argument.
    public var name: String
    /// A one-line description.
    public var about: String
    /// The forms of its listings, for example `unsplash:search/lakes`; the first one is the default.
    public var listings: [String]
    /// The environment variable with the API key, if the service uses one.
    public var keyVariable: String?
    /// The address of the page that issues keys.
    public var keyAddress: String?
    /// Whether the service requires a key.
    public var needsKey = false
    /// The names of its photos' variants.
    public var variants: [String]
    /// The default variant; alternatives are separated by `|`, and the first match wins.
    public var defaultVariant: String
    /// The limit of photos per run, unless the user allows more.
    public var cap: Int?
    /// A summary of the service's rules.
    public var rules: String?
    /// The address of the terms of use.
    public var terms: String?
    /// The bytes of the recipe.
    public var recipe: [UInt8]

    package init(
        name: String, about: String, listings: [String], variants: [String], defaultVariant: String, recipe: [UInt8]
    ) {
        (self.name, self.about, self.listings, self.variants) = (name, about, listings, variants)
        (self.defaultVariant, self.recipe) = (defaultVariant, recipe)
    }
}
