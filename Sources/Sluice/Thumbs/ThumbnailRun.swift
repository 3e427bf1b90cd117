// SPDX-License-Identifier: MIT

public import SluiceEngine
internal import SluiceFeeds
internal import SluiceFiles
internal import SluiceModel
internal import SluiceStore

/// Makes thumbnails of local files and folders, or of the pictures in buckets.
///
/// The output is a mirror without originals: it has a ledger, a manifest and a gallery, and finished work is not
/// repeated. Thumbnails are in one folder per size, with the relative paths of their files.
public final class ThumbnailRun: SingleRun {
    /// The files and folders to process.
    public let paths: [String]
    /// The output folder.
    public let folder: String
    /// The options.
    public let options: ThumbnailRunOptions
    /// The run.
    public let control: Run

    /// Describes a run.
    ///
    /// Nothing is opened or created before `run(recording:)`.
    ///
    /// Thumbnails in `repairing` are made again. A path that does not exist prevents the run, or with `acceptsMissing`
    /// becomes a photo that fails.
    public init(
        of paths: [String], into folder: String, options: ThumbnailRunOptions = ThumbnailRunOptions(),
        repairing items: BrokenItems? = nil, acceptsMissing: Bool = false
    ) {
        (self.paths, self.folder, self.options) = (paths, folder, options)
        let broken = items?.files ?? []
        control = Run(options.limits) { _ throws(MirrorError) in
            let buckets = try Self.buckets(of: paths, options.buckets)
            if buckets.isEmpty, broken.isEmpty, !acceptsMissing { try Self.checkExistence(of: paths) }
            var run = RunDefinition(of: paths, in: buckets, into: folder, options)
            run.broken = broken
            return run
        }
    }

    package static func readsBuckets(_ paths: [String]) -> Bool { paths.contains(where: S3Location.isLocation) }

    /// The buckets among the paths; empty if all paths are local.
    private static func buckets(of paths: [String], _ options: S3Options) throws(MirrorError) -> [S3Bucket] {
        var buckets: [S3Bucket] = []
        for path in paths where S3Location.isLocation(path) {
            guard let location = S3Location(path) else {
                throw MirrorError(.usage, "cannot read '\(path)': expected s3://BUCKET/PREFIX")
            }
            buckets.append(try S3Bucket(location, isSource: true, for: options))
        }
        guard buckets.isEmpty || buckets.count == paths.count else {
            throw MirrorError(.usage, "cannot read local files and buckets in one run")
        }
        return buckets
    }

    /// Throws if a path does not exist; otherwise a misspelt path would become a failed photo of the mirror.
    private static func checkExistence(of paths: [String]) throws(MirrorError) {
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
}

extension RunDefinition {
    /// The number of objects in flight, for which latencies matter more than cores.
    private static let bucketWidth = 32

    /// Defines a run that makes thumbnails of files; if there are buckets, the paths are locations in them.
    fileprivate init(
        of paths: [String], in buckets: [S3Bucket], into folder: String, _ options: ThumbnailRunOptions
    ) {
        let jobs = max(1, options.jobs ?? Machine.cores)
        // More files are in flight than decoders, so that no decoder waits for the disk.
        let width = buckets.isEmpty ? 4 * jobs : max(4 * jobs, Self.bucketWidth)
        let first = paths.first ?? "nothing"
        let source = paths.count < 2 ? first : "\(first) and \(paths.count - 1) more"
        let bucketFeed = buckets.isEmpty ? nil : BucketFeed(buckets, by: .outputs)
        let feed: any Feed = bucketFeed ?? FileFeed(paths, by: .outputs)
        var made = MirrorOptions()
        (made.run, made.keepsOriginals) = (options.run, false)
        self.init(
            start: RunStart(source: source, feed: FileFeed.name, folder: folder, width: width), options: made,
            intake: FeedIntake([SourceFeed(feed)]),
            input: .read(bucketFeed.map { BucketPictures($0) } ?? LocalPictures()),
            choice: VariantChoice(made, of: feed.defaultVariant), fingerprint: options.thumbnails.fingerprint)
        layout = .inputs
        self.jobs = jobs
        settings = options.settings(jobs: jobs)
        tuning = options.tuning(width: width, jobs: jobs)
        steps = [RunReports(), LiveGallery()]
    }
}
