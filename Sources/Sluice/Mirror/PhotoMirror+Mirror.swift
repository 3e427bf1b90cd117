// SPDX-License-Identifier: MIT

public import SluiceEngine
internal import SluiceFeeds
internal import SluiceLedger
internal import SluiceModel
internal import SluiceStore

extension PhotoMirror {
    /// Describes a run.
    ///
    /// Nothing is opened or created before `run(recording:)`.
    public convenience init(of source: String, into folder: String, options: MirrorOptions = MirrorOptions()) {
        self.init(of: [source], into: folder, options: options)
    }

    /// Describes a run that reads several sources in their order, under one budget for each host.
    ///
    /// A source that cannot be read is reported as a page, and the others continue.
    public convenience init(of sources: [String], into folder: String, options: MirrorOptions = MirrorOptions()) {
        self.init(of: sources, opening: nil, into: folder, options: options)
    }

    /// Describes a run of a feed that this program reads itself.
    ///
    /// The ledger records the feed's name. The command can verify, repair and export the mirror, but only a program can
    /// list its photos again.
    public convenience init(
        of feed: some PhotoFeed, into folder: String, options: MirrorOptions = MirrorOptions()
    ) {
        let source = Source(ProgramFeed(pages: feed))
        self.init(of: source.texts, opening: source, into: folder, options: options)
    }

    private convenience init(
        of sources: [String], opening source: Source?, into folder: String, options: MirrorOptions
    ) {
        self.init(of: sources, into: folder, options: options) { context throws(MirrorError) in
            let session = try FeedSession(Self.parsed(sources, source), options: options, in: context)
            if let causes = options.retriedCauses {
                return try RunDefinition(
                    retrying: causes, of: sources, session, into: folder, options: options, in: context)
            }
            var run = try RunDefinition(
                of: sources, session, into: folder, options: options, in: context, intake: try session.intake(options))
            run.wantsAll = options.wantsAll
            if options.skipsSimilar { run.steps.append(SimilarPhotos(options: options)) }
            if let prune = options.prune { run.steps.append(Pruning(options: prune)) }
            return run
        }
    }
}

extension RunDefinition {
    /// Defines a run that retries failed items with one of the causes, without reading the feed.
    init(
        retrying causes: CauseSet, of sources: [String], _ session: FeedSession, into folder: String,
        options: MirrorOptions, in context: RunContext
    ) throws(MirrorError) {
        let intake = LedgerIntake(.failures(causes), maxItems: session.retriedItems)
        try self.init(of: sources, session, into: folder, options: options, in: context, intake: intake)
        requiresMirror = true
    }
}

/// Removes a feed's items that its last complete listing did not contain, and the files of rejected photos.
struct Pruning: RunStep {
    private static let batch = 256

    let options: PruneOptions

    /// Removes the items that the run did not list; if they exceed the limit, stops the run.
    func handleMissingItems(_ driver: RunDriver) throws(MirrorError) {
        let unlisted = try MirrorError.inLedger(driver.ledger.unlisted(in: driver.run))
        let total = unlisted.count + (try MirrorError.inLedger(driver.ledger.listedCount(in: driver.run)))
        for seq in unlisted where driver.isDryRun {
            guard let entry = try MirrorError.inLedger(driver.ledger.entry(at: seq)) else { continue }
            driver.list(.photo(entry.item, entry.receipt ?? Receipt(.skipped, failure: Failure(.deferred, ""))))
        }
        if let refusal = options.refusal(of: unlisted.count, of: total) {
            return driver.stop(.limit(refusal, hint: .raisePruneLimit))
        }
        var changed = 0
        for start in stride(from: 0, to: unlisted.count, by: Self.batch) {
            let batch = Array(unlisted[start..<min(start + Self.batch, unlisted.count)])
            let removals = try MirrorError.inLedger(driver.ledger.remove(batch))
            changed += try driver.ledger.finish(removals, in: driver.committer.store)
        }
        driver.record(.note("pruned \(unlisted.count) of \(total) photos that are no longer in the feed"))
        try removeRejected(driver)
        if changed > 0 {
            driver.record(.note("kept \(changed) changed \(changed == 1 ? "object" : "objects") of pruned photos"))
        }
    }

    /// Removes the files of the photos that the user rejected; the ledger keeps these photos as skipped.
    private func removeRejected(_ driver: RunDriver) throws(MirrorError) {
        var rejected: [(entry: LedgerEntry, failure: Failure)] = []
        for seq in try MirrorError.inLedger(driver.ledger.rejected()) {
            if let entry = try MirrorError.inLedger(driver.ledger.entry(at: seq)) {
                rejected.append((entry, .rejected))
            }
        }
        guard !rejected.isEmpty else { return }
        try driver.ledger.drop(rejected, from: driver.committer.store)
        driver.recordRemoval(of: rejected.map(\.entry.item.seq), because: .policy)
        driver.record(
            .note("removed the files of \(rejected.count) rejected \(rejected.count == 1 ? "photo" : "photos")"))
    }
}
