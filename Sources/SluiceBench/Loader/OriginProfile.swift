// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceOrigin

/// The simulated origin of a sweep: its images, and the network to the loader.
package struct OriginProfile: Sendable, Hashable {
    package var images = 500
    /// The exact size of each image, in bytes.
    package var bytes = 130_000
    /// The seed of the images' content and of the choice of faulty requests.
    package var seed = 1
    /// The preset whose values the network has, except for those that were changed.
    package private(set) var network = NetworkPreset.clean
    /// The delay before each reply's first byte.
    package var latency = Duration.zero
    /// The largest additional random delay.
    package var jitter = Duration.zero
    /// The total bandwidth of all connections in bytes per second; `nil` for no limit.
    package var bandwidth: Int?
    /// The bandwidth of each connection in bytes per second; `nil` for no limit.
    package var perConnection: Int?
    /// The share of packets that are lost and sent again, 0 to 1.
    package var loss = 0.0
    package var faults: [BenchFault] = []

    package init(_ network: NetworkPreset = .clean) { setNetwork(network) }

    /// Sets all parts of the network to those of a preset.
    package mutating func setNetwork(_ preset: NetworkPreset) {
        network = preset
        (latency, jitter) = preset.delays
        (bandwidth, perConnection) = preset.bandwidths
        loss = preset.loss
        faults = preset.faults
    }

    /// The time to send an image over one connection that no other load slows down, in seconds.
    private var transferSeconds: Double {
        [perConnection, bandwidth].compactMap(\.self).min().map { Double(bytes) / Double($0) } ?? 0
    }

    /// The average time that lost packets cost a load, in seconds.
    private var lossSeconds: Double {
        let packets = (Double(bytes) / Double(PacketLoss.packetBytes)).rounded(.up)
        let last = min(packets, Double(PacketLoss.lastPackets))
        let timeout = max(latency, PacketLoss.retransmissionTimeout)
        return loss * ((packets - last) * latency.seconds + last * timeout.seconds)
    }

    /// The time of a single load without concurrent loads or faults, in seconds.
    package var secondsPerImage: Double { (latency + jitter / 2).seconds + lossSeconds + transferSeconds }
}

/// A fault that affects a share of the requests.
package struct BenchFault: Sendable, Hashable {
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The origin sends no reply until the loader's timeout.
        case timeout
        case stall
        /// The connection closes halfway through the body.
        case cut
        /// The connection closes before the reply.
        case close
        case unavailable = "503"
        case tooMany = "429"
        case missing = "404"
    }

    /// The share of the requests, 0 to 1.
    package var share: Double
    package var kind: Kind

    package init(share: Double, kind: Kind) {
        self.share = share
        self.kind = kind
    }
}

extension OriginProfile {
    /// Reads the JSON that ``write(to:)`` writes.
    init(_ json: JSON) throws(BenchError) {
        images = try json.count("images")
        bytes = try json.count("bytes")
        seed = try json.count("seed")
        network = json["network"]?.text.flatMap(NetworkPreset.init) ?? .clean
        latency = .milliseconds(try json.number("latency_ms"))
        jitter = .milliseconds(try json.number("jitter_ms"))
        bandwidth = json["bandwidth"]?.integer
        perConnection = json["per_connection"]?.integer
        loss = try json.number("loss_percent") / 100
        faults = []
        for fault in try json.list("faults") {
            guard let kind = BenchFault.Kind(rawValue: try fault.string("kind")) else {
                throw BenchError(.usage, "unknown fault '\(try fault.string("kind"))'")
            }
            faults.append(BenchFault(share: try fault.number("percent") / 100, kind: kind))
        }
    }

    func write(to json: inout JSONWriter) {
        json.member("images", images)
        json.member("bytes", bytes)
        json.member("seed", seed)
        json.member("network", network.rawValue)
        json.member("latency_ms", decimal: latency.milliseconds)
        json.member("jitter_ms", decimal: jitter.milliseconds)
        json.member("bandwidth", bandwidth)
        json.member("per_connection", perConnection)
        json.member("loss_percent", decimal: loss * 100)
        json.array("faults") { list in
            for fault in faults {
                list.object { json in
                    json.member("kind", fault.kind.rawValue)
                    json.member("percent", decimal: fault.share * 100)
                }
            }
        }
    }
}

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

    var faults: [BenchFault] {
        guard self == .faulty else { return [] }
        return [
            BenchFault(share: 0.02, kind: .timeout), BenchFault(share: 0.02, kind: .cut),
            BenchFault(share: 0.01, kind: .close),
        ]
    }
}
