// SPDX-License-Identifier: MIT

/// The results of a sweep.
package struct LoaderReport: Sendable, Hashable {
    /// The machine that the sweep ran on.
    package var host: BenchMachine
    /// The simulated origin; `nil` for third-party hosts.
    package var origin: OriginProfile?
    /// The number of URLs of third-party hosts.
    package var addresses: Int?
    /// The settings with their samples.
    package var points: [LoaderPoint]

    /// Groups of points that differ only in their fixed concurrency, as indices in ascending concurrency.
    package var curves: [[Int]] {
        var curves: [(setting: LoaderSetting, indices: [Int])] = []
        for index in points.indices where points[index].setting.adaptsFrom == nil {
            let setting = points[index].setting.with(concurrency: 1)
            if let known = curves.firstIndex(where: { $0.setting == setting }) {
                curves[known].indices.append(index)
            } else {
                curves.append((setting, [index]))
            }
        }
        return curves.map { curve in
            curve.indices.sorted { points[$0].setting.concurrency < points[$1].setting.concurrency }
        }
    }

    /// Returns the index of a curve's knee as ``Knee`` defines it; `nil` if the curve has only one point or faults.
    package func knee(of curve: [Int]) -> Int? {
        guard let first = curve.first, curve.count > 1, !points[first].setting.hasFaults else { return nil }
        return Knee.index(of: curve.map { points[$0].rate.median }).map { curve[$0] }
    }

    /// The index of the point with the lowest concurrency among those not measurably slower than the fastest, all
    /// without faults.
    package var best: Int? {
        let candidates = points.indices.filter {
            points[$0].setting.adaptsFrom == nil && !points[$0].setting.hasFaults
        }
        let order = candidates.sorted {
            points[$0].setting.concurrency < points[$1].setting.concurrency
        }
        return Knee.best(of: order.map { points[$0].rate }).map { order[$0] }
    }

    /// The points with adaptive concurrency, each with the index of the fastest otherwise equal point of fixed
    /// concurrency.
    var adaptivePoints: [(point: LoaderPoint, fastest: Int?)] {
        points.filter { $0.setting.adaptsFrom != nil }.map { point in
            let curve = curves.first {
                points[$0[0]].setting.with(concurrency: 1) == point.setting.with(concurrency: 1)
            }
            return (point, curve?.max { points[$0].rate.median < points[$1].rate.median })
        }
    }

    /// The points with faults, each with the same setting without them.
    var faultyPoints: [(point: LoaderPoint, clean: LoaderPoint)] {
        points.filter(\.setting.hasFaults).compactMap { point in
            points.first { $0.setting == point.setting.withoutFaults }.map { (point, $0) }
        }
    }

    /// Returns the resources that a point used.
    package func utilization(of point: LoaderPoint) -> Utilization {
        point.utilization(cores: host.cores, bandwidth: origin?.bandwidth)
    }

    /// Returns the resource that limits a point's rate.
    package func limitingFactor(of point: LoaderPoint) -> LimitingFactor {
        // The share of the slots' busy time that successful loads do not explain, if there were retries or failures.
        let lost = point.medianValue { sample in
            guard sample.retries + sample.failed > 0, sample.slotSeconds > 0 else { return 0 }
            return 1 - Double(sample.done) * sample.latency.p50 / 1000 / sample.slotSeconds
        }
        return LimitingFactor(
            utilization(of: point), latency: point.medianValue(of: \.latency.p50) / 1000,
            alone: origin?.secondsPerImage, lost: lost)
    }

    package var warnings: [String] {
        guard !points.isEmpty else { return ["stopped before the first sample ended"] }
        let settings = points.map(\.setting)
        return points.flatMap { $0.rate.warnings(of: $0.setting.label(among: settings)) }
    }
}

/// The resource that limits a point's rate, inferred from its measurements.
package enum LimitingFactor: String, Sendable, Hashable, CaseIterable {
    case bandwidth
    /// The CPUs, which the loader and the origin share.
    case processors
    case decoding
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
