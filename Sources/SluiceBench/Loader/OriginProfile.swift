// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The simulated origin of a sweep: its images, and the network to the loader.
package struct OriginProfile: Sendable, Hashable {
    /// The number of images.
    package var images = 500
    /// The exact size of each image, in bytes.
    package var bytes = 130_000
    /// The seed of the images' content and of the choice of faulty requests.
    package var seed = 1
    /// The delay before each reply's first byte.
    package var latency = Duration.milliseconds(50)
    /// The largest additional random delay.
    package var jitter = Duration.milliseconds(10)
    /// The total bandwidth of all connections in bytes per second; `nil` for no limit.
    package var bandwidth: Int? = 200 << 20
    /// The bandwidth of each connection in bytes per second; `nil` for no limit.
    package var perConnection: Int? = 5 << 20
    /// The share of packets that are lost and sent again, 0 to 1.
    package var loss = 0.01
    /// The faults and their frequency.
    package var faults = [BenchFault(share: 0.05, kind: .timeout)]

    /// Creates the default profile.
    package init() {}

    /// The time of a single load without concurrent loads or faults, including lost packets, in seconds.
    package var secondsPerImage: Double {
        let slowest = [perConnection, bandwidth].compactMap(\.self).min()
        let lost = Double(bytes) / 1448 * loss * latency.seconds
        return (latency + jitter / 2).seconds + lost + (slowest.map { Double(bytes) / Double($0) } ?? 0)
    }
}

/// A fault that affects a share of the requests.
package struct BenchFault: Sendable, Hashable {
    /// The kind of fault.
    package enum Kind: String, Sendable, Hashable, CaseIterable {
        /// The origin sends no reply until the loader's timeout.
        case timeout
        /// The reply stops halfway.
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
    /// The kind of fault.
    package var kind: Kind

    /// Creates a fault.
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
        json.member("latency_ms", decimal: latency.milliseconds)
        json.member("jitter_ms", decimal: jitter.milliseconds)
        json.member("bandwidth", bandwidth)
        json.member("per_connection", perConnection)
        json.member("loss_percent", decimal: loss * 100)
        json.member(
            "faults",
            array: { list in
                for fault in faults {
                    list.object { json in
                        json.member("kind", fault.kind.rawValue)
                        json.member("percent", decimal: fault.share * 100)
                    }
                }
            })
    }
}
