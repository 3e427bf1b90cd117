// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceFiles
internal import SluiceGallery
internal import SluiceLedger
internal import SluiceModel

/// Writes the gallery now and then while a run fills its mirror, so that whoever opens it sees how far it is.
///
/// It costs the run one part in twenty at most: the larger the mirror, the rarer it is written.
final class LiveGallery: Sendable {
    private struct State {
        var options: GalleryOptions
        /// Whether something has ended since it was written.
        var isOld = false
        var isOver = false
    }

    private static let leastPause = Duration.seconds(2)
    private static let share = 20
    private let folder: Folder
    private let ledger: Ledger
    private let wantsAll: Bool
    private let state: Locked<State>
    private let queue = DispatchQueue(label: "sluice.gallery", qos: .utility)

    /// Begins to write; `options` are those of the gallery at the run's end.
    ///
    /// The feed's total is what is expected where all of the feed is wanted.
    init(in folder: Folder, ledger: Ledger, options: GalleryOptions, wantsAll: Bool) {
        self.folder = folder
        self.ledger = ledger
        self.wantsAll = wantsAll
        var options = options
        options.isRunning = true
        // It is written again soon, and for good at the run's end.
        options.flushed = false
        state = Locked(State(options: options))
        wait(Self.leastPause)
    }

    /// Takes note of what happens in the run.
    func note(_ event: Event) {
        switch event {
        case .pageLoaded(_, _, let total?) where wantsAll: state.withLock { $0.options.expected = total }
        case .itemEnded(_, .kept): break
        case .itemEnded: state.withLock { $0.isOld = true }
        default: break
        }
    }

    /// Writes no more, and returns once nothing is being written.
    func end() async {
        state.withLock { $0.isOver = true }
        await withCheckedContinuation { continuation in queue.async { continuation.resume() } }
    }

    private func wait(_ pause: Duration) {
        queue.asyncAfter(deadline: .now() + pause / .seconds(1)) { [weak self] in self?.write() }
    }

    private func write() {
        let options = state.withLock { state -> GalleryOptions? in
            defer { state.isOld = false }
            state.options.moment = Machine.minute(of: Machine.secondsSince1970)
            return state.isOld && !state.isOver ? state.options : nil
        }
        let start = ContinuousClock.now
        // What fails here fails again at the run's end, and is told there.
        if let options { try? write(options) }
        if !state.withLock({ $0.isOver }) {
            wait(max(Self.leastPause, (ContinuousClock.now - start) * (Self.share - 1)))
        }
    }

    private func write(_ options: GalleryOptions) throws {
        var gallery = try GalleryWriter(into: folder, options: options)
        try ledger.forEachEntry { entry in
            guard !state.withLock({ $0.isOver }) else { throw Failure(.cancelled, "") }
            try gallery.add(entry)
        }
        try gallery.finish()
    }
}
