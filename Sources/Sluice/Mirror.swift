// SPDX-License-Identifier: MIT

internal import SluiceFeeds
internal import SluiceFiles
internal import SluiceLedger
public import SluiceModel
internal import SluiceTransfer

/// A mirror: a feed's photos in a folder, with thumbnails, a gallery, a manifest and the ledger that knows them.
public final class Mirror: Sendable {
    /// Where the photos come from, as the user wrote it.
    public let source: String
    /// The same as it may be shown and kept: without a user's name and password.
    public var shownSource: String { Userinfo.split(source).url }
    /// The mirror's folder.
    public let folder: String
    /// What is asked for.
    public let options: MirrorOptions
    private let broken: BrokenItems?
    let adoption: Adoption?
    let course: RunCourse
    private let audience = Audience()

    /// Describes a run; nothing is opened or made before ``run(recording:)``.
    public init(of source: String, into folder: String, options: MirrorOptions = MirrorOptions()) {
        self.source = source
        self.folder = folder
        self.options = options
        (broken, adoption) = (nil, nil)
        course = RunCourse(options.limits)
    }

    /// Describes a run that fetches and makes anew what a verification found broken, in all sizes that there were.
    ///
    /// The feed is not asked: addresses are those that the ledger has. What cannot be done leaves things as they are.
    public init(of source: String, into folder: String, options: MirrorOptions, repairing items: BrokenItems) {
        self.source = source
        self.folder = folder
        var options = options
        options.thumbnails.sizes = items.sizes.sorted().compactMap(ThumbnailSize.init)
        options.maxItems = nil
        options.leavesDeleted = false
        self.options = options
        (broken, adoption) = (items, nil)
        course = RunCourse(options.limits)
    }

    /// Describes a run that takes photos' files from a folder that another tool filled, and asks no host for any.
    ///
    /// Each file is known by its hash, by an address that the tool noted beside it, by its name or by the photo's id; what
    /// is ambiguous stays where it is, and so does every file: the mirror gets copies. With `walkingFeed` the feed is asked
    /// what it lists; without, only photos that the ledger knows are looked for. Photos without a file stay what they are,
    /// so that a later run downloads them.
    public init(
        of source: String, into folder: String, options: MirrorOptions, adopting files: String, walkingFeed: Bool
    ) {
        self.source = source
        self.folder = folder
        var options = options
        (options.refreshes, options.leavesDeleted, options.retriedCauses, options.prune) = (false, false, nil, nil)
        self.options = options
        (broken, adoption) = (nil, Adoption(of: files, walksFeed: walkingFeed))
        course = RunCourse(options.limits)
    }

    /// Runs to the end; each event reaches `record` one at a time, in ``Event``'s order.
    ///
    /// It throws only if the run could not begin; whatever happens to items and pages after that, and to the disk, is in
    /// the summary. A mirror runs once.
    public func run(
        recording record: @escaping @Sendable (Event) -> Void = { _ in }
    ) async throws(MirrorError) -> Summary {
        defer { audience.close() }
        let naming = try MirrorError.atName(options.name)
        try adoption?.check()
        try Machine.checkThreads()
        let limit = DescriptorLimit.raised()
        try limit.check()
        let width = limit.width(for: options.concurrency)
        let open = try OpenFeed(source, options: options, width: width, token: course.token)
        let start = RunStart(source: shownSource, feed: open.feed.name, folder: folder, width: width)
        let plan = RunPlan(
            start: start, fingerprint: options.fingerprint, walk: "\(options.walk) feed=\(open.fingerprint)",
            words: options.words.map { Userinfo.split($0).url }, mayShareFolder: options.mayShareFolder,
            isAgain: again != nil || adoption?.walksFeed == false,
            wantsAll: options.wantsAll && again == nil && adoption == nil,
            writesGallery: options.writesGallery, look: options.look, settings: options.settings(width: width),
            levers: options.levers(width: width, isRemote: !open.isFolder), memory: options.memory,
            trace: options.trace, metrics: options.metrics)
        let tell: @Sendable (Event) -> Void = { [audience] event in
            audience.tell(event)
            record(event)
        }
        return try await course.run(plan, recording: tell) { place, run, recorder in
            let notes = [limit.note(for: options.concurrency), open.note]
            for note in notes.compactMap(\.self) { recorder.record(.note(note)) }
            var mirrorRun = mirrorRun(of: open, in: place, as: run, width: width, recorder: recorder)
            mirrorRun.naming = naming
            mirrorRun.roster = course.roster
            mirrorRun.adoption = adoption.map { ($0, choice(of: open)) }
            mirrorRun.watchLimit = watchLimit(width: width)
            if options.adaptsConcurrency { mirrorRun.steering = steering(of: open.pool, upTo: width, recorder) }
            mirrorRun.pruning =
                again != nil
                ? nil
                : options.prune.map {
                    Pruning(options: $0, folder: place.folder, ledger: place.ledger)
                }
            return mirrorRun
        }
    }

    /// Asks the run to stop: nothing new starts, and everything done is kept.
    ///
    /// For a signal or a limit what is in flight has ``RunLimits/drain`` to end; otherwise it is cancelled.
    public func stop(_ reason: StopReason = .requested) {
        course.stop(reason)
    }

    /// What holds the run up, by what was measured in its last seconds; `nil` before it began and while nothing does.
    public var bottleneck: Bottleneck? { course.bottleneck }

    /// The run's events as a sequence, from now on: ask before ``run(recording:)``, once for each reader.
    ///
    /// Nobody waits for its reader, and no end is lost; see ``RunEvents``. A slow `record` does hold it up.
    public func events() -> RunEvents { audience.join() }

    /// Calls an item off by its ``Item/id``, wherever it is on its way; it ends as cancelled, and the next run takes it up.
    ///
    /// False if it is not on its way: it has ended, or the run has not come to it yet.
    @discardableResult
    public func cancel(_ id: Item.ID) -> Bool { course.roster.cancel(id) }

    /// The runs that the ledger of the mirror in `folder` remembers, in their order.
    public static func runs(in folder: String) throws(MirrorError) -> [PastRun] {
        let place = try MirrorFolder.open(reading: folder)
        let runs = try MirrorError.inLedger(place.ledger.runs())
        place.close()
        return runs
    }

    /// What became of the photos of the mirror in `folder` in the runs behind `first`, up to `last`.
    public static func changes(in folder: String, after first: Int, upTo last: Int) throws(MirrorError) -> [Change] {
        let place = try MirrorFolder.open(reading: folder)
        let changes = try MirrorError.inLedger(place.ledger.changes(after: first, upTo: last))
        place.close()
        return changes
    }

    /// What is taken of the ledger in place of the feed.
    private var again: Again? { broken.map { .broken($0) } ?? options.retriedCauses.map { .failures($0) } }

    /// Longer than a transfer, all decodes that may stand before an item's own, and what else there is to do.
    private func watchLimit(width: Int) -> Duration {
        let decoders = MemoryPlan(options.memory).decoders(of: Machine.cores, options.isolation)
        let rounds = width / decoders + 2
        return options.timeout + .seconds(options.thumbnails.limits.seconds) * rounds + .seconds(60)
    }

    private func steering(of pool: WorkPool, upTo most: Int, _ recorder: Recorder) -> WidthSteering {
        pool.resize(to: min(MirrorOptions.firstWidth, most))
        return WidthSteering(pool, upTo: most) { decision in
            recorder.record(.widthChanged(decision.width, reason: decision.reason.rawValue))
        }
    }

    private func mirrorRun(
        of open: OpenFeed, in place: borrowing MirrorFolder, as run: LedgerRun, width: Int, recorder: Recorder
    ) -> MirrorRun {
        let decoders = DecodePool(
            upTo: Machine.cores, plan: MemoryPlan(options.memory), options: options.thumbnails,
            isolation: options.isolation, measures: recorder.measures, tell: { recorder.record(.note($0)) })
        let way = ItemWay(
            options: options, fingerprint: options.thumbnails.fingerprint,
            choice: choice(of: open), feed: open.feed, folder: place.folder,
            glance: Glance(below: place.folder), ledger: place.ledger, supply: supply(of: open, recorder),
            decoders: decoders, recorder: recorder, broken: broken?.files ?? [])
        recorder.measures.begin(
            Measures.Sources(
                load: { [pool = open.pool] in pool.load },
                received: { [transfers = open.transfers] in transfers.received },
                workers: { decoders.workers }, isRemote: !open.isFolder, bandwidth: options.network.bandwidth))
        return MirrorRun(
            feed: feed(of: open, in: place, as: run), run: run, pool: open.pool, way: way, ledger: place.ledger,
            ends: EndWriter(
                in: place.folder, ledger: place.ledger, durability: options.durability, measures: recorder.measures,
                sharesContent: options.sharesContent),
            recorder: recorder, intake: course.intake, stop: course.stop, pages: options.pages, maxItems: open.maxItems,
            capNote: open.capNote, selection: options.selection,
            limits: options.limits, stopAfterSeen: options.stopAfterSeen, again: again)
    }

    func choice(of open: OpenFeed) -> VariantChoice { VariantChoice(options, of: open.feed.defaultVariant) }

    /// Files are opened for a folder that the user named, and for no other feed.
    private func supply(of open: OpenFeed, _ recorder: Recorder) -> any Supply {
        if let adoption { return AdoptedFiles(options: options, adoption: adoption) }
        if open.isFolder { return FolderFiles(options: options) }
        return Downloads(
            options: options, keepsToRobots: open.keepsToRobots, transfers: open.transfers, recorder: recorder)
    }

    /// The feed, or what an interrupted run knows of it and then the feed.
    private func feed(of open: OpenFeed, in place: borrowing MirrorFolder, as run: LedgerRun) -> any Feed {
        let since = Machine.secondsSince1970 - RememberedFeed.freshness
        // It remembers what was wanted of the pages, and reading on this machine is quick.
        guard options.selection == Selection(), open.feed.longest != nil else { return open.feed }
        // Without what the ledger remembers of it, a walk only takes longer.
        guard let walk = try? place.ledger.interruptedWalk(before: run, since: since) else { return open.feed }
        return RememberedFeed(feed: open.feed, ledger: place.ledger, walk: walk)
    }
}
