// SPDX-License-Identifier: MIT

internal import Dispatch
package import SluiceLedger
package import SluiceModel
package import SluiceStore

/// The settings of a run that do not depend on its intake.
package struct RunConfiguration: Sendable {
    /// The content of the first event.
    package var start: RunStart
    /// The options that all kinds of runs share.
    package var options: RunOptions
    /// Identifies the options that determine which files the run makes.
    var fingerprint: String
    /// Identifies the options that determine which photos are on which page.
    var pagingFingerprint = ""
    /// Whether the run takes its items from the ledger, so that a mirror must exist.
    var requiresMirror = false
    /// Whether the run covers the whole feed.
    var wantsAll = false
    /// Whether the gallery shows the progress of the run, besides its result.
    var hasLiveGallery = true
    /// The options to list in the report.
    package var settings: [RunReport.Setting] = []
    /// The settings that advice on performance refers to.
    package var tuning = TuningContext()

    package init(
        start: RunStart, options: RunOptions, fingerprint: String, pagingFingerprint: String = "",
        requiresMirror: Bool = false, wantsAll: Bool = false, hasLiveGallery: Bool = true,
        settings: [RunReport.Setting] = [], tuning: TuningContext = TuningContext()
    ) {
        self.start = start
        self.options = options
        self.fingerprint = fingerprint
        self.pagingFingerprint = pagingFingerprint
        self.requiresMirror = requiresMirror
        self.wantsAll = wantsAll
        self.hasLiveGallery = hasLiveGallery
        self.settings = settings
        self.tuning = tuning
    }
}

/// Follows a run from its beginning to its end, for example to write a report.
package protocol RunObserver: Sendable {
    /// Prepares for the run. If it throws, the run does not begin.
    func begin(_ recorder: EventRecorder) throws(MirrorError)

    /// Completes its work after all items have ended. Problems are recorded as notes and do not fail the run.
    func end(_ recorder: EventRecorder, in store: any Store)
}

/// Runs the steps that all kinds of runs share: opening the mirror, driving the items, writing the output, and
/// stopping.
package final class RunLifecycle: Sendable {
    /// The run's token, the ancestor of every item's token.
    package let token: CancellationToken
    /// Ends the intake only.
    ///
    /// Items in flight have some time to finish.
    package let intake: CancellationToken
    /// The items in flight.
    package let activeItems = ActiveItems()
    private let limits: RunLimits
    private let stopReason = Locked<StopReason?>(nil)
    private let metrics = Locked<RunMetrics?>(nil)
    private let timerQueue = DispatchQueue(label: "sluice.run.timers")

    package init(_ limits: RunLimits) {
        self.limits = limits
        token = CancellationToken()
        intake = CancellationToken(below: token)
    }

    /// Stops the run.
    ///
    /// Only the first reason is reported.
    package func stop(_ reason: StopReason) {
        stopReason.withLock { $0 = $0 ?? reason }
        intake.cancel()
        let drain = limits.drain(for: reason)
        guard drain > .zero else { return token.cancel() }
        timerQueue.asyncAfter(deadline: .now() + drain / .seconds(1)) { [token] in token.cancel() }
    }

    /// The stage that limits the run now.
    package var bottleneck: Bottleneck? { metrics.withLock { $0 }?.bottleneck }

    /// The measurements so far.
    var statistics: RunStatistics? { metrics.withLock { $0 }?.statistics }

    /// Performs a run.
    ///
    /// Throws only if it cannot begin.
    package func run(
        _ configuration: RunConfiguration, observer: any RunObserver,
        recording record: @escaping @Sendable (Event) -> Void,
        makeDriver: (borrowing MirrorFolder, LedgerRun, EventRecorder) -> RunDriver
    ) async throws(MirrorError) -> Summary {
        let path = configuration.start.folder
        let mirror = try MirrorFolder.open(
            path, for: configuration.options, mustExist: configuration.requiresMirror)
        let gallery = Locked<LiveGallery?>(nil)
        let recorder = EventRecorder(capacity: MemoryBudget(configuration.options.memory).events) { event in
            gallery.withLock { $0 }?.update(with: event)
            record(event)
        }
        metrics.withLock { $0 = recorder.metrics }
        // A run whose observer cannot begin does not begin: neither the run nor its appearance is stored.
        try observer.begin(recorder)
        try mirror.save(configuration.options.appearance)
        let run = try mirror.begin(configuration)
        // In a bucket each rewrite would cost requests.
        if configuration.options.writesGallery, configuration.hasLiveGallery, !mirror.isInBucket {
            let live = try mirror.liveGallery(wantsAll: configuration.wantsAll)
            gallery.withLock { $0 = live }
        }
        recorder.record(.runStarted(configuration.start))
        let handler = intake.onCancel { [stopReason] _ in
            if let reason = stopReason.withLock({ $0 }) { recorder.record(.stopping(reason)) }
        }
        if let time = limits.time {
            timerQueue.asyncAfter(deadline: .now() + time / .seconds(1)) { [weak self, limits] in
                self?.stop(limits.timeLimitReached)
            }
        }
        await makeDriver(mirror, run, recorder).processAll()
        recorder.metrics.stopSampling()
        await gallery.withLock { $0 }?.end()
        do throws(MirrorError) {
            try mirror.end(run, recorder: recorder, configuration.options)
        } catch {
            // If a disk or ledger error has stopped the run already, this is most likely the same one.
            if recorder.current.stop?.isTrouble != true { recorder.record(.stopping(StopReason(error))) }
        }
        observer.end(recorder, in: mirror.store)
        do throws(MirrorError) {
            try mirror.endSession()
        } catch {
            recorder.record(.note("cannot copy the ledger to the bucket: \(error.message)"))
        }
        withExtendedLifetime(handler) {}
        mirror.close()
        return recorder.finish()
    }
}
