// SPDX-License-Identifier: MIT

public import SluiceEngine
internal import SluiceFeeds
internal import SluiceFiles
internal import SluiceLedger
public import SluiceModel
internal import SluiceStore
internal import SluiceTransfer

/// Makes thumbnails of local files and folders, or of the pictures in buckets.
///
/// The output is a mirror without originals: it has a ledger, a manifest and a gallery, and finished work is not
/// repeated. Thumbnails are in one folder per size, with the relative paths of their files.
public final class ThumbnailRun: Sendable {
    /// The files and folders to process.
    public let paths: [String]
    /// The output folder.
    public let folder: String
    /// The options.
    public let options: ThumbnailRunOptions
    private let broken: TextSet
    private let acceptsMissing: Bool
    private let lifecycle: RunLifecycle
    /// The number of objects in flight, for which latencies matter more than cores.
    private static let bucketWidth = 32

    /// Describes a run.
    ///
    /// Nothing is opened or created before ``run(recording:)``.
    ///
    /// Thumbnails in `repairing` are made again. A path that does not exist prevents the run, or with `acceptsMissing`
    /// becomes a photo that fails.
    public init(
        of paths: [String], into folder: String, options: ThumbnailRunOptions = ThumbnailRunOptions(),
        repairing items: BrokenItems? = nil, acceptsMissing: Bool = false
    ) {
        self.paths = paths
        self.acceptsMissing = acceptsMissing
        broken = items?.files ?? []
        self.folder = folder
        self.options = options
        lifecycle = RunLifecycle(options.limits)
    }

    /// Performs the run.
    ///
    /// It may be called once.
    ///
    /// Calls `record` for one event at a time, in ``Event``'s order. Throws only if the run cannot begin, for example
    /// because a path does not exist. Files that cannot be read or are not pictures are counted in the summary.
    public func run(
        recording record: @escaping @Sendable (Event) -> Void = { _ in }
    ) async throws(MirrorError) -> Summary {
        let buckets = try inputBuckets()
        if buckets.isEmpty, broken.isEmpty, !acceptsMissing { try checkPaths() }
        let jobs = max(1, options.jobs ?? Machine.cores)
        try DescriptorLimit.raised().check()
        // More files are in flight than decoders, so that no decoder waits for the disk.
        let width = buckets.isEmpty ? 4 * jobs : max(4 * jobs, Self.bucketWidth)
        let start = RunStart(source: source, feed: FileFeed.name, folder: folder, width: width)
        let configuration = RunConfiguration(
            start: start, options: options.run, fingerprint: options.thumbnails.fingerprint,
            settings: options.settings(jobs: jobs), tuning: options.tuning(width: width, jobs: jobs))
        return try await lifecycle.run(configuration, observer: RunReports(configuration), recording: record) {
            mirror, run, recorder in
            let bucketFeed = buckets.isEmpty ? nil : BucketFeed(buckets, by: .outputs)
            let feed: any Feed = bucketFeed ?? FileFeed(paths, by: .outputs)
            let input: any InputFiles = bucketFeed.map { BucketInput($0, copyingTo: mirror.state) } ?? LocalInput()
            let decoders = DecodePool(
                upTo: jobs, budget: MemoryBudget(options.memory), options: options.thumbnails,
                isolation: options.isolation, folder: mirror.state, metrics: recorder.metrics,
                report: { recorder.record(.note($0)) }, stop: lifecycle.stop)
            let pipeline = FilePipeline(
                options: options.run, input: input, store: mirror.store, ledger: mirror.ledger,
                decoders: decoders, recorder: recorder, broken: broken)
            let pool = WorkPool(width: width, backlog: width, hosts: HostRules(perHost: width), token: lifecycle.token)
            recorder.metrics.startSampling(
                RunMetrics.Gauges(
                    poolStatus: { pool.status }, received: { 0 }, workers: { decoders.workers }, isRemote: false))
            return RunDriver(
                intake: FeedIntake(feed), run: run, pool: pool, pipeline: pipeline, ledger: mirror.ledger,
                committer: CommitWriter(
                    in: mirror.store, ledger: mirror.ledger, durability: options.durability, metrics: recorder.metrics,
                    placementFailure: FilePipeline.placementFailure),
                recorder: recorder, intakeToken: lifecycle.intake, stop: lifecycle.stop, limits: options.limits)
        }
    }

    /// Whether any of the paths is in a bucket.
    public static func readsBuckets(_ paths: [String]) -> Bool { paths.contains(where: S3Location.isLocation) }

    /// The buckets among the paths; empty if all paths are local.
    private func inputBuckets() throws(MirrorError) -> [S3Bucket] {
        var buckets: [S3Bucket] = []
        for path in paths where S3Location.isLocation(path) {
            guard let location = S3Location(path) else {
                throw MirrorError(.usage, "cannot read '\(path)': expected s3://BUCKET/PREFIX")
            }
            buckets.append(try S3Bucket(location, for: options.buckets))
        }
        guard buckets.isEmpty || buckets.count == paths.count else {
            throw MirrorError(.usage, "cannot read local files and buckets in one run")
        }
        return buckets
    }

    /// Throws if a path does not exist; otherwise a misspelt path would become a failed photo of the mirror.
    private func checkPaths() throws(MirrorError) {
        for path in paths {
            do throws(FileError) {
                _ = try Folder(path)
            } catch {
                // Opening a file as a folder fails, too.
                guard error.isMissing || error.isPermissionDenied else { continue }
                throw MirrorError(
                    error.isMissing ? .usage : .local, "cannot make thumbnails of '\(path)': \(error.reason)")
            }
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

    /// The first path, and the number of others.
    private var source: String {
        let first = paths.first ?? "nothing"
        return paths.count < 2 ? first : "\(first) and \(paths.count - 1) more"
    }
}
