// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The loader options that a sweep varies.
package struct LoaderSetting: Sendable, Hashable {
    package var concurrency: Int
    /// The limit of concurrent loads per host; `nil` for no limit.
    package var perHost: Int?
    /// The HTTP version: `auto`, `1.1` or `2`.
    package var http: String
    /// The thumbnail size in pixels; `nil` makes no thumbnails.
    package var thumbnails: Int?
    package var workers: Int
    /// The initial concurrency of a loader that adapts it, up to ``concurrency``; `nil` for a fixed concurrency.
    package var adaptsFrom: Int?
    /// Whether the origin injects the faults of its profile.
    package var hasFaults = false

    /// The number of concurrent loads that one host allows.
    var width: Int { min(concurrency, perHost ?? concurrency) }

    /// Returns a label with only the options that vary in the sweep, for example `64, 2 workers`.
    package func label(among settings: [LoaderSetting]) -> String {
        var words = [adaptsFrom == nil ? "\(concurrency)" : "auto"]
        func isVaried<Value: Hashable>(_ path: KeyPath<LoaderSetting, Value>) -> Bool {
            Set(settings.map { $0[keyPath: path] }).count > 1
        }
        if isVaried(\.perHost) { words.append(perHost.map { "\($0) per host" } ?? "no host limit") }
        if isVaried(\.http) { words.append("HTTP \(http)") }
        if isVaried(\.thumbnails) { words.append(thumbnails.map { "thumbnails \($0)" } ?? "no thumbnails") }
        if isVaried(\.workers) { words.append("\(workers) workers") }
        if isVaried(\.hasFaults), hasFaults { words.append("faults") }
        return words.joined(separator: ", ")
    }

    /// Returns the setting with another, fixed concurrency.
    func with(concurrency: Int) -> LoaderSetting {
        var setting = self
        setting.concurrency = concurrency
        setting.adaptsFrom = nil
        return setting
    }

    /// The same setting without faults.
    var withoutFaults: LoaderSetting {
        var setting = self
        setting.hasFaults = false
        return setting
    }
}

extension LoaderSetting {
    init(_ json: JSON) throws(BenchError) {
        concurrency = try json.count("concurrency")
        perHost = json["per_host"]?.integer
        http = try json.string("http")
        thumbnails = json["thumbnails"]?.integer
        workers = try json.count("workers")
        adaptsFrom = json["adapts_from"]?.integer
        hasFaults = json["faults"] == .bool(true)
    }

    func write(to json: inout JSONWriter) {
        json.member("concurrency", concurrency)
        json.member("per_host", perHost)
        json.member("http", http)
        json.member("thumbnails", thumbnails)
        json.member("workers", workers)
        json.member("adapts_from", adaptsFrom)
        if hasFaults { json.member("faults", true) }
    }
}

package struct LoaderPoint: Sendable, Hashable {
    package var setting: LoaderSetting
    /// The samples in the order in which they were taken.
    package var samples: [LoaderSample]

    /// The rate in images per second.
    package var rate: SampleStatistics { SampleStatistics(samples.map(\.rate)) }
    /// The throughput in megabytes per second.
    package var megabytesPerSecond: SampleStatistics { SampleStatistics(samples.map(\.megabytesPerSecond)) }

    /// Returns the median of a measurement over the samples.
    package func medianValue(of figure: (LoaderSample) -> Double) -> Double { median(samples.map(figure)) }

    /// Returns how much of the machine and of the setting was in use.
    package func utilization(cores: Int, bandwidth: Int?) -> Utilization {
        Utilization(
            // A load's end is reported shortly after its slot is reused, so the sum can exceed 1.
            slots: min(1, medianValue { $0.slotSeconds / max($0.seconds, 1e-9) } / Double(setting.width)),
            decoders: setting.thumbnails == nil
                ? 0 : medianValue { $0.decodingSeconds / max($0.seconds, 1e-9) } / Double(setting.workers),
            loaderCPU: medianValue { $0.cpuSeconds / max($0.seconds, 1e-9) } / Double(cores),
            originCPU: medianValue { ($0.origin?.cpuSeconds ?? 0) / max($0.seconds, 1e-9) } / Double(cores),
            bandwidth: bandwidth.map { bandwidth in
                medianValue { Double($0.bytes) / max($0.seconds, 1e-9) } / Double(bandwidth)
            }
                ?? 0)
    }
}

/// The shares of resources in use, from 0 to 1.
package struct Utilization: Sendable, Hashable {
    package var slots: Double
    /// The share of the decoding workers.
    package var decoders: Double
    /// The share of all cores that the loader uses.
    package var loaderCPU: Double
    /// The share of all cores that the origin uses.
    package var originCPU: Double
    /// The share of the total bandwidth.
    package var bandwidth: Double
}
