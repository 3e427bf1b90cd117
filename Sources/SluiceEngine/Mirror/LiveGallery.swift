// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceGallery
internal import SluiceLedger
internal import SluiceModel
internal import SluiceStore

/// Rewrites the gallery repeatedly during a run, so that it shows the progress.
///
/// This takes at most one twentieth of the time: the larger the mirror, the less often the gallery is written.
final class LiveGallery: Sendable {
    private struct State {
        var options: GalleryOptions
        /// Whether items have ended since the gallery was written.
        var isOutdated = false
        var hasEnded = false
    }

    private static let minimumPause = Duration.seconds(2)
    private static let timeShare = 20
    private let store: any Store
    private let ledger: Ledger
    private let wantsAll: Bool
    private let state: Locked<State>
    private let queue = DispatchQueue(label: "sluice.gallery", qos: .utility)

    /// Starts writing.
    ///
    /// `options` are those of the gallery at the end of the run.
    ///
    /// If the run covers the whole feed, the feed's total is the expected number of photos.
    init(in store: any Store, ledger: Ledger, options: GalleryOptions, wantsAll: Bool) {
        (self.store, self.ledger, self.wantsAll) = (store, ledger, wantsAll)
        var options = options
        options.isRunning = true
        // Not flushed: it is soon rewritten, and finally at the end of the run.
        options.flushed = false
        state = Locked(State(options: options))
        scheduleWrite(after: Self.minimumPause)
    }

    /// Updates the state from an event of the run.
    func update(with event: Event) {
        switch event {
        case .pageLoaded(_, _, let total?) where wantsAll: state.withLock { $0.options.expectedCount = total }
        case .itemEnded(_, .kept): break
        case .itemEnded: state.withLock { $0.isOutdated = true }
        default: break
        }
    }

    /// Stops writing and waits until the current write has finished.
    package func end() async {
        state.withLock { $0.hasEnded = true }
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    private func scheduleWrite(after pause: Duration) {
        queue.asyncAfter(deadline: .now() + pause / .seconds(1)) { [weak self] in self?.write() }
    }

    private func write() {
        let options = state.withLock { state -> GalleryOptions? in
            defer { state.isOutdated = false }
            state.options.updatedAt = UTCTime(secondsSince1970: Machine.secondsSince1970).minuteText
            return state.isOutdated && !state.hasEnded ? state.options : nil
        }
        let start = ContinuousClock.now
        // An error is ignored here: it recurs at the end of the run and is reported then.
        if let options { try? write(options) }
        if !state.withLock({ $0.hasEnded }) {
            scheduleWrite(after: max(Self.minimumPause, (ContinuousClock.now - start) * (Self.timeShare - 1)))
        }
    }

    private func write(_ options: GalleryOptions) throws {
        var gallery = GalleryWriter(into: store, options: options)
        try ledger.forEachEntry { entry in
            guard !state.withLock({ $0.hasEnded }) else { throw Failure(.cancelled, "") }
            try gallery.add(entry)
        }
        try gallery.finish()
    }
}
