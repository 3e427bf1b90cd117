// SPDX-License-Identifier: MIT

/// A setting with all its samples.
public struct LoaderPoint: Sendable, Hashable {
    /// What was tried.
    public var setting: LoaderSetting
    /// What came of it, each time.
    public var samples: [LoaderSample]

    /// Pictures a second.
    public var rate: Spread { Spread(samples.map(\.rate)) }
    /// Megabytes a second.
    public var megabytes: Spread { Spread(samples.map(\.megabytes)) }

    /// The median of a figure over the samples.
    public func middle(_ figure: (LoaderSample) -> Double) -> Double { median(samples.map(figure)) }

    /// How much of the machine and of the setting was in use, in shares of all there is.
    public func use(cores: Int, bandwidth: Int?, hosts: Int = 1) -> Use {
        Use(
            // The end of a load is told a moment after its slot was given on.
            slots: min(1, middle { $0.busy / max($0.seconds, 1e-9) } / Double(setting.width(hosts: hosts))),
            decoders: setting.thumbnails == nil
                ? 0 : middle { $0.decoding / max($0.seconds, 1e-9) } / Double(setting.workers),
            loaderCPU: middle { $0.cpu / max($0.seconds, 1e-9) } / Double(cores),
            originCPU: middle { ($0.origin?.cpu ?? 0) / max($0.seconds, 1e-9) } / Double(cores),
            line: bandwidth.map { bandwidth in middle { Double($0.bytes) / max($0.seconds, 1e-9) } / Double(bandwidth) }
                ?? 0)
    }
}

/// Shares of what there is, from 0 to 1.
public struct Use: Sendable, Hashable {
    /// Of the slots for loads.
    public var slots: Double
    /// Of the workers that decode.
    public var decoders: Double
    /// Of all cores, by the loader.
    public var loaderCPU: Double
    /// Of all cores, by the origin.
    public var originCPU: Double
    /// Of the bandwidth of all connections together.
    public var line: Double
}
