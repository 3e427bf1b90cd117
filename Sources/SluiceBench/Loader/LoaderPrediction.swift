// SPDX-License-Identifier: MIT

/// The rate of a setting according to a model, to compare with the measured one.
///
/// A load occupies a slot for the latency and the transfer of its bytes, so the slots allow `concurrency / time` images
/// per second. The total bandwidth, and the measured CPU and decoding time of an image, are upper limits. The model
/// knows no faults.
package struct LoaderPrediction: Sendable, Hashable {
    /// The predicted images per second.
    package let rate: Double
    /// The limit that determines the rate.
    package let limit: LimitingFactor
    /// The measured rate as a share of the predicted one.
    package let ratio: Double

    /// Predicts the rate of a measured point; `nil` for an adaptive concurrency, which is not known.
    init?(_ point: LoaderPoint, origin: OriginProfile, cores: Int) {
        guard point.setting.adaptsFrom == nil else { return nil }
        let slots = Double(min(point.setting.width, origin.images))
        // The seconds that an image takes of each resource.
        let costs: [(limit: LimitingFactor, seconds: Double)] = [
            (.slots, origin.secondsPerImage / slots),
            (.bandwidth, origin.bandwidth.map { Double(origin.bytes) / Double($0) } ?? 0),
            (.processors, point.secondsPerImage { $0.cpuSeconds + ($0.origin?.cpuSeconds ?? 0) } / Double(cores)),
            (.decoding, point.secondsPerImage(\.decodingSeconds) / Double(point.setting.workers)),
        ]
        guard let highest = costs.max(by: { $0.seconds < $1.seconds }), highest.seconds > 0 else { return nil }
        rate = 1 / highest.seconds
        limit = highest.limit
        ratio = point.rate.median * highest.seconds
    }
}

extension LoaderPoint {
    /// Returns the median over the samples of a time divided by the number of images.
    fileprivate func secondsPerImage(_ time: (LoaderSample) -> Double) -> Double {
        medianValue { time($0) / Double(max($0.done + $0.failed, 1)) }
    }
}

/// The resource that limits a point's rate, inferred from its measurements.
package enum LimitingFactor: String, Sendable, Hashable, CaseIterable {
    /// The origin's total bandwidth.
    case bandwidth
    /// The CPUs, which the loader and the origin share.
    case processors
    /// The decoding workers.
    case decoding
    /// Retries and timeouts.
    case faults
    /// The setting: every slot is busy, and each load takes as long as a single one.
    case slots
    /// The hosts or the network: every slot is busy, and each load takes longer than a single one.
    case hosts
    /// The start and the end of the sample, when slots are empty.
    case ends

    /// Infers the limiting factor.
    ///
    /// - Parameters:
    ///   - utilization: The shares of all resources in utilization.
    ///   - latency: The median time of a load, in seconds.
    ///   - alone: The time of a single load without others, in seconds, if known.
    ///   - lost: The share of the slots' time that faults cost.
    init(_ utilization: Utilization, latency: Double, alone: Double?, lost: Double) {
        if utilization.bandwidth >= 0.85 {
            self = .bandwidth
        } else if utilization.decoders >= 0.9 {
            self = .decoding
        } else if utilization.loaderCPU + utilization.originCPU >= 0.85 {
            self = .processors
        } else if lost >= 0.4 {
            self = .faults
        } else if utilization.slots >= 0.75 {
            self = alone.map { latency <= $0 * 1.25 } ?? false ? .slots : .hosts
        } else {
            self = .ends
        }
    }

    /// The name in tables.
    package var displayName: String {
        switch self {
        case .bandwidth: "total bandwidth"
        case .processors: "CPU"
        case .decoding: "decoding"
        case .faults: "faults and retries"
        case .slots: "concurrency"
        case .hosts: "hosts or network"
        case .ends: "start and end of the sample"
        }
    }
}
