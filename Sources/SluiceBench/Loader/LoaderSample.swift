// SPDX-License-Identifier: MIT

internal import SluiceModel

/// What loading the pictures once has cost.
public struct LoaderSample: Sendable, Hashable {
    /// From the first request to the last picture's end.
    public var seconds = 0.0
    /// Pictures that arrived whole, and whose thumbnails stand.
    public var done = 0
    /// Pictures that did not.
    public var failed = 0
    /// Their bytes.
    public var bytes = 0
    /// Attempts behind the first.
    public var retries = 0
    /// The processors' seconds of the process.
    public var cpu = 0.0
    /// The most memory that it had.
    public var memory = 0
    /// The time of all slots in which something was loaded, in seconds.
    public var busy = 0.0
    /// The time of all workers in which something was decoded, in seconds.
    public var decoding = 0.0
    /// How long pictures took from their slot to their file.
    public var latency = Latency()
    /// The origin's part, where it is ours.
    public var origin: OriginCost?

    /// Shares of a hundred pictures, in milliseconds.
    public struct Latency: Sendable, Hashable {
        /// What half of them took at most.
        public var p50 = 0.0
        /// What ninety of a hundred took at most.
        public var p90 = 0.0
        /// What ninety-nine of a hundred took at most.
        public var p99 = 0.0
        /// What the slowest took.
        public var most = 0.0
    }

    /// What the origin counted meanwhile.
    public struct OriginCost: Sendable, Hashable {
        /// Requests that came.
        public var requests = 0
        /// Connections that were made.
        public var connections = 0
        /// Requests that got a fault.
        public var faults = 0
        /// The processors' seconds of its process.
        public var cpu = 0.0
    }

    /// Pictures a second.
    public var rate: Double { seconds > 0 ? Double(done) / seconds : 0 }
    /// Megabytes a second, of a million bytes.
    public var megabytes: Double { seconds > 0 ? Double(bytes) / seconds / 1e6 : 0 }
}

extension LoaderSample.Latency {
    /// The shares of some times in milliseconds.
    init(_ times: [Double]) {
        self.init(
            p50: quantile(0.5, of: times), p90: quantile(0.9, of: times), p99: quantile(0.99, of: times),
            most: times.max() ?? 0)
    }
}

extension LoaderSample {
    init(_ json: JSON) throws(BenchError) {
        seconds = try json.number("ms") / 1000
        done = try json.count("done")
        failed = try json.count("failed")
        bytes = try json.count("bytes")
        retries = try json.count("retries")
        cpu = try json.number("cpu_ms") / 1000
        memory = try json.count("memory")
        busy = try json.number("busy_ms") / 1000
        decoding = try json.number("decoding_ms") / 1000
        latency = Latency(
            p50: try json.number("p50_ms"), p90: try json.number("p90_ms"), p99: try json.number("p99_ms"),
            most: try json.number("most_ms"))
        if let part = json["origin"] { origin = try OriginCost(part) }
    }

    /// A line that stands for the sample.
    var json: [UInt8] {
        var json = JSONWriter()
        json.object { write(to: &$0) }
        return json.bytes
    }

    func write(to json: inout JSONWriter) {
        json.member("ms", decimal: seconds * 1000)
        json.member("done", done)
        json.member("failed", failed)
        json.member("bytes", bytes)
        json.member("retries", retries)
        json.member("cpu_ms", decimal: cpu * 1000)
        json.member("memory", memory)
        json.member("busy_ms", decimal: busy * 1000)
        json.member("decoding_ms", decimal: decoding * 1000)
        json.member("p50_ms", decimal: latency.p50)
        json.member("p90_ms", decimal: latency.p90)
        json.member("p99_ms", decimal: latency.p99)
        json.member("most_ms", decimal: latency.most)
        if let origin { json.member("origin", object: { origin.write(to: &$0) }) }
    }
}

extension LoaderSample.OriginCost {
    init(_ json: JSON) throws(BenchError) {
        requests = try json.count("requests")
        connections = try json.count("connections")
        faults = try json.count("faults")
        cpu = try json.number("cpu_ms") / 1000
    }

    func write(to json: inout JSONWriter) {
        json.member("requests", requests)
        json.member("connections", connections)
        json.member("faults", faults)
        json.member("cpu_ms", decimal: cpu * 1000)
    }

    /// What was added since an earlier count.
    func since(_ earlier: Self) -> Self {
        Self(
            requests: requests - earlier.requests, connections: connections - earlier.connections,
            faults: faults - earlier.faults, cpu: cpu - earlier.cpu)
    }
}
