// SPDX-License-Identifier: MIT

public import SluiceFeeds
public import SluiceImaging
public import SluiceModel

/// What a mirror run is asked to do; every option has the command's default.
public struct MirrorOptions: Sendable {
    /// How many pages to pull; `nil` pulls to the feed's end.
    public var pages: Int?
    /// How many photos to ask for on a page; `nil` asks for the feed's own number.
    public var perPage: Int?
    /// The rendition to download; `nil` takes the feed's own choice.
    public var variant: String?
    /// The feed's order, in its own word; `nil` takes its default.
    public var order: String?
    /// How many items to take at most.
    public var maxItems: Int?
    /// Whether hosts are asked for newer versions of what stands.
    public var refreshes = false
    /// The causes of failed items that a run takes up from the ledger, and nothing else; `nil` walks the feed.
    public var retriedCauses: CauseSet?
    /// How what the feed lists no more leaves the mirror; `nil` keeps it.
    public var prune: PruneOptions?
    /// Whether photos whose files were deleted are left out from then on, and not fetched again.
    public var leavesDeleted = false
    /// The least that a photo must measure, upright; smaller ones are skipped.
    public var minSize: ThumbnailSize?
    /// What a photo's width may be to its height, upright; others are skipped.
    public var aspect: ClosedRange<Double>?
    /// So many photos in a row that earlier runs did end the run: what is new in the feed stands first.
    public var stopAfterSeen: Int?
    /// Which of the feed's photos are wanted.
    public var selection = Selection()
    /// Where a list's addresses and ids stand.
    public var list = ListOptions()
    /// What thumbnails to make, and the limits that pictures must keep.
    public var thumbnails = ThumbnailOptions()
    /// How many items may be in flight.
    public var concurrency = 16
    /// Whether a run finds by its goodput how many items of those should be: it begins with ``firstWidth``.
    public var adaptsConcurrency = false
    /// How many transfers one host may have.
    public var perHost = 6
    /// What ends the run early.
    public var limits = RunLimits()
    /// How long one transfer may take in all.
    public var timeout = Duration.seconds(300)
    /// How many more attempts follow a failed one that may get better.
    public var retries = 3
    /// The most bytes an image may have.
    public var maxBytes = 64 << 20
    /// How the run goes about the network.
    public var network = NetworkOptions()
    /// How much memory what is in flight takes together: decodes, transfers' buffers, and events that wait for a reader.
    ///
    /// A photo whose decode alone takes more is refused.
    public var memory = 512 << 20
    /// Where photos are decoded; the command takes ``Isolation/ownWorkers``.
    public var isolation = Isolation.none
    /// Whether photos are decoded that ended their decoder twice.
    public var retriesQuarantined = false
    /// What Sluice calls itself; `nil` for its own name and version.
    public var userAgent: String?
    /// Whom a host may write to, an address or a mail; it stands behind the name.
    public var contact: String?
    /// Whether the service has permitted more than its terms allow everybody.
    public var hasPermission = false
    /// Further request headers, for the feed's own host alone.
    public var headers: [String] = []
    /// How new photos' files are named, such as `{collection}/{seq:05}-{slug}.{ext}`; `nil` for the default.
    public var name: String?
    /// What of the run's work outlives a power cut.
    public var durability = Durability.batch
    /// Whether originals stay on disk.
    public var keepsOriginals = true
    /// Whether the mirror's folder may be another user's that still others may write to.
    public var mayShareFolder = false
    /// Whether photos with the same bytes share them on the disk.
    public var sharesContent = true
    /// Whether the gallery is written.
    public var writesGallery = true
    /// What of the gallery's look is changed, from this run on.
    public var look = GalleryLook()
    /// A file for the run's course in Chrome's trace format; `nil` writes none.
    public var trace: String?
    /// A file for the run's numbers in Prometheus' text format, while it runs and at its end; `nil` writes none.
    public var metrics: String?
    /// The command's words, from its name on and without secrets: the ledger keeps them, so that a repair can ask again in
    /// the same way.
    public var words: [String] = []

    /// How many items are in flight at the beginning of a run that finds the number by itself...
    public static let firstWidth = 16
    /// ...and how many there may be in the end, unless less is wanted.
    public static let mostWidth = 256

    /// Makes the defaults.
    public init() {}
}

extension MirrorOptions {
    /// Whether photos are decoded that are in quarantine: who names the cause to be retried wants that, too.
    var liftsQuarantine: Bool { retriesQuarantined || retriedCauses?.contains(.quarantined) == true }

    /// Whether all of the feed is wanted, and not some pages or photos of it.
    var wantsAll: Bool {
        pages == nil && maxItems == nil && stopAfterSeen == nil && selection == Selection()
    }

    /// What decides which files a run makes, in one line for the ledger.
    var fingerprint: String {
        let sizes = thumbnails.sizes.map(\.description).joined(separator: ",")
        let made = "sizes=\(sizes) thumbnails=\(thumbnails.fingerprint)"
        return "variant=\(variant ?? "") originals=\(keepsOriginals) \(made)"
    }

    /// What decides which photos the feed's pages have on them, in one line for the ledger.
    var walk: String { "per-page=\(perPage.map(String.init) ?? "") order=\(order ?? "")" }
}
