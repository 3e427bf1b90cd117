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
