// SPDX-License-Identifier: MIT

package import SluiceBrowser
package import SluiceModel

/// A source of photos that is read page by page: a photo service, a list, an RSS feed.
package protocol Feed: Sendable {
    /// The feed's name in the manifest.
    var name: String { get }
    /// The variant to download unless the user chooses another.
    var defaultVariant: String { get }
    /// Loads the page at a cursor from an earlier page, or the first page if the cursor is `nil`.
    func page(_ number: Int, at cursor: Cursor?, token: CancellationToken) async throws(Failure) -> Page
    /// Reports a photo's download to the service, if the service requires that.
    func reportDownload(of photo: Photo, token: CancellationToken) async throws(Failure)
    /// The maximum number of pages to load; `nil` if the feed is known to be finite.
    var maxPages: Int? { get }
}

extension Feed {
    /// Does nothing: most services do not require download reports.
    package func reportDownload(of photo: Photo, token: CancellationToken) async throws(Failure) {}

    /// 10,000, so that a remote feed without an end cannot keep a run going.
    package var maxPages: Int? { 10_000 }
}

/// The user's options for reading a feed.
package struct FeedOptions: Sendable {
    /// The number of photos to request per page; `nil` for the feed's default.
    package var perPage: Int?
    /// The sort order, in the service's own term; `nil` for its default.
    package var order: String?
    /// How many levels of links to follow from a web page, a listing or a site map.
    package var depth = 0
    /// Whether the pages behind the thumbnails of a web page are read.
    package var readsDetails = true
    /// Whether notes say why each picture of a web page is a photo, or is none.
    package var explainsPictures = false
    /// Whether linked pages are requested only if `robots.txt` allows them.
    package var respectsRobotsTxt = true
    /// Whether pages may forbid taking their pictures and following their links.
    package var respectsOptOut = true
    /// The width and height in pixels below which the pictures of a web page count as icons.
    package var iconSize: (width: Int, height: Int) = (iconSide, iconSide)
    /// The width and height without the user's choice.
    static let iconSide = 100
    /// Which columns of a list hold addresses and ids.
    package var list = ListOptions()
    /// Who named the source; a list that someone else names sets no request headers.
    package var author = Provenance.user
    /// The options of a list that the author of the source named.
    var ownList: ListOptions {
        var list = list
        list.readsHeaders = author == .user
        return list
    }

    /// The options of lists that are read as one.
    var joinedLists: FeedOptions {
        var options = self
        options.list.acceptsEmpty = true
        return options
    }

    /// Creates a feed of image files and of those in folders, given their absolute paths.
    ///
    /// The caller supplies it because this module cannot recognise image files.
    package var makeFolderFeed: (@Sendable (_ paths: [String]) -> any Feed)?

    /// Creates the feeds of the photos in a mirror, given its path.
    package var makeMirrorFeeds: (@Sendable (_ path: String) throws(SourceError) -> [SourceFeed])?

    /// The browser that builds web pages with their scripts; `nil` to read them as they are sent.
    package var browser: InstalledBrowser?

    /// Opens sources in buckets; `nil` if there is no support for them.
    package var buckets: (any BucketOpening)?

    package init() {}
}

/// The user's options for reading a list.
public struct ListOptions: Sendable, Hashable {
    /// The column or JSON member that holds the photos' addresses; `nil` detects it by name.
    public var urlColumn: String?
    /// The column or JSON member that holds the photos' ids; `nil` detects it by name.
    public var idColumn: String?
    /// The column or JSON member that holds the photos' captions; `nil` detects it by name.
    public var captionColumn: String?
    /// The columns or JSON members to keep that are no photo field; `nil` keeps all.
    public var keptColumns: [String]?

    /// Whether its records may set request headers; only lists of the user may.
    var readsHeaders = false
    /// Whether a list without photos is no error, because it is one of several that are read as one.
    var acceptsEmpty = false

    /// Creates the default options.
    public init() {}
}

/// The limits that a source's hosts and terms ask for; an unset limit is left to the user.
package struct Politeness: Sendable, Hashable {
    /// The maximum number of concurrent transfers per host, even if the user allows more.
    package var perHost: Int?
    /// The minimum time between two requests, by host.
    package var intervals: [String: Duration] = [:]
    /// The number of bytes per second that all transfers together may receive, even if the user allows more.
    package var bandwidth: Int?
    /// Whether to honour `robots.txt` on the photos' hosts by default.
    package var respectsRobotsTxt = false
    /// The maximum number of photos per run without the service's permission for more.
    package var cap: Int?
    /// Whether the service requires contact details in the user agent.
    package var needsContact = false
    /// The address of the service's terms.
    package var terms: String?

    package init() {}
}
