// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceLedger
internal import SluiceModel

/// What a run is known by before it begins.
struct RunPlan: Sendable {
    /// What the first event says.
    var start: RunStart
    /// What decides which files the run makes, for the ledger.
    var fingerprint: String
    /// What decides which photos the feed's pages have on them.
    var walk = ""
    /// The user's command.
    var words: [String] = []
    /// Whether the folder may be another user's that still others may write to.
    var mayShareFolder = false
    /// Whether it takes up what the ledger knows: then there must be one.
    var isAgain = false
    /// Whether all of the feed is wanted, and not some pages or photos of it.
    var wantsAll = false
    /// Whether the gallery is written, now and then and at the end.
    var writesGallery: Bool
    /// What of the gallery's look is changed.
    var look = GalleryLook()
    /// The options in force, as the report tells them.
    var settings: [RunReport.Setting] = []
    /// What might make the run quicker.
    var levers = Levers()
    /// What the run may take for what is in flight, in bytes.
    var memory: Int
    /// Files of the user's that the run's course is written to.
    var trace: String?
    var metrics: String?
}

/// What every run has in common: the folder is opened, items take their ways, what is derived is written; and the stop.
final class RunCourse: Sendable {
    /// The run's token; every item's stands below it.
    let token: Token
    /// Ends the intake of pages and items alone: what is under way has a while to end well.
    let intake: Token
    /// The items on their way.
    let roster = Roster()
    private let limits: RunLimits
    private let stopReason = Locked<StopReason?>(nil)
    private let measures = Locked<Measures?>(nil)
    private let clock = DispatchQueue(label: "sluice.run.clock")

    init(_ limits: RunLimits) {
        self.limits = limits
        token = Token()
        intake = Token(below: token)
    }

    /// Asks the run to stop; the first reason stays.
    func stop(_ reason: StopReason) {
        stopReason.withLock { $0 = $0 ?? reason }
        intake.cancel()
        let drain = limits.drain(for: reason)
        guard drain > .zero else { return token.cancel() }
        clock.asyncAfter(deadline: .now() + drain / .seconds(1)) { [token] in token.cancel() }
    }

    /// What holds the run up at the moment.
    var bottleneck: Bottleneck? { measures.withLock { $0 }?.bottleneck }

    /// What was measured so far.
    var meter: RunMeter? { measures.withLock { $0 }?.meter }

    /// Runs to the end; throws only if the run could not begin.
    func run(
        _ plan: RunPlan, recording record: @escaping @Sendable (Event) -> Void,
        as make: (borrowing MirrorFolder, LedgerRun, Recorder) -> MirrorRun
    ) async throws(MirrorError) -> Summary {
        let folder = plan.start.folder
        let place =
            plan.isAgain
            ? try MirrorFolder.open(folder) : try MirrorFolder.open(making: folder, sharing: plan.mayShareFolder)
        let reporter = Reporter(plan)
        let gallery = Locked<LiveGallery?>(nil)
        let recorder = Recorder(room: MemoryPlan(plan.memory).events) { event in
            gallery.withLock { $0 }?.note(event)
            record(event)
        }
        measures.withLock { $0 = recorder.measures }
        // A run whose logs cannot be written never begins: neither it nor its look is to be remembered.
        let logs = try RunLogs(plan, reporter, recorder)
        try place.remember(plan.look)
        let run = try place.begin(plan)
        if plan.writesGallery {
            let live = try place.liveGallery(wantsAll: plan.wantsAll)
            gallery.withLock { $0 = live }
        }
        recorder.record(.runStarted(plan.start))
        let handler = intake.onCancel { [stopReason] _ in
            if let reason = stopReason.withLock({ $0 }) { recorder.record(.stopping(reason)) }
        }
        if let time = limits.time {
            clock.asyncAfter(deadline: .now() + time / .seconds(1)) { [weak self, limits] in
                self?.stop(limits.outOfTime)
            }
        }
        await make(place, run, recorder).walk()
        recorder.measures.end()
        await gallery.withLock { $0 }?.end()
        do throws(MirrorError) {
            try place.end(run, recorder: recorder, writesGallery: plan.writesGallery)
        } catch {
            // The same trouble twice would tell nothing new.
            if recorder.current.stop?.isTrouble != true { recorder.record(.stopping(StopReason(error))) }
        }
        reporter.write(recorder, into: place.folder)
        logs.end(recorder)
        withExtendedLifetime(handler) {}
        place.close()
        return recorder.finish()
    }
}
