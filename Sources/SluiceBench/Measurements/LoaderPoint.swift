// SPDX-License-Identifier: MIT

/// A setting and its samples.
package struct LoaderPoint: Sendable, Hashable {
    package var setting: LoaderSetting
    /// The samples in the order in which they were taken.
    package var samples: [LoaderSample]

    /// The rate in images per second.
    package var rate: SampleStatistics { SampleStatistics(samples.map(\.rate)) }
    /// The throughput in megabytes per second.
    package var megabytesPerSecond: SampleStatistics { SampleStatistics(samples.map(\.megabytesPerSecond)) }

    /// Returns the median of a measurement over the samples.
    package func medianValue(of figure: (LoaderSample) -> Double) -> Double { median(samples.map(figure)) }

    /// Returns how much of the machine and of the setting was in use.
    package func utilization(cores: Int, bandwidth: Int?) -> Utilization {
        Utilization(
            // A load's end is reported shortly after its slot is reused, so the sum can exceed 1.
            slots: min(1, medianValue { $0.slotSeconds / max($0.seconds, 1e-9) } / Double(setting.width)),
            decoders: setting.thumbnails == nil
                ? 0 : medianValue { $0.decodingSeconds / max($0.seconds, 1e-9) } / Double(setting.workers),
            loaderCPU: medianValue { $0.cpuSeconds / max($0.seconds, 1e-9) } / Double(cores),
            originCPU: medianValue { ($0.origin?.cpuSeconds ?? 0) / max($0.seconds, 1e-9) } / Double(cores),
            bandwidth: bandwidth.map { bandwidth in
                medianValue { Double($0.bytes) / max($0.seconds, 1e-9) } / Double(bandwidth)
            }
                ?? 0)
    }
}

/// The shares of resources in use, from 0 to 1.
package struct Utilization: Sendable, Hashable {
    /// The share of the slots for loads.
    package var slots: Double
    /// The share of the decoding workers.
    package var decoders: Double
    /// The share of all cores that the loader uses.
    package var loaderCPU: Double
    /// The share of all cores that the origin uses.
    package var originCPU: Double
    /// The share of the total bandwidth.
    package var bandwidth: Double
}
