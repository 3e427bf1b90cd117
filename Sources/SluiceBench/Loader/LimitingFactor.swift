// SPDX-License-Identifier: MIT

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
