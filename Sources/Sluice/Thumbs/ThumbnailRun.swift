// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceLedger
public import SluiceModel
internal import SluiceTransfer

/// Thumbnails of files and folders: a mirror without originals, whose feed is the disk.
///
/// The folder keeps the ledger, the manifest and the gallery of a mirror, so that nothing is done twice; its thumbnails
/// lie in one folder for each size, by the paths that the files have below what was named.
public final class ThumbnailRun: Sendable {
    /// The files and folders, as the user named them.
    public let paths: [String]
    /// The folder for the thumbnails.
    public let folder: String
    /// What is asked for.
    public let options: ThumbnailRunOptions
    private let broken: Set<String>
    private let course: RunCourse

    /// Describes a run; nothing is opened or made before ``run(recording:)``.
    ///
    /// It makes anew what `repairing` says is broken, whatever it looks like.
    public init(
        of paths: [String], into folder: String, options: ThumbnailRunOptions = ThumbnailRunOptions(),
        repairing items: BrokenItems? = nil
    ) {
        self.paths = paths
        broken = items?.files ?? []
        self.folder = folder
        self.options = options
        course = RunCourse(options.limits)
    }

    /// Runs to the end; each event reaches `record` one at a time, in ``Event``'s order.
    ///
    /// It throws only if the run could not begin; files that cannot be read or are no pictures are in the summary. It
    /// runs once.
    public func run(
        recording record: @escaping @Sendable (Event) -> Void = { _ in }
    ) async throws(MirrorError) -> Summary {
        let jobs = max(1, options.jobs ?? Machine.cores)
        try DescriptorLimit.raised().check()
        // More are read, hashed and flushed than decoded, so that no decoder ever waits for the disk.
        let width = 4 * jobs
        let feed = FileFeed(paths, by: .outputs)
        let start = RunStart(source: source, feed: feed.name, folder: folder, width: width)
        let plan = RunPlan(
            start: start, fingerprint: options.thumbnails.fingerprint, words: options.words,
            mayShareFolder: options.mayShareFolder,
            writesGallery: options.writesGallery, look: options.look, settings: options.settings(jobs: jobs),
            levers: options.levers(width: width, jobs: jobs), memory: options.memory, trace: options.trace,
            metrics: options.metrics)
        return try await course.run(plan, recording: record) { place, run, recorder in
            let decoders = DecodePool(
                upTo: jobs, plan: MemoryPlan(options.memory), options: options.thumbnails,
                isolation: options.isolation, measures: recorder.measures, tell: { recorder.record(.note($0)) })
            let way = FileWay(
                options: options.thumbnails, durability: options.durability, maxBytes: options.maxBytes,
                folder: place.folder, ledger: place.ledger, decoders: decoders, recorder: recorder, broken: broken,
                liftsQuarantine: options.retriesQuarantined)
            let pool = WorkPool(width: width, backlog: width, hosts: HostRules(perHost: width), token: course.token)
            recorder.measures.begin(
                Measures.Sources(
                    load: { pool.load }, received: { 0 }, workers: { decoders.workers }, isRemote: false))
            return MirrorRun(
                feed: feed, run: run, pool: pool,
                way: way, ledger: place.ledger,
                ends: EndWriter(
                    in: place.folder, ledger: place.ledger, durability: options.durability, measures: recorder.measures,
                    verdict: FileWay.verdict),
                recorder: recorder, intake: course.intake, stop: course.stop, limits: options.limits)
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

    /// The first path, and how many there are beside it.
    private var source: String {
        let first = paths.first ?? ""
        return paths.count < 2 ? first : "\(first) and \(paths.count - 1) more"
    }
}
