// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceGallery
internal import SluiceLedger
package import SluiceModel
internal import SluiceStore

/// Rewrites the gallery repeatedly during a run, so that it shows the progress.
///
/// This takes at most one twentieth of the time: the larger the mirror, the less often the gallery is written.
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
    }

    private static let minimumPause = Duration.seconds(2)
    private static let timeShare = 20
    /// `nil` before the run, after its last item, and if it writes no gallery.
    private let state = Locked<State?>(nil)
    private let queue = DispatchQueue(label: "sluice.gallery", qos: .utility)

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
    }

    package func observe(_ event: Event) {
        switch event {
        case .pageLoaded(_, _, let total?):
            state.withLock { if $0?.wantsAll == true { $0?.options.expectedCount = total } }
        case .itemEnded(_, .kept): break
        case .itemEnded: state.withLock { $0?.isOutdated = true }
        default: break
        }
    }

    /// Stops writing and waits until the current write has ended.
    package func finish(_ driver: RunDriver) async {
        state.withLock { $0 = nil }
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
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
