// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceImaging
internal import SluiceModel

// The options that a report lists: those that affect speed and quality, without any that may be secret.

extension MirrorOptions {
    /// The options in effect, with the concurrency that the system allows.
    func settings(width: Int) -> [RunReport.Setting] {
        let chosen: [(String, String?)] = [
            ("pages", pages.map(String.init)), ("per-page", perPage.map(String.init)), ("variant", variant),
            ("max-items", maxItems.map(String.init)),
            ("concurrency", adaptsConcurrency ? "auto" : "\(width)"), ("per-host", "\(perHost)"),
            ("rate", network.rate.map { "\($0)/s" }), ("bandwidth", network.bandwidth.map(String.init)),
            ("timeout", "\(timeout.inSeconds)s"), ("retries", "\(retries)"), ("http", network.http.rawValue),
        ]
        let kept: [(String, String?)] = [
            ("no-originals", keepsOriginals ? nil : "yes"), ("fetch", fetch == .whole ? nil : fetch.rawValue),
            ("no-gallery", run.writesGallery ? nil : "yes"),
            ("parquet", run.writesParquet ? "yes" : nil),
            ("trace", run.trace),
        ]
        return Self.settings(chosen) + run.settings + Self.settings(kept) + run.thumbnails.settings
    }

    private static func settings(_ values: [(String, String?)]) -> [RunReport.Setting] {
        values.compactMap { name, value in value.map { RunReport.Setting(name, $0) } }
    }

    /// The settings that the advice about a bottleneck depends on.
    func tuning(width: Int, isRemote: Bool) -> TuningContext {
        var tuning = run.tuning(slots: width, perHost: perHost, cores: Machine.cores, isRemote: isRemote)
        tuning.adaptsSlots = adaptsConcurrency
        tuning.perPage = perPage
        (tuning.hasRate, tuning.hasBandwidth) = (network.rate != nil, network.bandwidth != nil)
        return tuning
    }
}

extension ThumbnailRunOptions {
    /// The options in effect, with the number of decoders.
    func settings(jobs: Int) -> [RunReport.Setting] {
        [RunReport.Setting("jobs", "\(jobs)")] + run.settings + run.thumbnails.settings
    }

    /// The settings that the advice about a bottleneck depends on.
    func tuning(width: Int, jobs: Int) -> TuningContext {
        run.tuning(slots: width, perHost: width, cores: jobs, isRemote: false)
    }
}

extension RunOptions {
    /// The limits that are in effect for all kinds of runs.
    fileprivate var settings: [RunReport.Setting] {
        [
            RunReport.Setting("max-bytes", "\(maxBytes)"), RunReport.Setting("memory", "\(memory >> 20)M"),
            RunReport.Setting("durability", durability.rawValue),
        ]
    }

    fileprivate func tuning(slots: Int, perHost: Int, cores: Int, isRemote: Bool) -> TuningContext {
        TuningContext(
            slots: slots, perHost: perHost, decoders: MemoryBudget(memory).decoders(upTo: cores, isolation),
            cores: cores, memory: memory >> 20, durability: durability, isRemote: isRemote)
    }
}

extension ThumbnailOptions {
    fileprivate var settings: [RunReport.Setting] {
        guard !sizes.isEmpty else { return [RunReport.Setting("sizes", "none")] }
        return [
            RunReport.Setting("sizes", sizes.map(\.description).joined(separator: ",")),
            RunReport.Setting("fit", fit.rawValue), RunReport.Setting("format", format.rawValue),
            RunReport.Setting("quality", "\(quality)"), RunReport.Setting("quality-mode", qualityMode.rawValue),
        ]
    }
}
