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

    /// Lists the pictures in a folder, by its whole path: it takes one who can tell a picture.
    public var listFiles: (@Sendable (_ folder: String) -> any Feed)?

    /// Makes the defaults.
    public init() {}
}
