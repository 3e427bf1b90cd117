// SPDX-License-Identifier: MIT

/// What a user may ask of a feed.
public struct FeedOptions: Sendable {
    /// How many photos to ask for on a page; `nil` for the feed's own number.
    public var perPage: Int?
    /// The order, in the feed's own word; `nil` for its default.
    public var order: String?
    /// Further request headers, for the feed's own host alone.
    public var headers: [String] = []
    /// Where a list's addresses and ids stand.
    public var list = ListOptions()

    /// Makes the defaults.
    public init() {}
}
