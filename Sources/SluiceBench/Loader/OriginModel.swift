// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The origin that a sweep loads from: its pictures, and what lies between it and the loader.
public struct OriginModel: Sendable, Hashable {
    /// How many pictures there are.
    public var images = 500
    /// How many bytes each has, exactly.
    public var bytes = 130_000
    /// Decides what the pictures show, and which requests a fault hits.
    public var seed = 1
    /// How long each reply waits before its first byte.
    public var latency = Duration.milliseconds(50)
    /// How much longer it may wait.
    public var jitter = Duration.milliseconds(10)
    /// The most bytes a second of all connections together; `nil` for no bound.
    public var bandwidth: Int? = 200 << 20
    /// The most bytes a second of one connection; `nil` for no bound.
    public var perConnection: Int? = 5 << 20
    /// Which part of the packets is lost and sent again, from 0 to 1.
    public var loss = 0.01
    /// What goes wrong, and how often.
    public var faults = [BenchFault(share: 0.05, kind: .timeout)]

    /// Makes the defaults.
    public init() {}

    /// How long one image takes when nothing else is under way and no fault hits it, with the packets that get lost.
    public var timeOfOne: Double {
        let slowest = [perConnection, bandwidth].compactMap(\.self).min()
        let lost = Double(bytes) / 1448 * loss * latency.seconds
        return (latency + jitter / 2).seconds + lost + (slowest.map { Double(bytes) / Double($0) } ?? 0)
    }
}

/// Something that goes wrong with a share of the requests.
public struct BenchFault: Sendable, Hashable {
    /// The kinds.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        /// No reply, for as long as the loader waits.
        case timeout
        /// A reply that stops halfway.
        case stall
        /// A connection that breaks halfway.
        case cut
        /// A connection that breaks before the reply.
        case close
        case unavailable = "503"
        case tooMany = "429"
        case missing = "404"
    }

    /// How many of the requests, from 0 to 1.
    public var share: Double
    /// What.
    public var kind: Kind

    /// Makes a fault.
    public init(share: Double, kind: Kind) {
        self.share = share
        self.kind = kind
    }
}

extension OriginModel {
    /// Reads what ``write(to:)`` wrote.
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
                throw BenchError(.usage, "there is no fault `\(try fault.string("kind"))`")
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
