// SPDX-License-Identifier: MIT

internal import SluiceFeeds
internal import SluiceFiles
internal import SluiceLedger
internal import SluiceModel
internal import SluiceTransfer

/// Drives one run: takes items from the intake, submits them to the pool, and commits their results.
struct RunDriver: Sendable {
    let feed: any Feed
    let run: LedgerRun
    let pool: WorkPool
    let pipeline: any ItemProcessing
    let ledger: Ledger
    let committer: CommitWriter
    let recorder: EventRecorder
    /// Cancelling it ends the intake and drops waiting items, but not items in flight.
    let intake: CancellationToken
    /// Stops the run.
    let stop: @Sendable (StopReason) -> Void
    /// The maximum number of pages; `nil` for all.
    var pages: Int?
    /// The maximum number of items; `nil` for all.
    var maxItems: Int?
    /// The note to report if `maxItems` comes from the service's terms and is reached.
    var termsNote: String?
    /// Which photos to process.
    var selection = Selection()
    /// Limits that end the run early.
    var limits = RunLimits()

    /// The file name template for new items; `nil` if the feed determines the names.
    var naming: NameTemplate?
    /// How to remove items that are no longer in the feed; `nil` to keep them.
    var pruning: Pruning?
    /// Stops reading the feed after this many consecutive kept items; `nil` for never.
    var stopAfterSeen: Int?
    /// Takes items from the ledger instead of the feed.
    var retry: RetrySelection?
    /// Takes originals from another tool's folder instead of downloading them.
    var adoption: (of: Adoption, choice: VariantChoice)?
    /// The longest time that an item may hold its slot; `nil` for no limit.
    var watchLimit: Duration?
    /// The items in flight.
    var activeItems = ActiveItems()
    /// Adjusts the concurrency; `nil` if it is fixed.
    var tuner: ConcurrencyTuner?

    var metrics: RunMetrics { recorder.metrics }

    /// Processes all items of the intake and waits until every item has ended.
    func processAll() async {
        let handler = intake.onCancel { [pool] _ in pool.drain() }
        if let watchLimit { pool.startWatchdog(limit: watchLimit) }
        var hasReachedEnd = false
        if let adoption {
            await adopt(adoption.of, choice: adoption.choice)
        } else if let retry {
            await process(retry)
        } else {
            hasReachedEnd = await walkFeed { await submit($0, &$1) }
        }
        await pool.waitUntilIdle()
        await committer.finish()
        if hasReachedEnd { handleMissingItems() }
        withExtendedLifetime(handler) {}
    }

    /// Records which items the feed no longer lists, and prunes them if that is wanted.
    ///
    /// A run that was stopped or limited to a part of the feed leaves this to a later run.
    private func handleMissingItems() {
        guard !intake.isCancelled, pages == nil, selection == Selection() else { return }
        do throws(Failure) {
            try Failure.inLedger(ledger.recordAbsences(in: run))
            guard let pruning else { return }
            switch try pruning.run(run) {
            case .note(let note): recorder.record(.note(note))
            case .refused(let reason): stop(.limit(reason, hint: .raisePruneLimit))
            }
        } catch {
            stop(StopReason(error) ?? .local(error))
        }
    }

    /// Submits claimed items as the pool and the commit writer have capacity.
    ///
    /// Items without work end immediately.
    func submit(_ claims: ArraySlice<Claim>, _ streak: inout KeptStreak) async {
        var kept: [Event] = []
        for claim in claims.lazy.map(committer.verified) where !streak.hasReachedLimit {
            let immediate = immediateResult(for: claim)
            streak.add(isKept: immediate != nil && claim.item.photo.invalidReason == nil)
            if let immediate, immediate.isKept {
                kept.append(.itemEnded(claim.item, immediate.end))
                continue
            }
            recorder.record(kept)
            kept = []
            await metrics.during(.blockedOnCommits) { await committer.waitForCapacity() }
            if let immediate {
                end(claim.item, immediate)
                continue
            }
            await metrics.during(.blockedOnPool) { await pool.waitForRoom() }
            submit(claim)
        }
        recorder.record(kept)
    }

    /// Returns the result of an item that needs no work: it is invalid, deleted by the user, or kept.
    private func immediateResult(for claim: Claim) -> ProcessedItem? {
        if let reason = claim.item.photo.invalidReason { return ProcessedItem(Receipt(.done).ended(with: reason)) }
        if let receipt = pipeline.deletedReceipt(claim) { return ProcessedItem(receipt) }
        guard let receipt = pipeline.keptReceipt(claim, for: claim.item) else { return nil }
        // The files were just verified. If the ledger cannot be written, the next run verifies them again.
        if claim.isInDoubt { try? ledger.clearDoubt(about: claim.item) }
        return ProcessedItem(receipt, isKept: true)
    }

    private func submit(_ claim: Claim) {
        let item = claim.item
        let active = activeItems.add(item)
        metrics.enter(.waitingForSlot)
        let id = pool.submit(host: pipeline.host(of: item)) { slot in
            let timings = metrics.itemStarted()
            recorder.record(.itemStarted(item))
            var result = await pipeline.process(item, claim: claim, slot: slot)
            metrics.leave(.inFlight)
            (result.timings.startedAt, result.timings.lane) = (timings.startedAt, timings.lane)
            result.compare(with: claim)
            if result.receipt.state == .done { tuner?.count(bytes: result.receipt.original?.bytes ?? 0) }
            if activeItems.remove(item, active) { end(item, result) }
        } dropped: { failure in
            metrics.leave(.waitingForSlot)
            if activeItems.remove(item, active) { end(item, ProcessedItem(Receipt(.done).ended(with: failure))) }
        }
        active.onCancel { [pool] cause in pool.cancel(id, cause) }
    }

    /// Commits an item's result and then reports it.
    private func end(_ item: Item, _ result: ProcessedItem) {
        var result = result
        if adoption != nil || retry?.keepsReceipts == true { result.keepsEarlierReceipt = true }
        // Stop early on failures that would affect every item.
        if let reason = result.receipt.failure.flatMap(StopReason.init) { stop(reason) }
        result.timings.submittedAt = .now
        let timings = result.timings
        committer.commit(result, of: item) { end, stopReason in
            metrics.itemEnded(item, end, timings.committed)
            if let stopReason { stop(stopReason) }
            if let reason = end.receipt.failure.flatMap(StopReason.init) { stop(reason) }
            report(item, end)
        }
    }

    private func report(_ item: Item, _ end: ItemOutcome) {
        let summary = recorder.record(.itemEnded(item, end))
        if let reason = limits.stopReason(for: summary) { stop(reason) }
    }
}
