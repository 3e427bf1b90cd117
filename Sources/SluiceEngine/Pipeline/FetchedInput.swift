// SPDX-License-Identifier: MIT

internal import SluiceFeeds
package import SluiceFiles
package import SluiceModel
package import SluiceTransfer

/// Delivers the bytes of originals, which are written to partial files and checked.
package protocol FetchedInput: Sendable {
    /// Whether originals come from hosts.
    var usesNetwork: Bool { get }
    /// The size below which originals are skipped as icons, unless the user sets another; `nil` for none.
    var iconSize: (width: Int, height: Int)? { get }
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
}

extension FetchedInput {
    package var usesNetwork: Bool { false }
    package var iconSize: (width: Int, height: Int)? { nil }
    package var ofWholeFiles: any FetchedInput { self }
    package func sizeOfCopy(of variant: Variant) -> Int? { nil }
    package func reportDownload(of photo: Photo, token: CancellationToken) async throws(Failure) {}
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
    /// Validates the complete file.
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

    init(of session: FeedSession, _ options: MirrorOptions) {
        self.options = options
        respectsRobotsTxt = session.respectsRobotsTxt
        (transfers, feed) = (session.transfers, session.feed)
    }

    var usesNetwork: Bool { true }
    var iconSize: (width: Int, height: Int)? { feed.iconSize }

    var ofWholeFiles: any FetchedInput {
        var input = self
        input.options.fetch = .whole
        return input
    }

    func isCurrent(_ variant: Variant, as known: CachedVersion?) -> Bool { !options.refreshes }

    func fetch(_ fetch: FetchRequest, of item: Item) async throws(Failure) -> DownloadResult {
        var request = Request(fetch.variant.address, limit: fetch.limit, timeout: options.timeout)
        request.cachedVersion = fetch.known
        request.respectsRobotsTxt = respectsRobotsTxt
        request.respectsOptOut = options.network.respectsOptOut
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

    /// Makes the reader that stops the download early, if the options allow it; a checksum needs the whole file.
    private func prefix(of variant: Variant) -> ThumbnailPrefix? {
        options.stopsEarly && variant.checksum == nil ? ThumbnailPrefix(options.thumbnails) : nil
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
    /// What the feed's photos are made from.
    package func input(_ options: MirrorOptions) -> ItemInput {
        if isFolder { return .fetched(FolderInput(refreshes: options.refreshes)) }
        if let bucketFeed { return .fetched(BucketInput(feed: bucketFeed, refreshes: options.refreshes)) }
        return .fetched(NetworkInput(of: self, options))
    }
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
