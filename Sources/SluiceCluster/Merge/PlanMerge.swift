// SPDX-License-Identifier: MIT

public import SluiceEngine
internal import SluiceFiles
internal import SluiceLedger
public import SluiceModel
internal import SluiceStore

/// Joins the shards of plans into one mirror, after proving that none is missing.
///
/// The plans are that of a source, those that were appended to it, and those of leftovers. The result is the mirror
/// that a single run would have made, with a certificate. An interrupted merge is continued by the next one.
public final class PlanMerge: SingleRun {
    /// The mirror's folder, which holds the shards' attempts.
    public let destination: String
    /// The first plan.
    public var plan: Plan { plans[0].plan }
    /// The last plan.
    public var lastPlan: Plan { plans[plans.count - 1].plan }
    /// The options of the planned mirror.
    public let options: MirrorOptions
    /// The last plan that is not one of leftovers.
    private var lastSource: Plan { plans.last { $0.plan.leftoversOf == nil }?.plan ?? plan }
    private let isDeep: Bool
    private let plans: [OpenedPlan]
    private let proof: Locked<MergeProof?>
    private let blocked = BlockedPhotos()
    /// The run that merges.
    public let control: Run

    /// Opens the plans in `folders`.
    ///
    /// They are that of the source and those that were appended to it in their order, each followed by those of its
    /// leftovers. Plans that the mirror has already need not be named.
    ///
    /// `options` are those of the plan's command. With `isDeep` every file is read and compared with its digest.
    public init(
        ofPlansIn folders: [String], into destination: String, options: MirrorOptions, isDeep: Bool = false
    ) throws(MirrorError) {
        let (plans, proof) = (try OpenedPlan.open(folders, options.buckets), Locked<MergeProof?>(nil))
        (self.plans, self.proof) = (plans, proof)
        (self.destination, self.options, self.isDeep) = (destination, options, isDeep)
        control = Run(RunLimits()) { [blocked] _ in
            guard let proof = proof.withLock({ $0 }) else { preconditionFailure("a merge is proved before it runs") }
            var run = RunDefinition(merging: plans.map(\.plan), proof, into: destination, options)
            run.steps.append(blocked)
            return run
        }
    }

    /// Whether an earlier merge has joined all shards.
    public var isMerged: Bool {
        get throws(MirrorError) { try CertifiedPlans(at: destination, options.buckets).contains(lastSource) }
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
                of: plans, below: destination, options.buckets, isDeep: isDeep, token: control.token)
            self.proof.withLock { $0 = proof }
            return proof.missing
        } catch {
            // Another merge has removed the attempts.
            try Certificate.checkUnmerged(lastSource, at: destination, options.buckets)
            throw error
        }
    }

    /// Merges the proven shards, and lists the photos without a result as deferred.
    ///
    /// Call ``prove()`` first.
    public func run(
        recording record: @escaping @Sendable (Event) -> Void = { _ in }
    ) async throws(MirrorError) -> Summary {
        guard let proof = proof.withLock({ $0 }) else { preconditionFailure("a merge is proved before it runs") }
        let summary = try await control.run(recording: record)
        if summary.stop == nil { try certify(proof) }
        return summary
    }

    /// Writes the certificate, and removes the attempts if all photos are merged.
    private func certify(_ proof: MergeProof) throws(MirrorError) {
        let mirror = try MirrorFolder.open(destination, buckets: options.buckets)
        let counts = try MirrorError.inLedger(mirror.ledger.counts())
        let found = (counts.done, counts.skipped, counts.failed)
        guard found == (proof.counts.done - blocked.count, proof.counts.skipped + blocked.count, proof.counts.failed)
        else {
            throw MirrorError(
                .damaged, "cannot certify '\(destination)': it has other results than the shards; verify its files")
        }
        let certificate = try Certificate(of: proof, plans.map(\.plan), in: mirror.store, isDeep: isDeep)
        // With other durabilities, each commit flushes its own, or nothing is flushed.
        if options.durability == .batch, let folder = mirror.store.flushing {
            try MirrorError.onDisk(folder.flushAll())
        }
        try certificate.write(to: mirror.store)
        if proof.missing.isEmpty, proof.left == 0 { try removeAttempts(in: mirror) }
        mirror.close()
    }

    private func removeAttempts(in mirror: borrowing MirrorFolder) throws(MirrorError) {
        try MirrorError.onDisk(ShardAttempts.removeAll(of: plans.map(\.plan), in: mirror.store))
    }
}

extension RunDefinition {
    /// Photos are taken into the mirror one after another, because they wait for nothing.
    private static let mergeWidth = 1
    /// The number of photos that are committed together; their files are on disk already.
    private static let mergeBatchSize = 1024

    /// Defines a run that takes the results of all shards of a plan into its mirror.
    fileprivate init(merging plans: [Plan], _ proof: MergeProof, into destination: String, _ options: MirrorOptions) {
        let sources = plans.filter { $0.leftoversOf == nil }
        let plan = sources[sources.count - 1]
        let width = Self.mergeWidth
        self.init(
            start: RunStart(source: plan.source, feed: plan.feed, folder: destination, width: width), options: options,
            intake: MergeIntake(rows: proof.rows - proof.merged.rows, shards: proof.shards), input: nil,
            choice: VariantChoice(options, of: ""), fingerprint: options.fingerprint)
        batchSize = Self.mergeBatchSize
        // A merge can be repeated until it is certified, so one flush before that is enough.
        isFlushedLater = true
        // The digests come from ledgers of other machines.
        believesDigests = false
        settings = options.settings(width: width)
        tuning = options.tuning(width: width, isRemote: false)
        steps = [UnmergedCheck(plan: plan, destination: destination, buckets: options.buckets), RunReports()]
    }
}

/// Lets a merge begin only if no other one has merged its last plan.
private struct UnmergedCheck: RunStep {
    let plan: Plan
    let destination: String
    let buckets: S3Options

    func check(_ run: RunDefinition, _ recorder: EventRecorder) throws(MirrorError) {
        try Certificate.checkUnmerged(plan, at: destination, buckets)
    }
}
