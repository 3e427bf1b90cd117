// SPDX-License-Identifier: MIT

public import SluiceEngine
internal import SluiceFeeds
internal import SluiceLedger
public import SluiceModel

/// The counts of a dry run, which sends no request to photo hosts and changes no file.
public struct DryRunReport: Sendable, Hashable {
    /// The number of photos that would be downloaded.
    public internal(set) var photos = 0
    /// The number of records that could not be downloaded, because they are invalid.
    public internal(set) var failed = 0
    /// The number of pages read.
    public internal(set) var pages = 0
    /// The reason why reading stopped before the end of the feed; `nil` if it did not.
    public internal(set) var failure: Failure?
    /// Notes about the pages, which affect no photo.
    public internal(set) var notes: [String] = []
}

extension PhotoMirror {
    /// Reads the feed as a run would, and passes `write` a manifest line for each photo that the run would process.
    ///
    /// Creates no folder and reads no ledger, so photos that an earlier run finished are included. Ends early when
    /// `write` returns false or `stop(_:)` is called.
    public func dryRun(writing write: ([UInt8]) -> Bool) async throws(MirrorError) -> DryRunReport {
        _ = try MirrorError.atName(options.name)
        let session = try session()
        let progress = DryRunProgress()
        var reader = PageReader(
            session.feeds, limits: session.limits,
            claims: UnrecordedClaims(acceptingAll: session.feeds.count == 1 && session.feeds[0].feed.listsPhotosOnce),
            token: control.token, report: progress.record)
        var lines = DryRunLines(choice: session.choice(options))
        var report = DryRunReport()
        do throws(Failure) {
            while let photos = try await reader.next() {
                // The next page loads while these lines are written.
                reader.requestPage()
                for photo in photos { lines.add(photo, page: reader.pageNumber, of: reader.feedName, to: &report) }
                guard lines.lines.flush(to: write) else { break }
            }
        } catch {
            report.failure = error
        }
        reader.finish()
        report.failure = report.failure ?? reader.failure
        report.pages = progress.pages
        report.notes = session.sourceNotes + progress.notes
        return report
    }
}

/// Formats photos as manifest lines: deferred, or failed if they are already known to be invalid.
private struct DryRunLines {
    let choice: VariantChoice
    var lines = ManifestLines()
    private var seq = 0

    init(choice: VariantChoice) { self.choice = choice }

    mutating func add(_ photo: Photo, page: Int, of feed: String, to report: inout DryRunReport) {
        var receipt = Receipt(.skipped, failure: Failure(.deferred, ""))
        if let invalidReason = photo.invalidReason {
            receipt.end(with: invalidReason)
        } else {
            do throws(Failure) {
                receipt.begin(try choice.requiredVariant(of: photo), of: photo)
            } catch {
                receipt.end(with: error)
            }
        }
        if receipt.state == .failed { report.failed += 1 } else { report.photos += 1 }
        seq += 1
        lines.add(Item(seq: seq, feed: feed, page: page, photo: photo), receipt)
    }
}
