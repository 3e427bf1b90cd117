// SPDX-License-Identifier: MIT

package import SluiceLedger
package import SluiceModel
internal import SluiceTransfer

/// Drives one run: takes items from the intake, submits them to the pool, and commits their results.
///
/// It is a class, because the work of each item refers to it, and a copy of a structure refers to all of its parts.
package final class RunDriver: Sendable {
    let definition: RunDefinition
    package let run: LedgerRun
    let pool: WorkPool
    package let pipeline: ItemPipeline
    package let ledger: Ledger
    package let committer: CommitWriter
    let recorder: EventRecorder
    /// Cancelling it ends the intake and drops waiting items, but not items in flight.
    package let intakeToken: CancellationToken
    package let stop: @Sendable (StopReason) -> Void
    /// Limits that end the run early.
    let limits: RunLimits
    let activeItems: ActiveItems
    /// Adjusts the concurrency; `nil` if it is fixed.
    let tuner: ConcurrencyTuner?

    init(
        _ definition: RunDefinition, as run: LedgerRun, pool: WorkPool, pipeline: ItemPipeline, ledger: Ledger,
        committer: CommitWriter, recorder: EventRecorder, intakeToken: CancellationToken,
        stop: @escaping @Sendable (StopReason) -> Void, limits: RunLimits, activeItems: ActiveItems,
        tuner: ConcurrencyTuner?
    ) {
        (self.definition, self.run, self.pool, self.pipeline) = (definition, run, pool, pipeline)
        (self.ledger, self.committer, self.recorder, self.intakeToken) = (ledger, committer, recorder, intakeToken)
        (self.stop, self.limits, self.activeItems, self.tuner) = (stop, limits, activeItems, tuner)
    }

    var metrics: RunMetrics { recorder.metrics }

    /// Whether nothing is transferred or stored.
    package var isDryRun: Bool { definition.isDryRun }

    /// Lists work of a dry run; stops the run if its reader has ended.
    package func list(_ work: PlannedWork) { if definition.list?(work) == false { stop(.requested) } }

    package func record(_ event: Event) { recorder.record(event) }

    /// Records that photos at these positions were removed from the mirror.
    package func recordRemoval(of positions: [Int], because cause: Cause) {
        guard !positions.isEmpty else { return }
        let done = recorder.done
        let count = positions.count { done.contains($0) }
        recorder.record(.photosRemoved(cause, done: count, kept: positions.count - count))
    }

    /// Processes all items of the intake and waits until every item has ended.
    func processAll() async {
        let handler = intakeToken.onCancel { [pool] _ in pool.drain() }
        if let limit = definition.watchLimit { pool.startWatchdog(limit: limit) }
        let hasReadWholeFeed = await definition.intake.submitItems(to: self)
        await pool.waitUntilIdle()
        await committer.finish()
        if hasReadWholeFeed { handleMissingItems() }
        for step in definition.steps {
            do throws(MirrorError) { try await step.finish(self) } catch { stop(StopReason(error)) }
        }
        withExtendedLifetime(handler) {}
    }

    /// Records which items the feed no longer lists, and passes them on to the steps.
    ///
    /// A run that was stopped leaves this to a later run.
    private func handleMissingItems() {
        guard !intakeToken.isCancelled else { return }
        do throws(MirrorError) {
            try MirrorError.inLedger(ledger.recordAbsences(in: run))
            for step in definition.steps { try step.handleMissingItems(self) }
        } catch {
            stop(StopReason(error))
        }
    }

    /// Submits claimed items as the pool and the commit writer have capacity.
    ///
    /// Items without work end immediately. `input` returns what an item is made from, if that is its own.
    package func submit(
        _ claims: ArraySlice<Claim>, _ streak: inout KeptStreak, input: (Item) -> ItemInput? = { _ in nil }
    ) async {
        var kept: [Event] = []
        for claim in claims.lazy.map(committer.verified) where !streak.hasReachedLimit {
            let input = input(claim.item) ?? definition.input(claim.item)
            let known = immediateResult(for: claim, from: input)
            streak.add(isKept: known != nil && claim.item.photo.invalidReason == nil)
            if let known, known.isKept, known.files.isEmpty {
                pipeline.shareKept(known.receipt, of: claim.item, from: input)
                kept.append(.itemEnded(claim.item, known.end))
                continue
            }
            let immediate = known ?? (isDryRun ? pipeline.deferredResult(of: claim, from: input) : nil)
            recorder.record(kept)
            kept = []
            await metrics.during(.blockedOnCommits) { await committer.waitForCapacity() }
            if let immediate {
                end(claim, immediate, from: input)
                continue
            }
            await metrics.during(.blockedOnPool) { await pool.waitForRoom() }
            submit(claim, input)
        }
        recorder.record(kept)
    }

    /// Returns the result of an item that needs no work: it is invalid, or its result is known.
    private func immediateResult(for claim: Claim, from input: ItemInput?) -> ProcessedItem? {
        if let reason = claim.item.photo.invalidReason { return ProcessedItem(Receipt(.done).ended(with: reason)) }
        let result = pipeline.knownResult(of: claim, from: input)
        // The files were just verified. If the ledger cannot be written, the next run verifies them again.
        if claim.isInDoubt, result?.isKept == true { try? ledger.clearDoubt(about: claim.item) }
        return result
    }

    private func submit(_ claim: Claim, _ input: ItemInput?) {
        let item = claim.item
        let active = activeItems.add(item)
        metrics.enter(.waitingForSlot)
        let host = pipeline.host(of: item, from: input)
        if let limit = input?.perHost { pool.reduceSlots(of: host, to: limit) }
        let id = pool.submit(host: host) { [self] slot in
            let timings = metrics.itemStarted()
            recorder.record(.itemStarted(item))
            var result = await pipeline.process(item, claim: claim, from: input, slot: slot)
            metrics.leave(.inFlight)
            (result.timings.startedAt, result.timings.lane) = (timings.startedAt, timings.lane)
            if result.receipt.state == .done { tuner?.count(bytes: result.receipt.original?.bytes ?? 0) }
            if activeItems.remove(item, active) { end(claim, result, from: input) }
        } dropped: { [self] failure in
            metrics.leave(.waitingForSlot)
            if activeItems.remove(item, active) {
                end(claim, pipeline.result(ofUnstarted: item, claim, failure), from: input)
            }
        }
        active.onCancel { [pool] cause in pool.cancel(id, cause) }
    }

    /// Commits an item's result and then reports it.
    private func end(_ claim: Claim, _ result: ProcessedItem, from input: ItemInput?) {
        let item = claim.item
        var result = result
        result.compare(with: claim)
        result.keepsEarlierReceipt =
            isDryRun || definition.intake.keepsEarlierReceipts
            || pipeline.isDone(claim, from: input, despite: result.receipt.failure)
        // Stop early on failures that would affect every item.
        if let reason = result.receipt.failure.flatMap(StopReason.init) { stop(reason) }
        result.timings.submittedAt = .now
        let timings = result.timings
        committer.commit(result, of: item) { [self] end, stopReason in
            metrics.itemEnded(item, end, timings.committed)
            pipeline.originals?.end(item.seq, isStored: end.receipt.original != nil)
            if let stopReason { stop(stopReason) }
            if let reason = end.receipt.failure.flatMap(StopReason.init) { stop(reason) }
            report(item, end)
        }
    }

    private func report(_ item: Item, _ end: ItemOutcome) {
        if case .kept = end {} else { list(.photo(item, end.receipt)) }
        let summary = recorder.record(.itemEnded(item, end))
        if let reason = limits.stopReason(for: summary) { stop(reason) }
    }
}
