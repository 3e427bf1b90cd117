// SPDX-License-Identifier: MIT

/// What a sweep of the loader varies, and how it is measured.
public struct LoaderBenchOptions: Sendable, Hashable {
    /// How many loads are under way at once.
    public var concurrency = [1, 2, 4, 8, 16, 32, 64, 128, 256]
    /// From how many up to how many a loader may go that finds the number by itself; `nil` measures none.
    public var auto: ClosedRange<Int>?
    /// How many of them one host has; none leaves hosts unbounded.
    public var perHost: [Int] = []
    /// What is spoken with hosts.
    public var http = ["auto"]
    /// The sides of thumbnails, where `nil` makes none.
    public var thumbnails: [Int?] = [nil]
    /// How many pictures are decoded at once; none for as many as there are cores.
    public var workers: [Int] = []
    /// What is loaded from.
    public var origin = OriginModel()
    /// The addresses to load in its place.
    public var addresses: [String]?
    /// The run to play again in its place.
    public var recording: Recording?
    /// What all connections of a replay carry together: the trace does not tell what the network had to give.
    public var replayedBandwidth: Int?
    /// How often each point is measured.
    public var repeats = 5
    /// Behind so much time a sample begins nothing more.
    public var longest = Duration.seconds(10)
    /// How long a host may keep silent.
    public var timeout = Duration.seconds(2)
    /// How many more attempts follow a failed one.
    public var retries = 3
    /// The folder that is loaded into; `nil` takes the system's for temporary files.
    public var folder: String?

    /// Makes the defaults.
    public init() {}

    /// What a replay is measured with unless more is said: as the run loaded, with half and with twice as many at once,
    /// and with twice as many of one host.
    public mutating func replay(_ recording: Recording) {
        self.recording = recording
        let own = recording.course.setting
        concurrency = Set([max(1, own.concurrency / 2), own.concurrency, own.concurrency * 2]).sorted()
        perHost = own.perHost.map { [$0, $0 * 2] } ?? []
        // What is slow was slow in the run, too.
        timeout = .seconds(10) + .microseconds((recording.photos.map { $0.wait + $0.body }.max() ?? 0) * 2)
    }

    /// Every setting of the sweep, in the order of the results.
    public var settings: [LoaderSetting] {
        let unbounded = addresses == nil ? nil : Self.politeWidth
        let hosts = perHost.isEmpty ? [unbounded] : perHost.map { Optional($0) }
        let widths = workers.isEmpty ? [Host.own.cores] : workers
        return http.flatMap { http in
            thumbnails.flatMap { side in
                // How many decode at once matters only where something is decoded.
                (side == nil ? Array(widths.prefix(1)) : widths).flatMap { workers in
                    hosts.flatMap { perHost in
                        let most = auto.map { [($0.upperBound, Optional($0.lowerBound))] } ?? []
                        return (concurrency.map { ($0, nil) } + most).map {
                            LoaderSetting(
                                concurrency: $0, perHost: perHost, http: http, thumbnails: side, workers: workers,
                                adaptsFrom: $1)
                        }
                    }
                }
            }
        }
    }

    /// The most transfers of one stranger's host at once.
    public static let politeWidth = 6
    /// The most requests that a sweep asks of strangers' hosts in all.
    public static let politeRequests = 5000

    /// Refuses what cannot be measured, or would be rude.
    func check() throws(BenchError) {
        guard let addresses else {
            guard !http.contains("2") else {
                throw BenchError(
                    .usage, "the built-in origin speaks HTTP/1.1 alone: compare HTTP versions with --against")
            }
            return
        }
        guard !addresses.isEmpty else { throw BenchError(.usage, "the list of --against has no address") }
        guard perHost.allSatisfy({ $0 <= Self.politeWidth }) else {
            throw BenchError(
                .usage, "--per-host goes to \(Self.politeWidth) at most with --against: the hosts are not ours")
        }
        guard requests <= Self.politeRequests else {
            throw BenchError(
                .usage,
                "this asks hosts \(requests) times (limit \(Self.politeRequests)): shorten the list, --concurrency or --repeat"
            )
        }
    }

    /// How often hosts are asked at most, without retries.
    public var requests: Int { (addresses?.count ?? origin.images) * (settings.count * repeats + 1) }

    /// What a sweep of strangers' hosts does to them, in a sentence.
    public var promise: String {
        let hosts = Set((addresses ?? []).map { $0.split(separator: "/").dropFirst().first.map(String.init) ?? $0 })
        return """
            asks \(hosts.count == 1 ? "1 host" : "\(hosts.count) hosts") for \(addresses?.count ?? 0) addresses, \
            \(requests) requests in all, at most \(Self.politeWidth) of one host at once, and keeps to robots.txt
            """
    }
}
