// SPDX-License-Identifier: MIT

public import SluiceEngine
internal import SluiceLedger
public import SluiceModel

/// The result of a dry run of pruning.
public struct PruneDryRunReport: Sendable, Hashable {
    /// The number of photos that would be removed.
    public internal(set) var removed = 0
    /// The number of photos before removal.
    public internal(set) var total = 0
    /// The number of pages read.
    public internal(set) var pages = 0
    /// The reason why the end of the feed was not reached, so that nothing would be removed; `nil` if it was.
    public internal(set) var failure: Failure?
    /// The reason why pruning would be refused; `nil` if it would not.
    public internal(set) var refusal: String?
}

extension PhotoMirror {
    /// Reads the whole feed, and passes `write` the manifest line of each photo that a run with `MirrorOptions.prune`
    /// would remove.
    ///
    /// Nothing is changed. Ends early when `write` returns false or `stop(_:)` is called.
    public func dryRunPruning(writing write: ([UInt8]) -> Bool) async throws(MirrorError) -> PruneDryRunReport {
        let session = try session()
        let progress = DryRunProgress()
        var reader = PageReader(
            session.feeds, limits: ReadingLimits(), claims: UnrecordedClaims(), token: control.token,
            report: progress.record)
        defer { reader.finish() }
        var report = PruneDryRunReport()
        do throws(Failure) {
            while try await reader.next() != nil {}
            try control.token.check()
        } catch {
            report.failure = error
        }
        report.failure = report.failure ?? reader.failure
        report.pages = progress.pages
        guard report.failure == nil else { return report }
        let listed = reader.claims
        let mirror = try MirrorFolder.open(reading: folder, buckets: options.buckets)
        let known = try MirrorError.inLedger(
            mirror.ledger.itemsListed(
                by: recordedSource, words: options.commandLine, of: session.feedName, withFeed: session.feeds.count > 1)
        )
        var unlisted: [Int] = []
        for item in known {
            let isListed = try MirrorError.onDisk(listed.contains(item.key))
            if !isListed { unlisted.append(item.seq) }
        }
        (report.removed, report.total) = (unlisted.count, unlisted.count + listed.count)
        report.refusal = (options.prune ?? PruneOptions()).refusal(of: unlisted.count, of: report.total)
        var lines = ManifestLines()
        for seq in unlisted {
            guard let entry = try MirrorError.inLedger(mirror.ledger.entry(at: seq)) else { continue }
            lines.add(entry)
            guard lines.flush(to: write) else { break }
        }
        mirror.close()
        return report
    }
}
