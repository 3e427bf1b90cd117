// SPDX-License-Identifier: MIT

public import SluiceEngine
public import SluiceModel
internal import SluiceStore
internal import SluiceTransfer

/// Processes one shard of a plan, and commits it with a single new file.
///
/// Any number of attempts may overlap. Each writes into a folder of its own, the first commits, and the others remove
/// what they wrote. An attempt that was interrupted is resumed on the same machine.
public final class ShardRun: ControlledRun {
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
    private let dataset: ShardDataset?
    /// The time between two looks for finished shards; `nil` for the usual one.
    private let receiptInterval: Duration?
    private let waiting = CancellationToken()
    private let shard: PlannedShard
    private let current = Locked<(run: Run?, stop: StopReason?)>((nil, nil))
    private let result = Locked(Outcome.unfinished)
    private let written = Locked<[(attempts: ShardAttempts, attempt: String)]>([])
    private let doubted = Locked<[String]>([])

    /// Opens a shard of the plan in `folder`; `options` are those of the plan's command.
    ///
    /// Throws if the plan was changed.
    public convenience init(
        _ number: Int, ofPlanIn folder: String, into destination: String, options: MirrorOptions,
        lockWait: Duration = .zero
    ) throws(MirrorError) {
        try self.init(
            number, ofPlanIn: folder, into: destination, options: options, dataset: nil, lockWait: lockWait)
    }

    /// Opens a shard; with `dataset` it becomes a piece of a dataset instead of a part of a mirror.
    package init(
        _ number: Int, ofPlanIn folder: String, into destination: String, options: MirrorOptions,
        dataset: ShardDataset?, lockWait: Duration = .zero, receiptInterval: Duration? = nil
    ) throws(MirrorError) {
        let store = try Plan.store(folder, options.buckets)
        shard = try PlannedShard(number, of: try Plan(in: store), in: store)
        try dataset?.check(shard.plan.columns)
        (self.number, self.destination, self.lockWait, self.dataset) = (number, destination, lockWait, dataset)
        self.receiptInterval = receiptInterval
        var options = options
        options.writesGallery = false
        options.writesParquet = false
        self.options = options
    }

    /// Whether an attempt has committed the shard.
    ///
    /// Its pieces of a dataset get their names, if its process was killed before. Throws if its files are not in the
    /// mirror, which may be another one.
    public func finishIfCommitted() throws(MirrorError) -> Bool {
        guard let receipt = try ShardReceipt(of: number, of: shard.plan, in: shard.store) else { return false }
        if !receipt.files.isEmpty {
            if dataset != nil { try datasetFolder()?.place(receipt) }
        } else if let attempt = receipt.attempt, try !hasFiles(of: attempt) {
            throw MirrorError(
                .usage,
                "cannot work on shard \(number): it is committed, but '\(destination)' does not have its files; use "
                    + "the folder that has them, or remove \(Plan.receiptName(of: number)) from the plan to process it again"
            )
        }
        return true
    }

    /// Whether the mirror has the files of an attempt, or of the whole plan after a merge.
    private func hasFiles(of attempt: String) throws(MirrorError) -> Bool {
        do throws(MirrorError) {
            if try ShardAttempts(of: number, of: shard.plan, below: destination, options.buckets).all().contains(
                attempt)
            {
                return true
            }
        } catch {
            guard error.code == .usage else { throw error }
        }
        return try CertifiedPlans(at: destination, options.buckets).contains(shard.plan)
    }

    /// How the shard ended, after ``run(recording:)``.
    public var outcome: Outcome { result.withLock { $0 } }

    /// The hosts because of which the shard is not committed: they failed here, and other shards get photos from them.
    public var doubtedHosts: [String] { doubted.withLock { $0 } }

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
            let target = try datasetFolder()
            let localFolder = try localFolder
            let attempts = try attempts(below: localFolder ?? destination, isOwnDisk: localFolder != nil)
            let look = SecondLook(of: shard, at: destination, options.buckets)
            let (attempt, summary) = try await runAttempt(of: attempts) { event in
                look?.record(event)
                record(event)
            }
            if summary.stop == nil, let hosts = look?.takeHosts() { doubted.withLock { $0 = hosts } }
            switch summary.stop {
            case nil where !doubtedHosts.isEmpty: break
            case nil: try commit(attempt, of: attempts, into: target, startedAt: started)
            case .limit: if dataset == nil { try publish(attempt, of: attempts) }
            default: break
            }
            if outcome == .unfinished { _ = try isOvertaken() }
            return summary
        } catch {
            // A process that was frozen may fail because another one has committed the shard. Pieces of a dataset
            // may be committed by this one, and have yet to get their names.
            guard error.code == .locked || error.code != .usage && dataset == nil, try isOvertaken() else {
                throw error
            }
            return Summary()
        }
    }

    /// Whether another attempt, or another process in this one, has committed the shard; removes what lost.
    private func isOvertaken() throws(MirrorError) -> Bool {
        guard let receipt = try shard.receipt else { return false }
        result.withLock { $0 = .committedElsewhere }
        for (attempts, attempt) in written.withLock(\.self) {
            // If a removal fails, merging removes the rest, and the local files only take space.
            try? attempts.remove(attempt, losingTo: receipt)
            try? attempts.removeCopy(of: attempt)
            try? attempts.removeState(of: attempt)
        }
        return true
    }

    private func attempts(below folder: String, isOwnDisk: Bool) throws(MirrorError) -> ShardAttempts {
        try ShardAttempts(
            of: number, of: shard.plan, below: folder, options.buckets, create: true, isOwnDisk: isOwnDisk)
    }

    /// The folder on the machine's own disk in which the attempt is made, before it is copied when it is done; `nil` if
    /// it is made in the mirror's folder or bucket.
    private var localFolder: String? {
        get throws(MirrorError) {
            let isInBucket = S3Location.isLocation(destination)
            // The pieces are made of local files, and only they are uploaded.
            guard dataset != nil || !isInBucket else { return nil }
            if let folder = options.buckets.stateFolder { return folder }
            return try BucketMirror(destination, options.buckets)?.statePath()
        }
    }

    /// Opens the dataset; `nil` if the shard is a part of a mirror.
    private func datasetFolder() throws(MirrorError) -> DatasetFolder? {
        guard let dataset else {
            guard let other = try DatasetFolder(of: shard.plan, at: destination, options.buckets) else { return nil }
            throw MirrorError(
                .usage,
                "cannot work on the dataset in '\(destination)' without its options `"
                    + "\(other.words.joined(separator: " "))`")
        }
        return try DatasetFolder(
            of: shard.plan, at: destination, options.buckets, beginningWith: dataset.words)
    }

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
        do throws(MirrorError) { return try await begin(attempts, record) } catch {
            // Another process, which looked for interrupted attempts, has locked the new folder first, and resumes it.
            guard error.code == .locked, try !shard.isCommitted else { throw error }
            return try await begin(attempts, record)
        }
    }

    private func begin(
        _ attempts: ShardAttempts, _ record: @escaping @Sendable (Event) -> Void
    ) async throws(MirrorError) -> (attempt: String, Summary) {
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
            do throws(MirrorError) {
                if try attempts.mayResume(attempt) { return try await run(attempt, of: attempts, record) }
                guard ContinuousClock.now < deadline else { return nil }
            } catch {
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
        let originFiles = SharedOriginFiles(of: shard, at: destination, self.options.buckets)
        let run = Run(options.limits) { [weak self, options, receiptInterval] context throws(MirrorError) in
            try RunDefinition(of: shard, into: path, options: options, in: context, originFiles: originFiles) {
                ReceiptWatch(of: shard, $0, every: receiptInterval) { [weak self] in self?.stop() }
            }
        }
        let status = ShardStatus(of: shard, attempt: attempt)
        let stop = current.withLock { current in
            current.run = run
            return current.stop
        }
        if let stop { run.stop(stop) }
        return try await run.run { [written] event in
            // Until then another process may have the attempt.
            if case .runStarted = event { written.withLock { $0.append((attempts, attempt)) } }
            status.record(event)
            record(event)
        }
    }

    /// Stores the shard's receipt if it is the first one.
    private func commit(
        _ attempt: String, of attempts: ShardAttempts, into target: DatasetFolder?, startedAt started: Int
    ) throws(MirrorError) {
        if let dataset, let target {
            let commit = DatasetCommit(
                shard: shard, dataset: dataset, target: target, attempts: attempts,
                isCopied: try localFolder != nil, token: waiting)
            let outcome = try commit.run(attempt, startedAt: started)
            return result.withLock { $0 = outcome }
        }
        // While the ledger is hashed, no other process may resume the attempt. Afterwards it finds the receipt.
        let lock = try attempts.lock(attempt)
        try commit(attempt, in: try copy(attempt, of: attempts) ?? attempts, lock, startedAt: started)
        lock.release()
        guard outcome != .unfinished else { return }
        // If a removal fails, the files on the machine's own disk only take space.
        try? attempts.removeCopy(of: attempt)
        try? attempts.removeState(of: attempt)
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
        guard try localFolder != nil, let folder = try attempts.localFolder(of: attempt) else { return nil }
        let published = try self.attempts(below: destination, isOwnDisk: false)
        guard let copy = try published.localFolder(of: attempt, create: true) else { return nil }
        let lock = try published.lock(attempt)
        written.withLock { $0.append((published, attempt)) }
        // Closing the shard may have committed an earlier copy, which must not change any more.
        try shard.checkUncommitted()
        try AttemptCopy(from: folder, to: copy).run()
        lock.release()
        return published
    }

    private func commit(
        _ attempt: String, in attempts: ShardAttempts, _ lock: borrowing LocationLock, startedAt started: Int
    ) throws(MirrorError) {
        let results = try attempts.results(of: attempt)
        let counts = try ShardCounts(in: results.ledger)
        // A photo that was cancelled has no result.
        guard counts.ended == shard.rows else { return }
        try attempts.keep(results, in: lock)
        let receipt = ShardReceipt(
            of: number, of: shard.plan, attempt: attempt, ledger: results.file, counts: counts, startedAt: started)
        if try receipt.writeIfFirst(to: shard.store) { result.withLock { $0 = .committed(counts) } }
    }
}

/// How shards become pieces of a dataset: a function that exports a finished attempt, and its options.
///
/// The module of exports is no dependency of this one, so the caller provides the function.
package struct ShardDataset: Sendable {
    /// The options of the export in words, which all shards of a dataset share.
    package let words: [String]
    /// Throws if the options do not suit photos with the columns of the plan.
    package let check: @Sendable ([ListedColumn]) throws(MirrorError) -> Void
    /// Exports a mirror into a new folder, with the columns of the whole plan; returns the number of exported photos,
    /// or `nil` if it was cancelled.
    package let export:
        @Sendable (
            _ mirror: String, _ folder: String, _ columns: [ListedColumn], _ token: CancellationToken
        ) throws(MirrorError) -> Int?

    /// Makes a description of datasets.
    ///
    /// The function must write the same bytes for the same mirror and columns.
    package init(
        words: [String], check: @escaping @Sendable ([ListedColumn]) throws(MirrorError) -> Void,
        export: @escaping @Sendable (String, String, [ListedColumn], CancellationToken) throws(MirrorError) -> Int?
    ) {
        (self.words, self.check, self.export) = (words, check, export)
    }
}
