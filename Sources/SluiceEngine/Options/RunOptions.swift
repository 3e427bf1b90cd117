// SPDX-License-Identifier: MIT

public import SluiceImaging
public import SluiceModel

/// The options that all kinds of runs share.
///
/// The defaults are those of the command.
public struct RunOptions: Sendable, Hashable {
    /// The thumbnails to make, and the limits for pictures.
    ///
    /// By default there are two sizes, so that the gallery is sharp on screens with two pixels per point.
    public var thumbnails = RunOptions.defaultThumbnails
    /// Limits that end the run early.
    public var limits = RunLimits()
    /// The maximum size of an image in bytes.
    public var maxBytes = 64 << 20
    /// The memory in bytes for everything in flight: decodes, transfer buffers and queued events.
    ///
    /// A picture that needs more for its decode alone is refused.
    public var memory = 512 << 20
    /// Where pictures are decoded.
    ///
    /// The command uses ``Isolation/ownWorkers`` for downloaded pictures.
    public var isolation = Isolation.none
    /// Whether to decode pictures that crashed the decoder twice.
    public var retriesQuarantined = false
    /// When files are flushed to disk.
    public var durability = Durability.batch
    /// How long to wait while another run uses the mirror.
    public var lockTimeout = Duration.zero
    /// Whether the output folder may belong to another user and be writable by others.
    public var allowsUntrustedFolder = false
    /// How to reach an output in a bucket.
    public var buckets = S3Options()
    /// Whether to write the gallery.
    public var writesGallery = true
    /// Whether to write `manifest.parquet`.
    ///
    /// Once the file exists, later runs keep it current in any case.
    public var writesParquet = false
    /// Changes to the gallery's appearance.
    ///
    /// They apply to later runs as well.
    public var appearance = GalleryAppearance()
    /// The file for a timeline of the run in Chrome's trace format; `nil` for none.
    public var trace: String?
    /// The file for metrics in Prometheus' text format, written during the run and at its end; `nil` for none.
    public var metrics: String?
    /// The command and its arguments, without secrets.
    ///
    /// The ledger stores them so that a repair can repeat the command.
    package var commandLine: [String] = []
    /// A forecast of the run, with which its report compares it.
    package var forecast: RunReport.Estimate?
    /// The words of ``commandLine`` that a report leaves out, because reports may be published with the mirror.
    package var unreportedWords: Set<String> = []
    /// The options that the user has set, as written, for reports; `nil` to report those that differ from the defaults.
    package var givenOptions: [RunReport.Setting]?

    /// Makes the default options.
    public init() {}

    private static let defaultThumbnails: ThumbnailOptions = {
        var options = ThumbnailOptions()
        options.sizes = [256, 640].map { ThumbnailSize(width: $0, height: $0) }
        return options
    }()
}

extension RunOptions: OptionGroup {
    /// Every option that all kinds of runs share.
    package static let fields: [OptionField<RunOptions>] =
        own + ThumbnailOptions.fields.map { $0.lifted(\.thumbnails) } + S3Options.fields.map { $0.lifted(\.buckets) }

    private static let own: [OptionField<RunOptions>] = [
        OptionField("max-time", \.limits.time, .singleRun),
        OptionField("max-transfer", \.limits.transfer, .singleRun),
        OptionField("max-fail", \.limits.failures, .singleRun) { $0?.optionText },
        OptionField("drain-timeout", \.limits.drain),
        OptionField("max-bytes", \.maxBytes),
        OptionField("memory", \.memory, text: { "\($0 >> 20)M" }),
        OptionField("isolate", \.isolation) { $0 == .none ? "no" : "yes" },
        OptionField("weak-sandbox", \.isolation) { $0.acceptsWeakSandbox ? "yes" : "no" },
        OptionField("retry-quarantined", \.retriesQuarantined),
        OptionField("durability", \.durability),
        OptionField("wait", \.lockTimeout, .singleRun),
        OptionField("force", \.allowsUntrustedFolder),
        OptionField("no-gallery", \.writesGallery) { $0 ? "no" : "yes" },
        OptionField("parquet", \.writesParquet),
        OptionField("title", \.appearance.title),
        OptionField("theme", \.appearance.theme),
        OptionField("style", \.appearance.style) { _ in nil },
        OptionField("trace", \.trace, .singleRun),
        OptionField("metrics", \.metrics, .singleRun),
    ]
}

extension S3Options: OptionGroup {
    package static let fields: [OptionField<S3Options>] = [
        OptionField("s3-endpoint", \.endpoint, .confidential),
        OptionField("s3-region", \.region),
        OptionField("s3-profile", \.profile, .confidential),
        OptionField("s3-role", \.usesRole),
        OptionField("s3-anonymous", \.readsAnonymously),
        OptionField("s3-addressing", \.addressing),
        OptionField("s3-unsafe-commits", \.allowsUnsafeCommits),
        OptionField("s3-lease", \.leaseSeconds, .confidential),
        OptionField("state", \.stateFolder, .confidential),
    ]
}

extension Durability: OptionValue {}
extension GalleryAppearance.Theme: OptionValue {}
extension S3Options.Addressing: OptionValue {}

extension FailureLimit {
    /// The limit as users write it.
    fileprivate var optionText: String {
        switch self {
        case .count(let count): "\(count)"
        case .percent(let percent): "\(percent)%"
        }
    }
}

extension Isolation {
    /// Whether workers may lack essential protections.
    fileprivate var acceptsWeakSandbox: Bool {
        switch self {
        case .none: false
        case .workers(_, let accepts), .workersForRestrictedFormats(_, let accepts): accepts
        }
    }
}

/// Options of a run over local files.
///
/// The defaults are those of the command.
@dynamicMemberLookup
public struct ThumbnailRunOptions: Sendable {
    /// The options that all kinds of runs share, also available as properties of this value.
    public var run = RunOptions()
    /// The maximum number of concurrent decodes; `nil` for the number of cores.
    public var jobs: Int?

    /// Makes the default options.
    public init() { run.maxBytes = 1 << 30 }

    /// Accesses one of the shared options.
    public subscript<Value>(dynamicMember option: WritableKeyPath<RunOptions, Value>) -> Value {
        get { run[keyPath: option] }
        set { run[keyPath: option] = newValue }
    }
}
