// SPDX-License-Identifier: MIT

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
            ("max-bytes", "\(maxBytes)"), ("memory", "\(memory >> 20)M"), ("durability", durability.rawValue),
            ("no-originals", keepsOriginals ? nil : "yes"), ("no-gallery", writesGallery ? nil : "yes"),
            ("trace", trace),
        ]
        return chosen.compactMap { name, value in value.map { RunReport.Setting(name, $0) } } + thumbnails.settings
    }

    /// The settings that the advice about a bottleneck depends on.
    func tuning(width: Int, isRemote: Bool) -> TuningContext {
        TuningContext(
            slots: width, adaptsSlots: adaptsConcurrency, perHost: perHost,
            decoders: MemoryBudget(memory).decoders(upTo: Machine.cores, isolation), cores: Machine.cores,
            perPage: perPage,
            memory: memory >> 20, hasRate: network.rate != nil, hasBandwidth: network.bandwidth != nil,
            durability: durability,
            isRemote: isRemote)
    }
}

extension ThumbnailRunOptions {
    /// The options in effect, with the number of decoders.
    func settings(jobs: Int) -> [RunReport.Setting] {
        [
            RunReport.Setting("jobs", "\(jobs)"), RunReport.Setting("max-bytes", "\(maxBytes)"),
            RunReport.Setting("memory", "\(memory >> 20)M"), RunReport.Setting("durability", durability.rawValue),
        ] + thumbnails.settings
    }

    /// The settings that the advice about a bottleneck depends on.
    func tuning(width: Int, jobs: Int) -> TuningContext {
        TuningContext(
            slots: width, perHost: width, decoders: MemoryBudget(memory).decoders(upTo: jobs, isolation), cores: jobs,
            memory: memory >> 20, durability: durability, isRemote: false)
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
