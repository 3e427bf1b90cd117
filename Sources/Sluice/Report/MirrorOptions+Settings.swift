// SPDX-License-Identifier: MIT

internal import SluiceImaging
internal import SluiceModel

// What a report tells of the options: those that decide how fast and how well a run goes, and none that may be secret.

extension MirrorOptions {
    /// The options in force, with the width that the system allows.
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

    /// What might make the run quicker.
    func levers(width: Int, isRemote: Bool) -> Levers {
        Levers(
            slots: width, findsSlots: adaptsConcurrency, perHost: perHost,
            decoders: MemoryPlan(memory).decoders(of: Machine.cores, isolation), cores: Machine.cores, perPage: perPage,
            memory: memory >> 20, hasRate: network.rate != nil, hasBandwidth: network.bandwidth != nil,
            durability: durability,
            isRemote: isRemote)
    }
}

extension ThumbnailRunOptions {
    /// The options in force, with the number of decoders.
    func settings(jobs: Int) -> [RunReport.Setting] {
        [
            RunReport.Setting("jobs", "\(jobs)"), RunReport.Setting("max-bytes", "\(maxBytes)"),
            RunReport.Setting("memory", "\(memory >> 20)M"), RunReport.Setting("durability", durability.rawValue),
        ] + thumbnails.settings
    }

    /// What might make the run quicker.
    func levers(width: Int, jobs: Int) -> Levers {
        Levers(
            slots: width, perHost: width, decoders: MemoryPlan(memory).decoders(of: jobs, isolation), cores: jobs,
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
