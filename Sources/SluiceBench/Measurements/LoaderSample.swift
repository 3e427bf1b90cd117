// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The result of loading all images once.
package struct LoaderSample: Sendable, Hashable {
    /// The time from the first request to the end of the last load or thumbnail, in seconds.
    package var seconds = 0.0
    /// The images that arrived completely and, if wanted, have a thumbnail.
    package var done = 0
    package var failed = 0
    /// The bytes of the images that arrived.
    package var bytes = 0
    /// The attempts after the first of each image.
    package var retries = 0
    /// The CPU time of the process, in seconds.
    package var cpuSeconds = 0.0
    /// The peak memory of the process, in bytes.
    package var peakMemory = 0
    /// The total time that slots were busy, in seconds.
    package var slotSeconds = 0.0
    /// The total time that decoding workers were busy, in seconds.
    package var decodingSeconds = 0.0
    /// The time of a load from its slot to its file.
    package var latency = Latency()
    /// The cost of the origin, if it is the built-in one.
    package var origin: OriginCost?

    /// Percentiles of the time of a load, in milliseconds.
    package struct Latency: Sendable, Hashable {
        package var p50 = 0.0
        /// The 90th percentile.
        package var p90 = 0.0
        /// The 99th percentile.
        package var p99 = 0.0
        package var maximum = 0.0
    }

    /// The origin's counters and CPU time during a sample.
    package struct OriginCost: Sendable, Hashable {
        package var requests = 0
        package var connections = 0
        /// The requests that got a fault.
        package var faults = 0
        /// The CPU time of its process, in seconds.
        package var cpuSeconds = 0.0
    }

    /// The rate in images per second.
    package var rate: Double { seconds > 0 ? Double(done) / seconds : 0 }
    /// The throughput in megabytes (10^6 bytes) per second.
    package var megabytesPerSecond: Double { seconds > 0 ? Double(bytes) / seconds / 1e6 : 0 }
}

extension LoaderSample.Latency {
    /// Computes the percentiles of times in milliseconds.
    init(_ times: [Double]) {
        self.init(
            p50: quantile(0.5, of: times), p90: quantile(0.9, of: times), p99: quantile(0.99, of: times),
            maximum: times.max() ?? 0)
    }
}

extension LoaderSample {
    init(_ json: JSON) throws(BenchError) {
        seconds = try json.number("ms") / 1000
        done = try json.count("done")
        failed = try json.count("failed")
        bytes = try json.count("bytes")
        retries = try json.count("retries")
        cpuSeconds = try json.number("cpu_ms") / 1000
        peakMemory = try json.count("memory")
        slotSeconds = try json.number("busy_ms") / 1000
        decodingSeconds = try json.number("decoding_ms") / 1000
        latency = Latency(
            p50: try json.number("p50_ms"), p90: try json.number("p90_ms"), p99: try json.number("p99_ms"),
            maximum: try json.number("most_ms"))
        if let part = json["origin"] { origin = try OriginCost(part) }
    }

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
        json.member("cpu_ms", decimal: cpuSeconds * 1000)
        json.member("memory", peakMemory)
        json.member("busy_ms", decimal: slotSeconds * 1000)
        json.member("decoding_ms", decimal: decodingSeconds * 1000)
        json.member("p50_ms", decimal: latency.p50)
        json.member("p90_ms", decimal: latency.p90)
        json.member("p99_ms", decimal: latency.p99)
        json.member("most_ms", decimal: latency.maximum)
        if let origin { json.object("origin") { origin.write(to: &$0) } }
    }
}

extension LoaderSample.OriginCost {
    init(_ json: JSON) throws(BenchError) {
        requests = try json.count("requests")
        connections = try json.count("connections")
        faults = try json.count("faults")
        cpuSeconds = try json.number("cpu_ms") / 1000
    }

    func write(to json: inout JSONWriter) {
        json.member("requests", requests)
        json.member("connections", connections)
        json.member("faults", faults)
        json.member("cpu_ms", decimal: cpuSeconds * 1000)
    }

    func subtracting(_ earlier: Self) -> Self {
        Self(
            requests: requests - earlier.requests, connections: connections - earlier.connections,
            faults: faults - earlier.faults, cpuSeconds: cpuSeconds - earlier.cpuSeconds)
    }
}
