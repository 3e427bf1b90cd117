// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFeeds
internal import SluiceLedger
internal import SluiceModel
internal import SluiceStore
internal import SluiceTransfer

/// One shard of a plan, whose rows were compared with the plan.
struct PlannedShard: Sendable {
    let plan: Plan
    let number: Int
    let store: any Store

    init(_ number: Int, of plan: Plan, in store: any Store) throws(MirrorError) {
        guard plan.shards.indices.contains(number) else {
            throw MirrorError(
                .usage, "cannot work on shard \(number): the plan has the shards 0 to \(plan.shards.count - 1)")
        }
        (self.plan, self.number, self.store) = (plan, number, store)
        try RowFileReader.check(number, of: plan, in: store)
    }

    var rows: Int { plan.shards[number].rows }

    /// The receipt of the attempt that has committed the shard; `nil` if none has.
    var receipt: ShardReceipt? {
        get throws(MirrorError) { try ShardReceipt(of: number, of: plan, in: store) }
    }

    var isCommitted: Bool {
        get throws(MirrorError) { try receipt != nil }
    }

    /// The committed shards of the plan; none if they cannot be listed now.
    func committedShards() -> [Int] {
        ((try? store.names(in: Plan.receipts)) ?? []).compactMap { name in
            name.hasSuffix(".json") ? Int(name.dropLast(5)) : nil
        }
    }

    /// Throws if an attempt has committed the shard; a run calls it when it has locked its folder.
    func checkUncommitted() throws(MirrorError) {
        guard try isCommitted else { return }
        throw MirrorError(.locked, "shard \(number) is already committed")
    }

    /// Throws if the shard has photos at the origin of the plan's source, and no request may reach it.
    ///
    /// Only the user's SOURCE may be on a private network, and that of a plan may be a stranger's. Otherwise the shard
    /// would be committed with a failure for each of these photos.
    func checkReach(of options: MirrorOptions, token: CancellationToken) async throws(MirrorError) {
        let source = try MirrorError.atSource(try Source(planned: plan.source, isList: plan.isList))
        guard let (address, refusal) = try await FeedSession.refusal(of: source, options: options, token: token),
            try hasPhotos(at: address)
        else { return }
        throw MirrorError(
            .usage, "cannot work on the plan: its source '\(plan.source)' is refused, because \(refusal.detail)",
            hint: refusal.hint)
    }

    private func hasPhotos(at origin: WebAddress) throws(MirrorError) -> Bool {
        var reader = try RowFileReader(number, of: plan, in: store)
        while true {
            let rows = try reader.next(256)
            guard !rows.isEmpty else { return false }
            let addresses = rows.lazy.flatMap(\.item.photo.variants).compactMap { WebAddress($0.url) }
            if addresses.contains(where: origin.hasOrigin) { return true }
        }
    }

    /// Opens the plan's source, whose pages are not read, for its limits and its rules.
    func session(
        options: MirrorOptions, width: Int, token: CancellationToken, shares: HostShares? = nil,
        originFiles: SharedOriginFiles? = nil
    ) throws(MirrorError) -> FeedSession {
        let known = try MirrorError.atSource(try Source(planned: plan.source, isList: plan.isList))
        let session = try FeedSession(
            [known], options: options, width: width, token: token, shares: shares?.counts ?? [:],
            originFiles: originFiles)
        guard session.feedName === plan.feed, session.fingerprint == plan.feedFingerprint else {
            throw MirrorError(
                .usage,
                "cannot work on the plan: '\(plan.source)' is not the same on this machine as when it was planned")
        }
        guard options.fingerprint == plan.options else {
            throw MirrorError(
                .usage, "cannot work on the plan: these options make other files than those that were planned")
        }
        return session
    }
}

extension RunDefinition {
    /// Defines a run that processes one shard of a plan, without reading the feed.
    init(
        of shard: PlannedShard, into folder: String, options: MirrorOptions, in context: RunContext,
        originFiles: SharedOriginFiles?, watching makeWatch: (HostShares) -> ReceiptWatch
    ) throws(MirrorError) {
        let width = context.descriptors.width(for: options.concurrency)
        var shares = HostShares(of: shard.number, in: shard.plan)
        shares.finish(shard.committedShards())
        let session = try shard.session(
            options: options, width: width, token: context.token, shares: shares, originFiles: originFiles)
        try self.init(
            of: [shard.plan.source], session, into: folder, options: options, in: context, intake: ShardIntake(shard))
        metricsLabels = ["shard": "\(shard.number)"]
        steps.insert(makeWatch(shares), at: 0)
    }
}

/// Submits the photos of one shard, with the positions and names that the plan assigned.
struct ShardIntake: Intake {
    /// The number of photos that are claimed together.
    private static let batchSize = 256

    private let shard: PlannedShard
    var keepsEarlierReceipts: Bool { false }

    init(_ shard: PlannedShard) { self.shard = shard }

    func submitItems(to driver: RunDriver) async -> Bool {
        driver.record(.pageRequested(number: 1))
        driver.record(.pageLoaded(number: 1, photos: shard.rows, total: shard.rows))
        do throws(MirrorError) {
            var reader = try RowFileReader(shard.number, of: shard.plan, in: shard.store)
            var streak = KeptStreak()
            while !driver.intakeToken.isCancelled {
                let rows = try reader.next(Self.batchSize)
                guard !rows.isEmpty else { break }
                let claims = try MirrorError.inLedger(driver.ledger.claim(rows, in: driver.run))
                await driver.submit(claims[...], &streak)
            }
        } catch {
            driver.stop(StopReason(error))
        }
        return false
    }
}
