// SPDX-License-Identifier: MIT

internal import SluiceCookies
public import SluiceFeeds
public import SluiceImaging
public import SluiceModel

/// Options of a mirror run.
///
/// The defaults are those of the command.
@dynamicMemberLookup
public struct MirrorOptions: Sendable {
    /// The options that all kinds of runs share, also available as properties of this value.
    public var run = RunOptions()
    /// Who wrote the SOURCE: only the user's may be on a private network.
    package var sourceAuthor = Provenance.user
    /// The host names of SOURCEs that may not be on a private network, because the user has not confirmed that.
    package var publicNames: TextSet = []
    /// How many pages to load; `nil` for all.
    public var pages: Int?
    /// How many levels of links to follow from a web page, a listing or a site map.
    public var depth = 0
    /// Whether to read the pages behind the thumbnails of a web page.
    public var readsDetails = true
    /// Whether notes say why each picture of a web page is a photo, or is none.
    public var explainsPictures = false
    /// How many photos to request per page; `nil` for the feed's default.
    public var perPage: Int?
    /// The rendition to download; `nil` for the feed's default.
    public var variant: String?
    /// The order of the feed, as one of its own names; `nil` for its default.
    public var order: String?
    /// The maximum number of items.
    public var maxItems: Int?
    /// Whether to ask hosts for newer versions of existing photos.
    public var refreshes = false
    /// Retries only the failed items with these causes, without reading the feed; `nil` reads the feed.
    public var retriedCauses: CauseSet?
    /// How to remove photos that are no longer in the feed; `nil` keeps them.
    public var prune: PruneOptions?
    /// Whether to skip photos whose files were deleted, instead of downloading them again.
    public var skipsDeleted = false
    /// The minimum upright size of a photo.
    ///
    /// Smaller photos are skipped.
    public var minSize: ThumbnailSize?
    /// The allowed ratio of upright width to height.
    ///
    /// Other photos are skipped.
    public var aspect: ClosedRange<Double>?
    /// Ends the run after this many consecutive photos that earlier runs did.
    ///
    /// Useful if a feed lists new photos first.
    public var stopAfterSeen: Int?
    /// Which of the feed's photos to process.
    public var selection = Selection()
    /// Where a list has its URLs and IDs.
    public var list = ListOptions()
    /// The maximum number of items in flight.
    public var concurrency = 16
    /// Whether the run adjusts its concurrency to the throughput, starting with ``initialConcurrency``.
    public var adaptsConcurrency = false
    /// The maximum number of concurrent transfers per host.
    public var perHost = 6
    /// The maximum total time of one transfer.
    public var timeout = Duration.seconds(300)
    /// How often to retry a transfer whose failure may be temporary.
    public var retries = 3
    /// Network options.
    public var network = NetworkOptions()
    /// The value of the `User-Agent` header; `nil` for Sluice's name and version.
    public var userAgent: String?
    /// A URL or mail address by which hosts can contact the user.
    ///
    /// It is added to the default `User-Agent`.
    public var contact: String?
    /// Whether the service has permitted more than its terms allow.
    public var hasPermission = false
    /// Additional request headers.
    ///
    /// They are sent only to the feed's own host.
    public var headers: [String] = []
    /// A file with the user's cookies, as browsers' extensions, curl and yt-dlp write it; `nil` for none.
    public var cookieFile: String?
    /// The browser whose cookies are sent, `firefox` or `chromium:PROFILE`; `nil` for none.
    public var cookieBrowser: String?
    /// The browser that builds web pages with their scripts: a program, or ``anyBrowser``; `nil` to run no scripts.
    public var browser: String?
    /// The folder with the profile of that browser, which the user keeps for it; `nil` for a new one.
    public var browserProfile: String?
    /// The browser that is installed.
    package static let anyBrowser = "auto"
    /// The browsers whose cookies can be read.
    package static var cookieBrowsers: [String] { CookieSource.browsers.map(\.name) }
    /// The file name template for new photos, for example `{collection}/{seq:05}-{slug}.{ext}`; `nil` for the default.
    public var name: String?
    /// Whether to keep the originals.
    public var keepsOriginals = true
    /// Whether originals get the photo's date as their modification time.
    public var datesFiles = false
    /// Whether to write an XMP sidecar beside each original.
    public var writesSidecars = false
    /// Whether to keep originals of known formats that Sluice cannot decode, or not within the limits, without
    /// thumbnails.
    public var keepsUndecodable = true
    /// How much of each original to download if originals are not kept.
    public var fetch = Fetch.whole
    /// The file for a WARC with the HTTP exchanges of all photos, named `.warc` or `.warc.gz`; `nil` for none.
    public var archive: String?
    /// Whether new photos that are copies of others in the mirror are recorded as skipped instead of kept.
    public var skipsSimilar = false
    /// A file or an `https` address with the hashes of photos that must not be kept; `nil` for none.
    public var blocklist: String?
    /// Whether photos with identical bytes share their storage.
    public var sharesContent = true

    /// The concurrency at which an adaptive run starts.
    package static let initialConcurrency = 16
    /// The default maximum concurrency of an adaptive run.
    package static let maximumConcurrency = 256

    /// Makes the default options.
    public init() {}

    /// Accesses one of the shared options.
    public subscript<Value>(dynamicMember option: WritableKeyPath<RunOptions, Value>) -> Value {
        get { run[keyPath: option] }
        set { run[keyPath: option] = newValue }
    }
}

extension MirrorOptions {
    /// How much of an original to download.
    public enum Fetch: String, Sendable, Hashable, CaseIterable {
        /// The whole file.
        case whole
        /// Only the first bytes of the file, if they suffice for the thumbnails.
        case enough
    }

    /// Whether to decode photos in quarantine.
    ///
    /// Retrying the cause `quarantined` implies it.
    var liftsQuarantine: Bool { run.retriesQuarantined || retriedCauses?.contains(.quarantined) == true }

    /// Whether the run downloads only as much of an original as its thumbnails need.
    var stopsEarly: Bool { fetch == .enough && !keepsOriginals && !run.thumbnails.sizes.isEmpty }
}

/// The options of pruning: removing photos that a feed no longer lists.
public struct PruneOptions: Sendable, Hashable {
    /// The largest share of the photos that one run may remove, in percent.
    public var limit = 10.0
    /// Makes the default options.
    public init() {}
}

extension PruneOptions {
    /// The reason why removing `count` of `total` photos exceeds the limit; `nil` if it does not.
    package func refusal(of count: Int, of total: Int) -> String? {
        guard Double(count) * 100 > limit * Double(total) else { return nil }
        let limit = limit.rounded() == limit ? "\(Int(limit))" : "\(limit)"
        return
            "prune-refused: \(count) of \(total) photos would be removed (limit \(limit) %)"
    }
}
