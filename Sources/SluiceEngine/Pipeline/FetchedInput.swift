// SPDX-License-Identifier: MIT

internal import SluiceFeeds
package import SluiceFiles
package import SluiceModel
package import SluiceTransfer

/// Delivers the bytes of originals, which are written to partial files and checked.
package protocol FetchedInput: Sendable {
    /// Whether originals come from hosts.
    var usesNetwork: Bool { get }
    /// The number of concurrent transfers per host that the source of the originals allows; `nil` for the user's.
    var perHost: Int? { get }
    /// The same input, but it never stops at a part of an original.
    var ofWholeFiles: any FetchedInput { get }
    /// Whether the original of an earlier run, stored as `known`, is current without transferring anything.
    ///
    /// Otherwise ``fetch(_:of:)`` finds that out.
    func isCurrent(_ variant: Variant, as known: CachedVersion?) -> Bool
    /// The size of an original that no later run would resume; `nil` if one would, or if the size is not known.
    func sizeOfCopy(of variant: Variant) -> Int?
    /// Writes the bytes of an original to a partial file.
    func fetch(_ request: FetchRequest, of item: Item) async throws(Failure) -> DownloadResult
    /// Reports a download to its service, if the service requires that.
    func reportDownload(of photo: Photo, token: CancellationToken) async throws(Failure)
    /// A text that is the same for originals with the same bytes, which the run downloads once; `nil` for others.
    func sharedAddress(of variant: Variant) -> String?
}

extension FetchedInput {
    package var usesNetwork: Bool { false }
    package var perHost: Int? { nil }
    package var ofWholeFiles: any FetchedInput { self }
    package func sizeOfCopy(of variant: Variant) -> Int? { nil }
    package func reportDownload(of photo: Photo, token: CancellationToken) async throws(Failure) {}
    package func sharedAddress(of variant: Variant) -> String? { nil }
}

/// What a ``FetchedInput`` needs to write an original to a partial file.
package struct FetchRequest: Sendable {
    package let variant: Variant
    package let partial: PartialFile
    /// The maximum number of bytes.
    package let limit: Int
    /// The version for a conditional request.
    package let known: CachedVersion?
    package let slot: WorkPool.Slot
    /// May reject the original after the first bytes.
    package let earlyCheck: EarlyCheck
    /// Decide about the complete original, too.
    let rules: AcceptanceRules
    package let arrivalCheck: ArrivalCheck
    /// Receives the events of the transfer.
    let record: @Sendable (Event) -> Void
}

/// Downloads originals from the hosts that a feed names.
struct NetworkInput: FetchedInput {
    private var options: MirrorOptions
    private let respectsRobotsTxt: Bool
    private let transfers: Transfers
    private let feed: any Feed
    private let page: String?

    let perHost: Int?

    init(of feed: SourceFeed, in session: FeedSession, _ options: MirrorOptions) {
        self.options = options
        respectsRobotsTxt = options.network.respectsRobotsTxt ?? feed.politeness.respectsRobotsTxt
        perHost = session.feeds.count > 1 ? feed.politeness.perHost : nil
        (transfers, self.feed, page) = (session.transfers, feed.feed, feed.page)
    }

    var usesNetwork: Bool { true }

    var ofWholeFiles: any FetchedInput {
        var input = self
        input.options.fetch = .whole
        return input
    }

    func isCurrent(_ variant: Variant, as known: CachedVersion?) -> Bool { !options.refreshes }

    func fetch(_ fetch: FetchRequest, of item: Item) async throws(Failure) -> DownloadResult {
        var request = Request(for: fetch.variant, limit: fetch.limit, timeout: options.timeout)
        request.cachedVersion = fetch.known
        request.page = page
        request.referrer = item.photo.pageURL
        request.respectsRobotsTxt = respectsRobotsTxt
        request.respectsOptOut = options.network.respectsOptOut
        request.isRecorded = options.archive != nil
        return try await transfers.download(
            request, into: fetch.partial, slot: fetch.slot, earlyCheck: fetch.earlyCheck,
            prefix: prefix(of: fetch.variant)
        ) {
            fetch.record(Event($0, of: item))
        } checking: { (response) throws(Failure) in
            // The check needs the slot, but no longer the host.
            fetch.slot.releaseHost()
            try fetch.arrivalCheck.validate(response)
        }
    }

    func reportDownload(of photo: Photo, token: CancellationToken) async throws(Failure) {
        try await feed.reportDownload(of: photo, token: token)
    }

    /// Headers may change the reply, and another source may not obey robots.txt.
    func sharedAddress(of variant: Variant) -> String? {
        variant.headers.isEmpty ? "\(respectsRobotsTxt) \(variant.address)" : nil
    }

    /// Makes the reader that stops the download early, if the options allow it; a checksum needs the whole file.
    private func prefix(of variant: Variant) -> ThumbnailPrefix? {
        options.stopsEarly && options.archive == nil && variant.checksum == nil
            ? ThumbnailPrefix(options.thumbnails) : nil
    }
}

/// Copies originals that a browser has received, and downloads the others.
struct TrafficInput: FetchedInput {
    let traffic: TrafficFeed
    var network: NetworkInput

    var usesNetwork: Bool { true }
    var perHost: Int? { network.perHost }
    func isCurrent(_ variant: Variant, as known: CachedVersion?) -> Bool { network.isCurrent(variant, as: known) }

    func fetch(_ fetch: FetchRequest, of item: Item) async throws(Failure) -> DownloadResult {
        guard let path = traffic.file(of: fetch.variant.url) else { return try await network.fetch(fetch, of: item) }
        let result = try LocalFile(path, followsLink: false).copy(
            into: fetch.partial, limit: fetch.limit, unless: nil, token: fetch.slot.token, earlyCheck: fetch.earlyCheck)
        guard case .complete(var response) = result else { return result }
        (response.url, response.headers) = (fetch.variant.url, HeaderFields())
        return .complete(response)
    }
}

/// Copies originals from the files of a folder that the user named.
struct FolderInput: FetchedInput {
    let refreshes: Bool

    func isCurrent(_ variant: Variant, as known: CachedVersion?) -> Bool {
        guard !refreshes, let tag = known?.etag else { return false }
        return file(of: variant).entityTag === tag
    }

    func sizeOfCopy(of variant: Variant) -> Int? { LocalFile(variant.url, followsLink: true).size }

    func fetch(_ fetch: FetchRequest, of item: Item) async throws(Failure) -> DownloadResult {
        try file(of: fetch.variant).copy(
            into: fetch.partial, limit: fetch.limit, unless: refreshes ? nil : fetch.known?.etag,
            token: fetch.slot.token, earlyCheck: fetch.earlyCheck)
    }

    private func file(of variant: Variant) -> LocalFile {
        LocalFile(variant.url, followsLink: variant.name == FileFeed.named)
    }
}

extension FeedSession {
    /// What each photo is made from, by its feed.
    package func input(_ options: MirrorOptions) -> @Sendable (Item) -> ItemInput? {
        let inputs = feeds.map { input(of: $0, options) }
        guard inputs.count > 1 else { return { _ in inputs[0] } }
        let sources = TextMap(zip(feeds, inputs).compactMap { feed, input in feed.source.map { ($0, input) } })
        let names = TextMap(zip(feeds, inputs).map { feed, input in (feed.feed.name, input) })
        let known = TextMap(feeds.compactMap { feed in feed.source.map { ($0, feed.feed.name) } })
        let files = zip(feeds, inputs).compactMap { feed, input in (feed.feed as? any FileListing).map { ($0, input) } }
        return { item in
            if let source = item.photo.source, known[source].map({ $0 === item.feed }) == true {
                return sources[source]
            }
            // Folders and buckets have feeds of the same name.
            let url = item.photo.variants.first?.url ?? ""
            let own = files.first { feed, _ in feed.name === item.feed && feed.mayList(url) }
            return own?.1 ?? names[item.feed] ?? inputs[0]
        }
    }

    private func input(of feed: SourceFeed, _ options: MirrorOptions) -> ItemInput {
        if let own = feed.feed as? any FileListing { return .fetched(own.input(refreshes: options.refreshes)) }
        let network = NetworkInput(of: feed, in: self, options)
        let traffic = (feed.feed as? RedactedFeed)?.feed as? TrafficFeed
        return .fetched(traffic.map { TrafficInput(traffic: $0, network: network) } ?? network)
    }
}

/// A feed of files that the user owns, which are copied instead of downloaded from hosts.
protocol FileListing: Feed {
    /// Whether a URL is that of a file that this feed may list.
    func mayList(_ url: String) -> Bool
    func input(refreshes: Bool) -> any FetchedInput
}

extension FileFeed: FileListing {
    func mayList(_ url: String) -> Bool { url.hasPrefix("/") }
    func input(refreshes: Bool) -> any FetchedInput { FolderInput(refreshes: refreshes) }
}

extension MirrorFeed: FileListing {
    func mayList(_ url: String) -> Bool { false }
    func input(refreshes: Bool) -> any FetchedInput { MirrorInput(origin: origin, refreshes: refreshes) }
}

extension BucketFeed: FileListing {
    func mayList(_ url: String) -> Bool { (try? find(url)) != nil }
    func input(refreshes: Bool) -> any FetchedInput { BucketInput(feed: self, refreshes: refreshes) }
}

extension Event {
    /// Makes the run's event for an event of an item's transfer.
    init(_ event: TransferEvent, of item: Item) {
        switch event {
        case .retried(let attempt, let failure, let delay):
            self = .itemRetried(item, attempt: attempt, failure, delay: delay)
        case .progressed(let bytes, let total): self = .itemProgressed(item, bytes: bytes, total: total)
        case .hostPaused(let host, let duration, let failure): self = .hostPaused(host, duration, failure)
        case .hostGivenUp(let host, let failure): self = .hostGivenUp(host, failure)
        }
    }
}
