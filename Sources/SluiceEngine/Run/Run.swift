// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceLedger
public import SluiceModel
internal import SluiceStore
internal import SluiceTransfer

/// One run: performs what its definition describes, and lets its caller follow and stop it.
public final class Run: Sendable {
    /// The run's token, the ancestor of every item's token.
    package let token: CancellationToken
    /// Ends the intake only.
    ///
    /// Items in flight have some time to finish.
    private let intake: CancellationToken
    private let define: @Sendable (RunContext) throws(MirrorError) -> RunDefinition
    private let limits: RunLimits
    private let activeItems = ActiveItems()
    private let subscribers = EventSubscribers()
    private let stopReason = Locked<StopReason?>(nil)
    private let metrics = Locked<RunMetrics?>(nil)
    private let hasBegun = Locked(false)
    private let timerQueue = DispatchQueue(label: "sluice.run.timers")

    /// Makes a run; `define` is called when it begins.
    package init(_ limits: RunLimits, define: @escaping @Sendable (RunContext) throws(MirrorError) -> RunDefinition) {
        self.limits = limits
        self.define = define
        token = CancellationToken()
        intake = CancellationToken(below: token)
    }

    /// Performs the run.
    ///
    /// It may be called once. It does not block its caller's actor, and cancelling its task stops the run.
    ///
    /// Calls `record` for one event at a time, in ``Event``'s order. Throws only if the run cannot begin. Later
    /// failures of items, pages and the disk are in the summary.
    public func run(
        recording record: @escaping @Sendable (Event) -> Void = { _ in }
    ) async throws(MirrorError) -> Summary { try await begin(nil, recording: record) }

    /// Performs a dry run: the same run, but no photo is transferred, and nothing is stored.
    ///
    /// Calls `list` with each photo or file that the run would process, in the feed's order except for photos that are
    /// decoded. If `list` returns false, the run stops. Photos to download are skipped with the cause `deferred`.
    public func dryRun(
        listing list: @escaping @Sendable (PlannedWork) -> Bool,
        recording record: @escaping @Sendable (Event) -> Void = { _ in }
    ) async throws(MirrorError) -> Summary { try await begin(list, recording: record) }

    private func begin(
        _ list: (@Sendable (PlannedWork) -> Bool)?, recording record: @escaping @Sendable (Event) -> Void
    ) async throws(MirrorError) -> Summary {
        let isRepeated = hasBegun.withLock { hasBegun in
            defer { hasBegun = true }
            return hasBegun
        }
        guard !isRepeated else { throw MirrorError(.usage, "cannot run twice: make another run of the same source") }
        defer { subscribers.close() }
        // Before the first thread starts, which needs descriptors.
        try Machine.checkThreads()
        let descriptors = DescriptorLimit.raised()
        try descriptors.check()
        return try await begin(with: descriptors, list, recording: record)
    }

    /// Performs the run off the caller's actor, which opening and writing files would block.
    @concurrent private func begin(
        with descriptors: DescriptorLimit, _ list: (@Sendable (PlannedWork) -> Bool)?,
        recording record: @escaping @Sendable (Event) -> Void
    ) async throws(MirrorError) -> Summary {
        var definition = try define(RunContext(token: token, descriptors: descriptors))
        definition.list = list
        let run = definition
        let result = await withTaskCancellationHandler {
            do throws(MirrorError) {
                let summary = try await perform(run) { [subscribers] event in
                    subscribers.send(event)
                    record(event)
                }
                return Result<Summary, MirrorError>.success(summary)
            } catch {
                return .failure(error)
            }
        } onCancel: {
            stop()
        }
        return try result.get()
    }

    /// Stops the run.
    ///
    /// No new items start, and finished work is kept. Only the first reason is reported.
    ///
    /// After a signal or a limit, items in flight have `RunLimits.drain` to finish. Otherwise they are cancelled.
    public func stop(_ reason: StopReason = .requested) {
        stopReason.withLock { $0 = $0 ?? reason }
        intake.cancel()
        let drain = limits.drain(for: reason)
        guard drain > .zero else { return token.cancel() }
        timerQueue.asyncAfter(deadline: .now() + drain / .seconds(1)) { [token] in token.cancel() }
    }

    /// The stage that limited the run in the last few seconds; `nil` for none, and before the run has begun.
    public var bottleneck: Bottleneck? { metrics.withLock { $0 }?.bottleneck }

    /// Returns the run's events as a sequence, from now on.
    ///
    /// Call it before ``run(recording:)``, once for each reader; after the end the sequence is empty.
    ///
    /// A slow reader does not slow the run and misses no item's end; see ``RunEvents``.
    public func events() -> RunEvents { subscribers.subscribe() }

    /// Cancels an item in flight by its `Item.id`.
    ///
    /// The next run processes it again.
    ///
    /// Returns `false` if the item has ended or has not been reached yet.
    @discardableResult
    public func cancel(_ id: Item.ID) -> Bool { activeItems.cancel(id) }

    var statistics: RunStatistics? { metrics.withLock { $0 }?.statistics }

    /// Opens the mirror, processes all items, and writes the output.
    private func perform(
        _ definition: RunDefinition, recording record: @escaping @Sendable (Event) -> Void
    ) async throws(MirrorError) -> Summary {
        let options = definition.options.run
        let blocklist = try await blocklist(definition.options)
        let newMirror = definition.requiresMirror || definition.isDryRun ? nil : NewMirror(definition.start.folder)
        let mirror = try await open(definition)
        let recorder = EventRecorder(capacity: MemoryBudget(options.memory).events) {
            [steps = definition.steps] event in
            for step in steps { step.observe(event) }
            record(event)
        }
        metrics.withLock { $0 = recorder.metrics }
        // A run that a step refuses does not begin: neither the run nor its appearance is stored.
        for step in definition.steps { try step.check(definition, recorder) }
        try mirror.save(options.appearance)
        if definition.layout == .inputs { try mirror.recordInputFolder() }
        let run = try mirror.begin(definition)
        recorder.record(.runStarted(definition.start))
        let handler = intake.onCancel { [stopReason] _ in
            if let reason = stopReason.withLock({ $0 }) { recorder.record(.stopping(reason)) }
        }
        if let time = limits.time {
            timerQueue.asyncAfter(deadline: .now() + time / .seconds(1)) { [weak self, limits] in
                self?.stop(limits.timeLimitReached)
            }
        }
        for note in definition.notes { recorder.record(.note(note)) }
        let driver = driver(of: definition, in: mirror, as: run, blocklist, recorder)
        do throws(MirrorError) {
            for step in definition.steps { try step.begin(driver, in: mirror) }
        } catch {
            stop(StopReason(error))
        }
        await driver.processAll()
        recorder.metrics.stopSampling()
        finish(driver, in: mirror)
        withExtendedLifetime(handler) {}
        mirror.close()
        let summary = recorder.finish()
        newMirror?.remove(after: summary)
        return summary
    }

    private func blocklist(_ options: MirrorOptions) async throws(MirrorError) -> Blocklist {
        guard let location = options.blocklist else { return Blocklist() }
        return try await Blocklist(at: location, options: options)
    }

    /// Opens the mirror, and waits while another run uses it, if the options allow that.
    private func open(_ definition: RunDefinition) async throws(MirrorError) -> MirrorFolder {
        let options = definition.options.run
        let deadline = ContinuousClock.now + options.lockTimeout
        while true {
            do throws(MirrorError) {
                return try MirrorFolder.open(
                    definition.start.folder, for: options, mustExist: definition.requiresMirror,
                    isDryRun: definition.isDryRun)
            } catch {
                guard error.code == .locked, .now < deadline, !intake.isCancelled else { throw error }
                // A signal ends the wait.
                try? await pause(for: .milliseconds(200), token: intake)
            }
        }
    }

    /// Connects the parts that process the items: pool, decoders, pipeline, committer and measurements.
    private func driver(
        of definition: RunDefinition, in mirror: borrowing MirrorFolder, as run: LedgerRun, _ blocklist: Blocklist,
        _ recorder: EventRecorder
    ) -> RunDriver {
        let (options, session, width) = (definition.options, definition.session, definition.start.width)
        let pool =
            session?.pool
            ?? WorkPool(width: width, backlog: width, hosts: HostRules(perHost: width), token: token)
        let decoders = DecodePool(
            upTo: definition.jobs, budget: MemoryBudget(options.memory), options: options.thumbnails,
            isolation: options.isolation, folder: mirror.state, metrics: recorder.metrics,
            report: { recorder.record(.note($0)) }, stop: stop)
        recorder.metrics.startSampling(
            RunMetrics.Gauges(
                poolStatus: { pool.status }, received: { session?.transfers.receivedBytes ?? 0 },
                workers: { decoders.workers }, isRemote: definition.tuning.isRemote,
                bandwidth: session?.transfers.options.bandwidth, readsInput: definition.tuning.readsInput))
        session?.transfers.onTransferLimit { [self, limits] bytes in
            // Stopping may wait for the ledger, which the transfers must not do.
            Task { stop(limits.transferLimitReached(with: bytes)) }
        }
        let layout = definition.layout
        let isFlushedLater =
            definition.isFlushedLater && options.durability == .batch && mirror.store.flushing != nil
        return RunDriver(
            definition, as: run, pool: pool,
            pipeline: ItemPipeline(definition, in: mirror, decoders, blocklist, recorder), ledger: mirror.ledger,
            committer: CommitWriter(
                in: mirror.store, ledger: mirror.ledger,
                durability: isFlushedLater ? .none : options.durability, metrics: recorder.metrics,
                batchSize: definition.batchSize, sharesContent: layout.keepsOriginals && options.sharesContent,
                believesDigests: definition.believesDigests,
                placementFailure: layout.placementFailure),
            recorder: recorder, intakeToken: intake, stop: stop, limits: limits, activeItems: activeItems,
            tuner: options.adaptsConcurrency ? Self.tuner(of: pool, upTo: width, recorder) : nil)
    }

    private static func tuner(of pool: WorkPool, upTo maximum: Int, _ recorder: EventRecorder) -> ConcurrencyTuner {
        pool.resize(to: min(MirrorOptions.initialConcurrency, maximum))
        return ConcurrencyTuner(pool, upTo: maximum) { decision in
            recorder.record(.concurrencyChanged(decision.width, reason: decision.reason.rawValue))
        }
    }

    /// Writes the output after all items have ended; failures are in the summary.
    private func finish(_ driver: RunDriver, in mirror: borrowing MirrorFolder) {
        let recorder = driver.recorder
        do throws(MirrorError) {
            try mirror.end(driver.run, recorder: recorder, driver.definition.options.run)
        } catch {
            // If a disk or ledger error has stopped the run already, this is most likely the same one.
            if recorder.current.stop?.isTrouble != true { recorder.record(.stopping(StopReason(error))) }
        }
        for step in driver.definition.steps { step.end(driver, in: mirror) }
        do throws(MirrorError) {
            try mirror.endSession()
        } catch {
            recorder.record(.note("cannot copy the ledger to the bucket: \(error.message)"))
        }
    }
}

extension ItemPipeline {
    fileprivate init(
        _ run: RunDefinition, in mirror: borrowing MirrorFolder, _ decoders: DecodePool, _ blocklist: Blocklist,
        _ recorder: EventRecorder
    ) {
        self.init(
            options: run.options, layout: run.layout, fingerprint: run.options.thumbnails.fingerprint,
            choice: run.choice, store: mirror.store, state: mirror.state, fileSizes: mirror.store.sizes(),
            ledger: mirror.ledger, decoders: decoders, recorder: recorder, broken: run.broken,
            blocklist: blocklist,
            originals: run.session.map { $0.feeds.count > 1 } == true ? OriginalsByAddress() : nil)
    }
}
