// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel

/// The settings that a sweep of the loader varies, and how it measures them.
package struct LoaderBenchOptions: Sendable, Hashable {
    /// The numbers of concurrent loads.
    package var concurrency = [1, 2, 4, 8, 16, 32, 64, 128, 256]
    /// The range of a loader that adapts its concurrency; `nil` to measure no such loader.
    package var auto: ClosedRange<Int>?
    /// The limits of concurrent loads per host; empty for no limit.
    package var perHost: [Int] = []
    /// The HTTP versions: `auto`, `1.1` or `2`.
    package var http = ["auto"]
    /// The thumbnail sizes in pixels; `nil` makes no thumbnails.
    package var thumbnails: [Int?] = [nil]
    /// The numbers of decoding workers; empty for one per core.
    package var workers: [Int] = []
    package var origin = OriginProfile()
    /// The URLs to load instead of the simulated origin's images.
    package var addresses: [String]?
    /// The number of samples per setting.
    package var repeats = 5
    /// The time after which a sample starts no more loads.
    package var maximumSampleTime = Duration.seconds(5)
    /// The longest wait for a host's response.
    package var timeout = Duration.seconds(2)
    /// The number of retries after a failed attempt.
    package var retries = 3
    /// The folder to load into; `nil` for the system's temporary folder.
    package var folder: String?

    package init() {}

    /// All settings of the sweep, in the order of the results; with faults, each one first without them.
    package var settings: [LoaderSetting] {
        guard addresses == nil, !origin.faults.isEmpty else { return faultlessSettings }
        return faultlessSettings
            + faultlessSettings.map { setting in
                var setting = setting
                setting.hasFaults = true
                return setting
            }
    }

    private var faultlessSettings: [LoaderSetting] {
        let unbounded = addresses == nil ? nil : Self.politePerHostLimit
        let hosts = perHost.isEmpty ? [unbounded] : perHost.map { Optional($0) }
        let widths = workers.isEmpty ? [BenchMachine.current.cores] : workers
        return http.flatMap { http in
            thumbnails.flatMap { side in
                // The number of workers matters only if thumbnails are made.
                (side == nil ? Array(widths.prefix(1)) : widths).flatMap { workers in
                    hosts.flatMap { perHost in
                        let adaptive = auto.map { [($0.upperBound, Optional($0.lowerBound))] } ?? []
                        return (concurrency.map { ($0, nil) } + adaptive).map {
                            LoaderSetting(
                                concurrency: $0, perHost: perHost, http: http, thumbnails: side, workers: workers,
                                adaptsFrom: $1)
                        }
                    }
                }
            }
        }
    }

    /// The highest number of concurrent transfers from one third-party host.
    package static let politePerHostLimit = 6
    /// The highest number of requests that a sweep sends to third-party hosts.
    package static let politeRequestLimit = 5000

    /// Throws if the options cannot be measured or would burden third-party hosts.
    func check() throws(BenchError) {
        guard let addresses else {
            guard !http.contains("2") else {
                throw BenchError(
                    .usage, "cannot use HTTP/2 with the built-in origin", hint: .benchmarkAddresses)
            }
            return
        }
        guard !addresses.isEmpty else { throw BenchError(.usage, "cannot send requests: the list has no URLs") }
        guard perHost.allSatisfy({ $0 <= Self.politePerHostLimit }) else {
            throw BenchError(
                .usage,
                "cannot send more than \(Self.politePerHostLimit) concurrent requests to one third-party host",
                hint: .lowerPerHost)
        }
        guard requests <= Self.politeRequestLimit else {
            throw BenchError(
                .usage,
                "cannot send \(requests) requests to third-party hosts: the limit is \(Self.politeRequestLimit)",
                hint: .sendFewerRequests)
        }
    }

    /// The highest number of requests, not counting retries.
    package var requests: Int { (addresses?.count ?? origin.images) * (settings.count * repeats + 1) }

    /// Describes the requests that a sweep sends to third-party hosts.
    package var trafficSummary: String {
        let hosts = Set((addresses ?? []).map { $0.split(separator: "/").dropFirst().first.map(String.init) ?? $0 })
        return """
            sends \(requests) requests for \(addresses?.count ?? 0) URLs to \
            \(hosts.count == 1 ? "1 host" : "\(hosts.count) hosts"), at most \(Self.politePerHostLimit) at a time per host, \
            and obeys robots.txt
            """
    }
}

extension LoaderBenchOptions {
    /// The default concurrency for third-party hosts.
    package static let politeConcurrency = [1, 2, 4, 8, 16]

    /// Reads URLs from a file, one per line; ignores empty lines and those that begin with `#`.
    package static func addresses(inFile path: String) throws(BenchError) -> [String] {
        do throws(FileError) {
            var lines = LineReader(try InputFile(path))
            var addresses: [String] = []
            while let line = try lines.next() {
                let text = String(decoding: line.filter { $0 > 0x20 }, as: UTF8.self)
                if !text.isEmpty, !text.hasPrefix("#") { addresses.append(text) }
            }
            return addresses
        } catch {
            throw BenchError(.usage, "cannot read the list of URLs: \(error)")
        }
    }
}
