// SPDX-License-Identifier: MIT

public import SluiceEngine
internal import SluiceFiles
internal import SluiceLedger
public import SluiceModel
internal import SluiceStore
internal import SluiceTransfer

/// Processes one shard of a plan, and commits it with a single new file.
///
/// Any number of attempts may overlap. Each writes into a folder of its own, the first commits, and the others remove
/// what they wrote. An attempt that was interrupted is resumed on the same machine.
public final class ShardRun: Sendable {
    /// How a shard ended.
    public enum Outcome: Sendable, Hashable {
        /// This run committed the shard.
        case committed(ShardCounts)
        /// An earlier or a concurrent attempt committed the shard.
        case committedElsewhere
        /// Photos remain; another attempt continues.
        case unfinished
    }

    /// The shard's number, from 0.
    public let number: Int
    /// The mirror's folder, which holds the attempts until they are merged.
    public let destination: String
    /// The options of the planned mirror.
    public let options: MirrorOptions
    /// How long to wait for an attempt that another process works on.
    private let lockWait: Duration
    private static let lockInterval = Duration.milliseconds(500)
    private let waiting = CancellationToken()
    private let shard: PlannedShard
    private let current = Locked<(run: Run?, stop: StopReason?)>((nil, nil))
    private let result = Locked(Outcome.unfinished)

    /// Opens a shard of the plan in `folder`; `options` are those of the plan's command.
    ///
    /// Throws if the plan was changed.
    public init(
        _ number: Int, ofPlanIn folder: String, into destination: String, options: MirrorOptions,
        lockWait: Duration = .zero
    ) throws(MirrorError) {
        let store = try Plan.store(folder, options.buckets)
        shard = try PlannedShard(number, of: try Plan(in: store), in: store)
        (self.number, self.destination, self.lockWait) = (number, destination, lockWait)
        var options = options
        options.writesGallery = false
        options.writesParquet = false
        self.options = options
    }

    /// Whether an attempt has committed the shard.
    public var isCommitted: Bool {
        get throws(MirrorError) { try shard.isCommitted }
    }

    /// How the shard ended, after ``run(recording:)``.
    public var outcome: Outcome { result.withLock { $0 } }

    /// What limits the run now.
    public var bottleneck: Bottleneck? { current.withLock { $0.run }?.bottleneck }

    /// Stops the run; the shard is not committed, and its finished photos are kept for another attempt.
    public func stop(_ reason: StopReason = .requested) {
        let run = current.withLock { current in
            current.stop = current.stop ?? reason
            return current.run
        }
        waiting.cancel()
        run?.stop(reason)
    }

    /// Processes the shard unless it is committed.
    ///
    /// It may be called once.
    public func run(
        recording record: @escaping @Sendable (Event) -> Void = { _ in }
    ) async throws(MirrorError) -> Summary {
        guard shard.store.exclusiveWriting != nil else {
            throw MirrorError(
                .usage, "cannot work on '\(shard.store.location)': it cannot store a file only if it is new")
        }
        do throws(MirrorError) {
            try shard.checkUncommitted()
            try await shard.checkReach(of: options, token: waiting)
            let started = Machine.secondsSince1970
            let attempts = try attempts(below: isCopied ? options.buckets.stateFolder ?? destination : destination)
            let (attempt, summary) = try await runAttempt(of: attempts, record)
            switch summary.stop {
            case nil: try commit(attempt, of: attempts, startedAt: started)
            case .limit: try publish(attempt, of: attempts)
            default: break
            }
            return summary
        } catch {
            guard error.code == .locked, try shard.isCommitted else { throw error }
            result.withLock { $0 = .committedElsewhere }
            return Summary()
        }
    }

    private func attempts(below folder: String) throws(MirrorError) -> ShardAttempts {
        try ShardAttempts(of: number, of: shard.plan, below: folder, options.buckets, create: true)
    }

    /// Whether the attempt is on the machine's own disk first, and is copied to the mirror's folder when it is done.
    private var isCopied: Bool { options.buckets.stateFolder != nil && !S3Location.isLocation(destination) }

    /// Resumes an attempt of this machine that no process works on, or starts a new one.
    private func runAttempt(
        of attempts: ShardAttempts, _ record: @escaping @Sendable (Event) -> Void
    ) async throws(MirrorError) -> (attempt: String, Summary) {
        let deadline = ContinuousClock.now + lockWait
        for attempt in try attempts.ofThisMachine() {
            if let summary = try await resume(attempt, of: attempts, until: deadline, record) {
                return (attempt, summary)
            }
        }
        let attempt = ShardAttempts.newName()
        return (attempt, try await run(attempt, of: attempts, record))
    }

    /// Resumes an attempt; returns `nil` if another process works on it until the deadline, or if its ledger is
    /// damaged, because a new attempt does not depend on it.
    private func resume(
        _ attempt: String, of attempts: ShardAttempts, until deadline: ContinuousClock.Instant,
        _ record: @escaping @Sendable (Event) -> Void
    ) async throws(MirrorError) -> Summary? {
        while true {
            do throws(MirrorError) { return try await run(attempt, of: attempts, record) } catch {
                guard error.code == .locked || error.code == .damaged else { throw error }
                try shard.checkUncommitted()
                guard error.code == .locked, ContinuousClock.now < deadline else { return nil }
            }
            do throws(Failure) { try await pause(for: Self.lockInterval, token: waiting) } catch { return nil }
        }
    }

    private func run(
        _ attempt: String, of attempts: ShardAttempts, _ record: @escaping @Sendable (Event) -> Void
    ) async throws(MirrorError) -> Summary {
        var options = options
        options.buckets = attempts.buckets(of: attempt)
        let (shard, path) = (shard, attempts.path(of: attempt))
        let run = Run(options.limits) { [options] context throws(MirrorError) in
            try RunDefinition(of: shard, into: path, options: options, in: context)
        }
        let status = ShardStatus(of: shard, attempt: attempt)
        let stop = current.withLock { current in
            current.run = run
            return current.stop
        }
        if let stop { run.stop(stop) }
        return try await run.run { event in
            status.record(event)
            record(event)
        }
    }

    /// Stores the shard's receipt if it is the first one.
    private func commit(_ attempt: String, of attempts: ShardAttempts, startedAt started: Int) throws(MirrorError) {
        // While the ledger is hashed, no other process may resume the attempt. Afterwards it finds the receipt.
        let lock = try attempts.lock(attempt)
        if let published = try copy(attempt, of: attempts) {
            try commit(attempt, in: published, startedAt: started)
            // If the removal fails, the copy on the machine's own disk only takes space.
            if outcome != .unfinished { try? attempts.remove(attempt) }
        } else {
            try commit(attempt, in: attempts, startedAt: started)
        }
        lock.release()
        if outcome != .unfinished { try? attempts.removeState(of: attempt) }
    }

    /// Copies an unfinished attempt to the mirror's folder, so that the finished photos are known there when the shard
    /// is closed.
    private func publish(_ attempt: String, of attempts: ShardAttempts) throws(MirrorError) {
        let lock = try attempts.lock(attempt)
        _ = try copy(attempt, of: attempts)
        lock.release()
    }

    /// Copies an attempt from the machine's own disk to the mirror's folder; returns `nil` if it is already there.
    private func copy(_ attempt: String, of attempts: ShardAttempts) throws(MirrorError) -> ShardAttempts? {
        guard isCopied, let folder = try attempts.localFolder(of: attempt) else { return nil }
        let published = try self.attempts(below: destination)
        guard let copy = try published.localFolder(of: attempt, create: true) else { return nil }
        let lock = try published.lock(attempt)
        // Closing the shard may have committed an earlier copy, which must not change any more.
        try shard.checkUncommitted()
        try AttemptCopy(from: folder, to: copy).run()
        lock.release()
        return published
    }

    private func commit(_ attempt: String, in attempts: ShardAttempts, startedAt started: Int) throws(MirrorError) {
        let results = try attempts.results(of: attempt)
        let counts = try ShardCounts(in: results.ledger)
        // A photo that was cancelled has no result.
        guard counts.ended == shard.rows else { return }
        let receipt = ShardReceipt(
            of: number, of: shard.plan, attempt: attempt, ledger: results.file, counts: counts, startedAt: started)
        if try receipt.writeIfFirst(to: shard.store) {
            result.withLock { $0 = .committed(counts) }
        } else {
            result.withLock { $0 = .committedElsewhere }
            // Another attempt has won. If the removal fails, merging removes the rest.
            try? attempts.remove(attempt)
        }
    }
}
