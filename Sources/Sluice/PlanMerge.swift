// SPDX-License-Identifier: MIT

public import SluiceEngine
internal import SluiceFiles
internal import SluiceLedger
public import SluiceModel
internal import SluiceStore
internal import SluiceTransfer

/// Joins the shards of a plan, and of plans of its leftovers, into one mirror, after proving that none is missing.
///
/// The result is the mirror that a single run would have made, with a certificate. An interrupted merge is continued by
/// the next one.
public final class PlanMerge: Sendable {
    /// The files that only a merge writes.
    static let certificateFiles = [Certificate.name, Certificate.success]
    /// Photos are taken into the mirror one after another, because they wait for nothing.
    private static let width = 1
    /// The number of photos that are committed together; their files are on disk already.
    private static let batchSize = 1024

    /// The mirror's folder, which holds the shards' attempts.
    public let destination: String
    /// The plan of the source.
    public var plan: Plan { plans[0].plan }
    /// The newest plan of leftovers, or the plan of the source if no leftovers were planned.
    public var lastPlan: Plan { plans[plans.count - 1].plan }
    /// The options of the planned mirror.
    public let options: MirrorOptions
    private let isDeep: Bool
    private let plans: [OpenedPlan]
    private let lifecycle: RunLifecycle
    private let proof = Locked<MergeProof?>(nil)

    /// Opens the plans in `folders`: that of the source, and then those of leftovers in their order.
    ///
    /// `options` are those of the plan's command. With `isDeep` every file is read and compared with its digest.
    public init(
        ofPlansIn folders: [String], into destination: String, options: MirrorOptions, isDeep: Bool = false
    ) throws(MirrorError) {
        plans = try OpenedPlan.open(folders, options.buckets)
        (self.destination, self.options, self.isDeep) = (destination, options, isDeep)
        lifecycle = RunLifecycle(RunLimits())
    }

    /// Whether an earlier merge has joined all shards.
    public var isMerged: Bool {
        get throws(MirrorError) {
            if let bucket = try BucketMirror(destination, options.buckets) {
                return Certificate.certifies(plan, in: try bucket.openShared().store)
            }
            guard let folder = try? Folder(destination) else { return false }
            return Certificate.certifies(plan, in: LocalStore(folder))
        }
    }

    /// Removes the attempts that an earlier merge left when it was killed after it had joined all shards.
    public func finishEarlierMerge() throws(MirrorError) {
        let mirror = try MirrorFolder.open(destination, buckets: options.buckets)
        try removeAttempts(in: mirror)
        mirror.close()
    }

    /// The number of photos that have no result after the last plan; known after ``prove()``.
    public var left: Int { proof.withLock { $0?.left } ?? 0 }

    /// Proves that every committed shard is complete; returns the shards of the last plan that are not committed.
    ///
    /// Changes nothing. Throws if a committed shard is damaged.
    public func prove() throws(MirrorError) -> [Int] {
        do throws(MirrorError) {
            let proof = try MergeProof(
                of: plans, below: destination, options.buckets, isDeep: isDeep, token: lifecycle.token)
            self.proof.withLock { $0 = proof }
            return proof.missing
        } catch {
            // Another merge has removed the attempts.
            try checkUnmerged()
            throw error
        }
    }

    /// Throws if another merge has joined all shards in the meantime.
    private func checkUnmerged() throws(MirrorError) {
        if try isMerged {
            throw MirrorError(.locked, "cannot merge into '\(destination)': another merge has finished it")
        }
    }

    /// Merges the proven shards, and lists the photos without a result as deferred.
    ///
    /// Call ``prove()`` first.
    public func run(
        recording record: @escaping @Sendable (Event) -> Void = { _ in }
    ) async throws(MirrorError) -> Summary {
        guard let proof = proof.withLock({ $0 }) else { preconditionFailure("a merge is proved before it runs") }
        let configuration = RunConfiguration(
            start: RunStart(source: plan.source, feed: plan.feed, folder: destination, width: Self.width),
            options: options.run, fingerprint: options.fingerprint, hasLiveGallery: false,
            settings: options.settings(width: Self.width),
            tuning: options.tuning(width: Self.width, isRemote: false))
        let reports = RunReports(configuration) { [self] () throws(MirrorError) in try checkUnmerged() }
        let summary = try await lifecycle.run(configuration, observer: reports, recording: record) {
            mirror, run, recorder in
            let pool = WorkPool(
                width: Self.width, backlog: Self.width, hosts: HostRules(perHost: Self.width), token: lifecycle.token)
            recorder.metrics.startSampling(
                RunMetrics.Gauges(
                    poolStatus: { pool.status }, received: { 0 }, workers: { [] }, isRemote: false))
            let results = ShardResults()
            // A merge can be repeated until it is certified, so one flush before that is enough.
            let durability = flushing(of: mirror.store) == nil ? options.durability : .none
            return RunDriver(
                intake: MergeIntake(
                    rows: plan.rows, shards: proof.shards, results: results),
                run: run, pool: pool, pipeline: MergePipeline(results: results, store: mirror.store),
                ledger: mirror.ledger,
                committer: CommitWriter(
                    in: mirror.store, ledger: mirror.ledger, durability: durability,
                    metrics: recorder.metrics, batchSize: Self.batchSize, sharesContent: options.sharesContent,
                    believesDigests: false),
                recorder: recorder, intakeToken: lifecycle.intake, stop: lifecycle.stop)
        }
        if summary.stop == nil { try certify(proof) }
        return summary
    }

    /// Stops the merge; the next one continues it.
    public func stop(_ reason: StopReason = .requested) { lifecycle.stop(reason) }

    /// What limits the merge now.
    public var bottleneck: Bottleneck? { lifecycle.bottleneck }

    /// Writes the certificate, and removes the attempts if all photos are merged.
    private func certify(_ proof: MergeProof) throws(MirrorError) {
        let mirror = try MirrorFolder.open(destination, buckets: options.buckets)
        let counts = try MirrorError.inLedger(mirror.ledger.counts())
        let found = (counts.done, counts.skipped, counts.failed)
        guard found == (proof.counts.done, proof.counts.skipped, proof.counts.failed) else {
            throw MirrorError(
                .damaged, "cannot certify '\(destination)': it has other results than the shards; verify its files")
        }
        let certificate = try Certificate(of: proof, plans.map(\.plan), in: mirror.store, isDeep: isDeep)
        if let flushing = flushing(of: mirror.store) { try MirrorError.onDisk(flushing.flushAll()) }
        try certificate.write(to: mirror.store)
        if proof.missing.isEmpty, proof.left == 0 { try removeAttempts(in: mirror) }
        mirror.close()
    }

    /// Flushes all files at the end of the merge; `nil` if each commit flushes its own, or if none is wanted.
    private func flushing(of store: any Store) -> (any JointFlushing)? {
        options.durability == .batch ? store.flushing : nil
    }

    private func removeAttempts(in mirror: borrowing MirrorFolder) throws(MirrorError) {
        try MirrorError.onDisk(ShardAttempts.removeAll(of: plans.map(\.plan), in: mirror.store))
    }
}
