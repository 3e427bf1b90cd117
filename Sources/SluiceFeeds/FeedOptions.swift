// SPDX-License-Identifier: MIT

/// The user's options for reading a feed.
public struct FeedOptions: Sendable {
    /// The number of photos to request per page; `nil` for the feed's default.
    public var perPage: Int?
    /// The sort order, in the service's own term; `nil` for its default.
    public var order: String?
    /// Additional request headers, sent to the feed's own host only.
    public var headers: [String] = []
    /// Which columns of a list hold addresses and ids.
    public var list = ListOptions()

    /// Creates a feed of the image files in a folder, given its absolute path.
    ///
    /// The caller supplies it because this module cannot recognise image files.
    public var makeFolderFeed: (@Sendable (_ folder: String) -> any Feed)?

    /// Opens sources in buckets; `nil` if there is no support for them.
    public var buckets: (any BucketOpening)?

    /// Creates the default options.
    public init() {}
}

/// The user's options for reading a list.
public struct ListOptions: Sendable, Hashable {
    /// The column or JSON member that holds the photos' addresses; `nil` detects it by name.
    public var urlColumn: String?
    /// The column or JSON member that holds the photos' ids; `nil` detects it by name.
    public var idColumn: String?
    /// The column or JSON member that holds the photos' captions; `nil` detects it by name.
    public var captionColumn: String?

    /// Creates the default options.
    public init() {}
}
