// SPDX-License-Identifier: MIT

internal import SluiceFeeds
internal import SluiceLedger
public import SluiceModel

/// The result of a dry run: what a run would download, counted without requests to photo hosts or changes on disk.
public struct DryRunReport: Sendable, Hashable {
    /// The number of photos that would be downloaded.
    public internal(set) var photos = 0
    /// The number of records that could not be downloaded, because they are invalid.
    public internal(set) var failed = 0
    /// The number of pages read.
    public internal(set) var pages = 0
    /// Why reading stopped before the end of the feed; `nil` if it did not.
    public internal(set) var failure: Failure?
    /// Remarks on the pages that cost no photo.
    public internal(set) var notes: [String] = []
}

extension PhotoMirror {
    /// Reads the feed as a run would, and passes `write` a manifest line for each photo that the run would process.
    ///
    /// Creates no folder and reads no ledger, so photos that an earlier run finished are included. Ends early when
    /// `write` returns false or ``stop(_:)`` is called.
    public func dryRun(writing write: ([UInt8]) -> Bool) async throws(MirrorError) -> DryRunReport {
        let session = try FeedSession(source, options: options, width: 1, token: lifecycle.token)
        var prefetcher = PagePrefetcher(PageWalker(session.feed, limit: options.pages), token: lifecycle.token)
        var selector = PhotoSelector(options.selection)
        var report = DryRunReport()
        var lines = DryRunLines(feed: session.feed.name, variant: options.variant ?? session.feed.defaultVariant)
        do throws(Failure) {
            while !selector.isFinished, let number = prefetcher.nextPageNumber, var page = try await prefetcher.next() {
                let listed = page.photos.count
                selector.apply(to: &page)
                report.pages = number
                report.notes += page.notes
                try prefetcher.recordNewPhotos(count: listed)
                let wanted = (options.maxItems ?? .max) - report.photos - report.failed
                let isMore = page.photos.count < wanted && !selector.isFinished
                // The next page loads while these lines are written.
                if isMore { prefetcher.prefetch() }
                for photo in page.photos.prefix(wanted) { lines.add(photo, page: number, to: &report) }
                guard lines.lines.flush(to: write), isMore else { break }
            }
        } catch {
            report.failure = error
        }
        prefetcher.cancel()
        return report
    }
}

/// Formats photos as manifest lines: deferred, or failed if they are already known to be invalid.
private struct DryRunLines {
    let feed: String
    let variant: String
    var lines = ManifestLines()
    private var seq = 0

    init(feed: String, variant: String) {
        self.feed = feed
        self.variant = variant
    }

    mutating func add(_ photo: Photo, page: Int, to report: inout DryRunReport) {
        var receipt = Receipt(.skipped, failure: Failure(.deferred, ""))
        if let invalidReason = photo.invalidReason {
            receipt.end(with: invalidReason)
        } else if let variant = photo.variant(named: variant) {
            receipt.begin(variant, of: photo)
        } else {
            receipt.end(with: Failure(.policy, "the photo has no variant '\(variant)'"))
        }
        if receipt.state == .failed { report.failed += 1 } else { report.photos += 1 }
        seq += 1
        lines.add(Item(seq: seq, feed: feed, page: page, photo: photo), receipt)
    }
}

extension ManifestLines {
    /// Passes the lines added since the last call to `write`, and returns its answer: false to stop.
    mutating func flush(to write: ([UInt8]) -> Bool) -> Bool {
        defer { removeAll() }
        return write(bytes)
    }
}
