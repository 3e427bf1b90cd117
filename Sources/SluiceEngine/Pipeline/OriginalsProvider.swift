// SPDX-License-Identifier: MIT

package import SluiceFiles
package import SluiceModel
package import SluiceTransfer

/// Provides the bytes of originals: from hosts, from a folder, or from files that another tool downloaded.
package protocol OriginalsProvider: Sendable {
    /// Whether existing originals are compared with the current ones before they are kept.
    var revalidatesExisting: Bool { get }
    /// Whether originals come from hosts.
    var usesNetwork: Bool { get }
    /// A provider of the same originals that never stops at a part of one.
    var ofWholeFiles: any OriginalsProvider { get }
    /// The size of an original that no later run would resume; `nil` if one would, or if the size is not known.
    func sizeOfCopy(of variant: Variant) -> Int?
    /// Writes the bytes of an original to a partial file.
    ///
    /// `earlyCheck` may reject it after the first bytes. `arrivalCheck` validates the complete file.
    func fetch(
        _ variant: Variant, of item: Item, into partial: PartialFile, unless known: CachedVersion?,
        slot: WorkPool.Slot, earlyCheck: @escaping EarlyCheck, checking arrivalCheck: ArrivalCheck
    ) async throws(Failure) -> DownloadResult
}

extension OriginalsProvider {
    package func sizeOfCopy(of variant: Variant) -> Int? { nil }
    package var ofWholeFiles: any OriginalsProvider { self }
}

/// Downloads originals from the hosts that a feed names.
package struct NetworkOriginals: OriginalsProvider {
    private(set) var options: MirrorOptions
    let respectsRobotsTxt: Bool
    let transfers: Transfers
    let recorder: EventRecorder

    package init(
        options: MirrorOptions, respectsRobotsTxt: Bool, transfers: Transfers, recorder: EventRecorder
    ) {
        self.options = options
        self.respectsRobotsTxt = respectsRobotsTxt
        self.transfers = transfers
        self.recorder = recorder
    }

    package var revalidatesExisting: Bool { options.refreshes }
    package var usesNetwork: Bool { true }

    package var ofWholeFiles: any OriginalsProvider {
        var provider = self
        provider.options.fetch = .whole
        return provider
    }

    package func fetch(
        _ variant: Variant, of item: Item, into partial: PartialFile, unless known: CachedVersion?,
        slot: WorkPool.Slot, earlyCheck: @escaping EarlyCheck, checking arrivalCheck: ArrivalCheck
    ) async throws(Failure) -> DownloadResult {
        var request = Request(variant.address, limit: options.maxBytes, timeout: options.timeout)
        request.cachedVersion = known
        request.respectsRobotsTxt = respectsRobotsTxt
        request.respectsOptOut = options.network.respectsOptOut
        return try await transfers.download(
            request, into: partial, slot: slot, earlyCheck: earlyCheck, prefix: prefix(of: variant)
        ) {
            recorder.record(Event($0, of: item))
        } checking: { (response) throws(Failure) in
            // The check needs the slot, but no longer the host.
            slot.releaseHost()
            try arrivalCheck.validate(response)
        }
    }

    /// Makes the reader that stops the download early, if the options allow it; a checksum needs the whole file.
    private func prefix(of variant: Variant) -> ThumbnailPrefix? {
        options.stopsEarly && variant.checksum == nil ? ThumbnailPrefix(options.thumbnails) : nil
    }
}

/// Copies originals from the files of a folder.
package struct FolderOriginals: OriginalsProvider {
    let options: MirrorOptions

    package init(
        options: MirrorOptions
    ) {
        self.options = options
    }

    /// Comparing the status of a file is cheap.
    package var revalidatesExisting: Bool { true }
    package var usesNetwork: Bool { false }

    package func sizeOfCopy(of variant: Variant) -> Int? { LocalFile(variant.url, followsLink: true).size }

    package func fetch(
        _ variant: Variant, of item: Item, into partial: PartialFile, unless known: CachedVersion?,
        slot: WorkPool.Slot, earlyCheck: @escaping EarlyCheck, checking arrivalCheck: ArrivalCheck
    ) async throws(Failure) -> DownloadResult {
        let file = LocalFile(variant.url, followsLink: variant.name == FileFeed.named)
        return try file.copy(
            into: partial, limit: options.maxBytes, unless: options.refreshes ? nil : known?.etag, token: slot.token,
            earlyCheck: earlyCheck)
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
