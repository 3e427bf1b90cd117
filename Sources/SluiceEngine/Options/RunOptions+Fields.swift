// SPDX-License-Identifier: MIT

internal import SluiceImaging
package import SluiceModel

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
