// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceGallery
internal import SluiceLedger
package import SluiceModel
internal import SluiceStore
internal import SluiceSystem

/// Rewrites the gallery repeatedly during a run, and states the progress in a file for `sluice serve`.
///
/// The gallery takes at most one twentieth of the time: the larger the mirror, the less often it is written.
package final class LiveGallery: RunStep {
    private struct State {
        let store: any Store
        let ledger: Ledger
        /// Whether the run covers the whole feed, so that the feed's total is the expected number of photos.
        let wantsAll: Bool
        /// The options of the gallery at the end of the run.
        var options: GalleryOptions
        /// Whether items have ended since the gallery was written.
        var isOutdated = false
        var progress = GalleryProgress()
        /// The last states of the progress, the oldest first.
        var samples: [(time: ContinuousClock.Instant, progress: GalleryProgress)] = [(.now, GalleryProgress())]

        /// The text of the progress, with the speeds since the oldest sample.
        mutating func progressText() -> String? {
            samples.append((.now, progress))
            if samples.count > LiveGallery.sampleCount { samples.removeFirst() }
            return samples.first.map { progress.text(since: $0.progress, over: .now - $0.time) }
        }

        mutating func count(_ outcome: ItemOutcome) {
            switch outcome {
            case .done(let receipt):
                progress.done += 1
                progress.bytes += receipt.original?.bytes ?? 0
            case .kept:
                progress.done += 1
                return
            case .failed: progress.failed += 1
            case .skipped: progress.skipped += 1
            }
            isOutdated = true
        }
    }

    private static let minimumPause = Duration.seconds(2)
    private static let timeShare = 20
    /// The number of samples that speeds are computed from: ten seconds.
    private static let sampleCount = 6
    /// `nil` before the run, after its last item, and if it writes no gallery.
    private let state = Locked<State?>(nil)
    private let queue = DispatchQueue(label: "sluice.gallery", qos: .utility)
    private let timer = Locked<RepeatingTimer?>(nil)

    package init() {}

    package func begin(_ driver: RunDriver, in mirror: borrowing MirrorFolder) throws(MirrorError) {
        let run = driver.definition
        // In a bucket each rewrite would cost requests.
        guard run.options.run.writesGallery, !mirror.isInBucket, !run.isDryRun else { return }
        var options = try mirror.galleryOptions()
        options.isRunning = true
        // Not flushed: it is soon rewritten, and finally at the end of the run.
        options.flushed = false
        let state = State(store: mirror.store, ledger: mirror.ledger, wantsAll: run.wantsAll, options: options)
        self.state.withLock { $0 = state }
        scheduleWrite(after: Self.minimumPause)
        // A request to stop that came after an earlier run.
        try? mirror.store.remove([GalleryProgress.stopFile], durability: .none)
        let (store, stop) = (mirror.store, driver.stop)
        let timer = RepeatingTimer(every: .seconds(2), on: queue) { [weak self] in
            self?.writeProgress()
            // As after Ctrl-C, photos in flight are finished.
            if store.size(of: GalleryProgress.stopFile) != nil { stop(.signal(SIGINT)) }
        }
        self.timer.withLock { $0 = timer }
    }

    package func observe(_ event: Event) {
        switch event {
        case .pageLoaded(_, _, let total?):
            state.withLock {
                guard $0?.wantsAll == true else { return }
                $0?.options.expectedCount = total
                $0?.progress.expected = total
            }
        case .itemEnded(_, let outcome): state.withLock { $0?.count(outcome) }
        default: break
        }
    }

    /// Stops writing and waits until the current write has ended.
    package func finish(_ driver: RunDriver) async {
        timer.withLock { $0 = nil }
        let store = state.withLock { state in
            defer { state = nil }
            return state?.store
        }
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
        // Also the file of a killed run. One that remains is not shown, because it does not change any more.
        try? store?.remove([GalleryProgress.file, GalleryProgress.stopFile], durability: .none)
    }

    private func writeProgress() {
        guard let (store, text) = state.withLock({ state in state?.progressText().map { (state?.store, $0) } }),
            let store
        else { return }
        guard
            let file = try? store.stage(
                Array(text.utf8), as: GalleryProgress.file, temporary: "progress", durability: .none)
        else { return }
        do { try store.commitAll([file], durability: .none) } catch { store.discard(file) }
    }

    private func scheduleWrite(after pause: Duration) {
        queue.asyncAfter(deadline: .now() + pause / .seconds(1)) { [weak self] in self?.write() }
    }

    private func write() {
        let current = state.withLock { state -> State? in
            defer { state?.isOutdated = false }
            state?.options.updatedAt = UTCTime(secondsSince1970: Machine.secondsSince1970).minuteText
            return state
        }
        guard let current else { return }
        let start = ContinuousClock.now
        // An error is ignored here: it recurs at the end of the run and is reported then.
        if current.isOutdated { try? write(current) }
        scheduleWrite(after: max(Self.minimumPause, (ContinuousClock.now - start) * (Self.timeShare - 1)))
    }

    private func write(_ current: State) throws {
        // Items end before the ledger has their receipts.
        try current.ledger.forgetExport()
        var gallery = GalleryWriter(into: current.store, options: current.options)
        try current.ledger.forEachEntry { entry in
            guard state.withLock({ $0 != nil }) else { throw Failure(.cancelled, "") }
            try gallery.add(entry)
        }
        try gallery.finish()
    }
}
