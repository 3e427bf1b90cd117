// SPDX-License-Identifier: MIT

/// A simulated network with a name; each part can be changed afterwards.
///
/// The figures are round numbers of the order that public measurements report for such networks.
package enum NetworkPreset: String, Sendable, Hashable, CaseIterable {
    /// A distant server on a good network: nothing is lost, nothing fails.
    case clean
    /// A home connection of about 100 Mbit/s.
    case home
    /// A phone's connection of about 35 Mbit/s, with varying delays.
    case mobile
    /// The clean network, on which packets are lost.
    case lossy
    /// The clean network with an origin that fails.
    case faulty

    /// The latency, and the largest additional random delay.
    var delays: (latency: Duration, jitter: Duration) {
        switch self {
        case .clean, .lossy, .faulty: (.milliseconds(50), .milliseconds(10))
        case .home: (.milliseconds(25), .milliseconds(5))
        case .mobile: (.milliseconds(60), .milliseconds(40))
        }
    }

    /// The bytes per second of all connections together, and of each one.
    var bandwidths: (total: Int, perConnection: Int) {
        switch self {
        case .clean, .lossy, .faulty: (200 << 20, 5 << 20)
        case .home: (12 << 20, 6 << 20)
        case .mobile: (4 << 20, 2 << 20)
        }
    }

    /// The share of packets that are lost and sent again.
    var loss: Double {
        switch self {
        case .clean, .faulty: 0
        case .home: 0.001
        case .mobile: 0.005
        case .lossy: 0.01
        }
    }

    /// The faults of the origin.
    var faults: [BenchFault] {
        guard self == .faulty else { return [] }
        return [
            BenchFault(share: 0.02, kind: .timeout), BenchFault(share: 0.02, kind: .cut),
            BenchFault(share: 0.01, kind: .close),
        ]
    }
}
