// SPDX-License-Identifier: MIT

/// What a run did, in numbers.
public struct Summary: Sendable, Hashable {
    /// Pages that the feed yielded.
    public var pages = 0
    /// Pages that could not be had.
    public var failedPages = 0
    /// Items that this run did.
    public var done = 0
    /// Items that an earlier run had done.
    public var kept = 0
    /// Items left out on purpose.
    public var skipped = 0
    /// Items that could not be done.
    public var failed = 0
    /// Thumbnails that this run made.
    public var thumbs = 0
    /// Bytes that this run's originals arrived with.
    public var bytesReceived = 0
    /// Announced bytes that did not come, because the first ones had shown that they are not wanted.
    public var bytesSaved = 0
    /// Bytes of thumbnails that this run wrote.
    public var thumbBytes = 0
    /// Items done or kept whose file is damaged, and that show what could be salvaged of it.
    public var salvaged = 0
    /// Oddities of files that did no harm.
    public var notes = 0
    /// How often each cause ended an item or a page.
    public var causes: [Cause: Int] = [:]
    /// Why the first page that could not be had could not be had.
    public var pageFailure: Failure?
    /// Why the run stopped early, if it did.
    public var stop: StopReason?
    /// Wall-clock time from the first event to the last.
    public var duration = Duration.zero

    /// The most memory that the run's processes had together, in bytes, as far as looks four times a second tell.
    public var peakMemory = 0

    /// Makes an empty summary.
    public init() {}

    /// Items that have ended.
    public var ended: Int { done + kept + skipped + failed }

    /// Counts one event in; the only way in which a summary grows.
    public mutating func count(_ event: Event) {
        switch event {
        case .pageLoaded: pages += 1
        case .pageFailed(_, let failure):
            failedPages += 1
            causes[failure.cause, default: 0] += 1
            pageFailure = pageFailure ?? failure
        case .itemNoted: notes += 1
        case .itemEnded(_, let end): count(end)
        case .stopping(let reason): stop = stop ?? reason
        default: break
        }
    }

    private mutating func count(_ end: End) {
        switch end {
        case .done(let receipt):
            done += 1
            bytesReceived += receipt.original?.bytes ?? 0
            thumbs += receipt.thumbs.count
            thumbBytes += receipt.thumbs.reduce(0) { $0 + $1.file.bytes }
        case .kept: kept += 1
        case .skipped: skipped += 1
        case .failed: failed += 1
        }
        guard let failure = end.receipt.failure else { return }
        if end.receipt.state == .done { salvaged += 1 } else { causes[failure.cause, default: 0] += 1 }
        bytesSaved += failure.savedBytes ?? 0
    }
}
