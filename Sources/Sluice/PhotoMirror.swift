// SPDX-License-Identifier: MIT

public import SluiceEngine
internal import SluiceFeeds
internal import SluiceFiles
internal import SluiceImaging
internal import SluiceLedger
public import SluiceModel
internal import SluiceStore
internal import SluiceTransfer

/// Mirrors a feed's photos into a folder, with thumbnails, a gallery, a manifest and a ledger.
public final class PhotoMirror: Sendable {
    /// The source argument, as the user wrote it.
    public let source: String
    /// The source without a user name and password, for display and storage.
    public var shownSource: String { Userinfo.split(source).url }
    /// The mirror's folder.
    public let folder: String
    /// The options.
    public let options: MirrorOptions
    private let broken: BrokenItems?
    let adoption: Adoption?
    private let shard: PlannedShard?
    let lifecycle: RunLifecycle
    private let subscribers = EventSubscribers()

    /// Describes a run.
    ///
    /// Nothing is opened or created before ``run(recording:)``.
    public init(of source: String, into folder: String, options: MirrorOptions = MirrorOptions()) {
        self.source = source
        self.folder = folder
        self.options = options
        (broken, adoption, shard) = (nil, nil, nil)
        lifecycle = RunLifecycle(options.limits)
    }

    /// Describes a run that repairs the files that a verification found damaged or missing, in all existing sizes.
    ///
    /// It does not read the feed and uses the URLs in the ledger. Items that cannot be repaired stay as they are.
    public init(of source: String, into folder: String, options: MirrorOptions, repairing items: BrokenItems) {
        self.source = source
        self.folder = folder
        var options = options
        options.reset(.notRepair)
        options.thumbnails.sizes = items.sizes.sorted().compactMap(ThumbnailSize.init)
        self.options = options
        (broken, adoption, shard) = (items, nil, nil)
        lifecycle = RunLifecycle(options.limits)
    }

    /// Describes a run that copies originals from a folder that another tool filled, instead of downloading them.
    ///
    /// A file is matched with a photo by its checksum, by a URL that the tool recorded, by its name, or by the photo's
    /// ID. Ambiguous matches are ignored, and the folder itself is not changed. With `walkingFeed` the photos of the
    /// feed are matched, otherwise only those in the ledger. Photos without a file keep their state, so that a later
    /// run downloads them.
    public init(
        of source: String, into folder: String, options: MirrorOptions, adopting files: String, walkingFeed: Bool
    ) {
        self.source = source
        self.folder = folder
        var options = options
        options.reset(.notAdoption)
        self.options = options
        (broken, adoption, shard) = (nil, Adoption(of: files, walksFeed: walkingFeed), nil)
        lifecycle = RunLifecycle(options.limits)
    }

    /// Describes a run that processes one shard of a plan, without reading the feed.
    init(of shard: PlannedShard, into folder: String, options: MirrorOptions) {
        source = shard.plan.source
        self.folder = folder
        self.options = options
        (broken, adoption, self.shard) = (nil, nil, shard)
        lifecycle = RunLifecycle(options.limits)
    }

    /// Performs the run.
    ///
    /// It may be called once.
    ///
    /// Calls `record` for one event at a time, in ``Event``'s order. Throws only if the run cannot begin. Later
    /// failures of items, pages and the disk are in the summary.
    public func run(
        recording record: @escaping @Sendable (Event) -> Void = { _ in }
    ) async throws(MirrorError) -> Summary {
        defer { subscribers.close() }
        let naming = try MirrorError.atName(options.name)
        guard adoption == nil || !S3Location.isLocation(folder) else {
            throw MirrorError(.usage, "cannot adopt into '\(folder)': this is not supported for buckets")
        }
        try adoption?.checkFolder()
        try Machine.checkThreads()
        let limit = DescriptorLimit.raised()
        try limit.check()
        let width = limit.width(for: options.concurrency)
        let session =
            if let shard {
                try shard.session(options: options, width: width, token: lifecycle.token)
            } else {
                try FeedSession(source, options: options, width: width, token: lifecycle.token)
            }
        let configuration = configuration(for: session, width: width)
        let reports = RunReports(configuration) { [shard] () throws(MirrorError) in try shard?.checkUncommitted() }
        return try await lifecycle.run(configuration, observer: reports) { [subscribers] event in
            subscribers.send(event)
            record(event)
        } makeDriver: { mirror, run, recorder in
            for case let note? in [limit.note(for: options.concurrency), session.proxyNote, session.keyNote] {
                recorder.record(.note(note))
            }
            var driver = driver(of: session, in: mirror, as: run, recorder: recorder, naming: naming)
            driver.activeItems = lifecycle.activeItems
            driver.watchLimit = watchLimit(width: width)
            session.transfers.onTransferLimit { [lifecycle, options] bytes in
                // Stopping may wait for the ledger, which the transfers must not do.
                Task { lifecycle.stop(options.limits.transferLimitReached(with: bytes)) }
            }
            if options.adaptsConcurrency { driver.tuner = tuner(of: session.pool, upTo: width, recorder) }
            driver.missingItems = options.prune.map {
                Pruning(options: $0, store: mirror.store, ledger: mirror.ledger)
            }
            return driver
        }
    }

    /// Stops the run.
    ///
    /// No new items start, and finished work is kept.
    ///
    /// After a signal or a limit, items in flight have `RunLimits.drain` to finish. Otherwise they are cancelled.
    public func stop(_ reason: StopReason = .requested) {
        lifecycle.stop(reason)
    }

    /// The stage that limited the run in the last few seconds; `nil` for none, and before the run has begun.
    public var bottleneck: Bottleneck? { lifecycle.bottleneck }

    /// Returns the run's events as a sequence, from now on.
    ///
    /// Call it before ``run(recording:)``, once for each reader.
    ///
    /// A slow reader does not slow the run and misses no item's end; see ``RunEvents``.
    public func events() -> RunEvents { subscribers.subscribe() }

    /// Cancels an item in flight by its `Item.id`.
    ///
    /// The next run processes it again.
    ///
    /// Returns `false` if the item has ended or has not been reached yet.
    @discardableResult
    public func cancel(_ id: Item.ID) -> Bool { lifecycle.activeItems.cancel(id) }

    /// Returns the runs in the ledger of the mirror in `folder`, in their order.
    public static func runs(in folder: String, buckets: S3Options = S3Options()) throws(MirrorError) -> [PastRun] {
        let mirror = try MirrorFolder.open(reading: folder, buckets: buckets)
        let runs = try MirrorError.inLedger(mirror.ledger.runs())
        mirror.close()
        return runs
    }

    /// Returns the changes of photos of the mirror in `folder` in the runs after `first`, up to `last`.
    public static func changes(
        in folder: String, after first: Int, upTo last: Int, buckets: S3Options = S3Options()
    ) throws(MirrorError) -> [ItemChange] {
        let mirror = try MirrorFolder.open(reading: folder, buckets: buckets)
        let changes = try MirrorError.inLedger(mirror.ledger.changes(after: first, upTo: last))
        mirror.close()
        return changes
    }

    /// The items to take from the ledger instead of the feed; `nil` to read the feed.
    private var retry: LedgerIntake.Selection? {
        broken.map { .broken($0) } ?? options.retriedCauses.map { .failures($0) }
    }

    private func intake(
        of session: FeedSession, in mirror: borrowing MirrorFolder, as run: LedgerRun, naming: NameTemplate
    ) -> any Intake {
        if let retry { return LedgerIntake(retry, maxItems: session.limits.items) }
        if let shard { return ShardIntake(shard) }
        let reading = FeedIntake(
            feed(of: session, in: mirror, as: run), limits: session.limits, naming: naming,
            stopAfterSeen: options.stopAfterSeen)
        return adoption.map { AdoptionIntake($0, choice: choice(of: session), reading: reading) } ?? reading
    }

    private func configuration(for session: FeedSession, width: Int) -> RunConfiguration {
        var shared = options.run
        shared.commandLine = shared.commandLine.map { Userinfo.split($0).url }
        return RunConfiguration(
            start: RunStart(source: shownSource, feed: session.feed.name, folder: folder, width: width),
            options: shared, fingerprint: options.fingerprint,
            pagingFingerprint: "\(options.pagingFingerprint) feed=\(session.fingerprint)",
            requiresMirror: retry != nil || adoption?.walksFeed == false,
            wantsAll: options.wantsAll && retry == nil && adoption == nil && shard == nil,
            settings: options.settings(width: width),
            tuning: options.tuning(width: width, isRemote: !session.isFolder))
    }

    /// The longest time that an item may take: a transfer, all decodes that may precede its own, and a reserve.
    private func watchLimit(width: Int) -> Duration {
        let decoders = MemoryBudget(options.memory).decoders(upTo: Machine.cores, options.isolation)
        let rounds = width / decoders + 2
        return options.timeout + .seconds(options.thumbnails.limits.seconds) * rounds + .seconds(60)
    }

    private func tuner(of pool: WorkPool, upTo maximum: Int, _ recorder: EventRecorder) -> ConcurrencyTuner {
        pool.resize(to: min(MirrorOptions.initialConcurrency, maximum))
        return ConcurrencyTuner(pool, upTo: maximum) { decision in
            recorder.record(.concurrencyChanged(decision.width, reason: decision.reason.rawValue))
        }
    }

    private func driver(
        of session: FeedSession, in mirror: borrowing MirrorFolder, as run: LedgerRun, recorder: EventRecorder,
        naming: NameTemplate
    ) -> RunDriver {
        let decoders = DecodePool(
            upTo: Machine.cores, budget: MemoryBudget(options.memory), options: options.thumbnails,
            isolation: options.isolation, folder: mirror.state, metrics: recorder.metrics,
            report: { recorder.record(.note($0)) }, stop: lifecycle.stop)
        let pipeline = PhotoPipeline(
            options: options, fingerprint: options.thumbnails.fingerprint, choice: choice(of: session),
            feed: session.feed, store: mirror.store, state: mirror.state, ledger: mirror.ledger,
            originals: originals(of: session, recorder), decoders: decoders,
            recorder: recorder, broken: broken?.files ?? [])
        recorder.metrics.startSampling(
            RunMetrics.Gauges(
                poolStatus: { [pool = session.pool] in pool.status },
                received: { [transfers = session.transfers] in transfers.receivedBytes },
                workers: { decoders.workers }, isRemote: !session.isFolder, bandwidth: options.network.bandwidth))
        return RunDriver(
            intake: intake(of: session, in: mirror, as: run, naming: naming), run: run, pool: session.pool,
            pipeline: pipeline, ledger: mirror.ledger,
            committer: CommitWriter(
                in: mirror.store, ledger: mirror.ledger, durability: options.durability, metrics: recorder.metrics,
                sharesContent: options.sharesContent),
            recorder: recorder, intakeToken: lifecycle.intake, stop: lifecycle.stop, limits: options.limits)
    }

    func choice(of session: FeedSession) -> VariantChoice { VariantChoice(options, of: session.feed.defaultVariant) }

    /// Returns the provider of the originals.
    ///
    /// Local files are read only for a folder that the user named.
    private func originals(of session: FeedSession, _ recorder: EventRecorder) -> any OriginalsProvider {
        if let adoption { return AdoptedOriginals(options: options, adoption: adoption) }
        if session.isFolder { return FolderOriginals(options: options) }
        if let feed = session.bucketFeed { return BucketOriginals(options: options, feed: feed) }
        return NetworkOriginals(
            options: options, respectsRobotsTxt: session.respectsRobotsTxt, transfers: session.transfers,
            recorder: recorder)
    }

    /// Returns the feed, with the pages that an interrupted run has recorded if there are any.
    private func feed(of session: FeedSession, in mirror: borrowing MirrorFolder, as run: LedgerRun) -> any Feed {
        let since = Machine.secondsSince1970 - ResumedFeed.lifetime
        // Recorded pages depend on the selection. Local feeds (without a page limit) are quick to read again.
        guard options.changedNames(affecting: .selection).isEmpty, session.feed.maxPages != nil else {
            return session.feed
        }
        // If the ledger cannot be read, the run only takes longer.
        guard let walk = try? mirror.ledger.interruptedWalk(before: run, since: since) else { return session.feed }
        return ResumedFeed(feed: session.feed, ledger: mirror.ledger, walk: walk)
    }
}
