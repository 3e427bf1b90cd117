// SPDX-License-Identifier: MIT

internal import SluiceGallery
public import SluiceModel

/// A host's answer about a photo of the mirror.
public enum DriftState: String, Sendable, Hashable, CaseIterable {
    /// The host confirms the version, or sends the same bytes.
    case same
    /// The host sends other bytes.
    case changed
    /// The host sends a picture that stands for missing photos.
    case placeholder
    /// The host sends a web page.
    case page
    /// The address leads to the home page of a site.
    case home
    /// The host says that it has no such photo.
    case gone
    /// The host forbids the collection of the photo, by `X-Robots-Tag` or `robots.txt`.
    case optedOut = "opted-out"
    /// The host now reserves the training of models, which it did not when it sent the photo.
    case reserved
    /// The host still has the photo, but the feed states another licence than at the download.
    case relicensed
    /// The host gave no usable answer, which may be temporary.
    case failed

    /// Whether the photo may no longer be kept.
    public var isWithdrawal: Bool { [.gone, .optedOut, .reserved].contains(self) }
}

/// How the photos of a mirror differ from those that their hosts have now.
public struct DriftReport: Sendable, Hashable {
    /// The number of photos in each state.
    public struct Counts: Sendable, Hashable {
        private var counts: [DriftState: Int] = [:]

        /// The number of photos in a state.
        public subscript(state: DriftState) -> Int { counts[state] ?? 0 }
        /// The number of photos in all states.
        public var total: Int { counts.values.reduce(0, +) }

        /// The number of photos that are not the same and did not fail.
        var lost: Int { total - self[.same] - self[.failed] }

        mutating func add(_ state: DriftState) { counts[state, default: 0] += 1 }
    }

    /// A photo whose host was asked.
    public struct CheckedPhoto: Sendable, Hashable {
        /// The item's position in the mirror.
        public let item: Int
        /// The requested address.
        public let url: String
        /// The host's answer.
        public internal(set) var state: DriftState
        /// The failure of the request, if it failed.
        public let failure: Failure?
        /// The evidence in a few words; `nil` if the photo is the same.
        public internal(set) var reason: String?
    }

    /// The time since the photo was downloaded.
    public enum Age: String, Sendable, Hashable, CaseIterable {
        case week = "up to a week"
        case month = "up to a month"
        case quarter = "up to 3 months"
        case year = "up to a year"
        case older = "more than a year"
        case unknown = "unknown"

        private static let limits = [(days: 7, age: Age.week), (30, .month), (91, .quarter), (365, .year)]

        /// The group of an age in seconds.
        init(seconds: Int?) {
            guard let seconds else {
                self = .unknown
                return
            }
            self = Self.limits.first { seconds <= $0.days * 86_400 }?.age ?? .older
        }
    }

    /// All photos whose hosts were asked.
    public private(set) var all = Counts()
    /// The photos by their hosts.
    public private(set) var hosts: [String: Counts] = [:]
    /// The photos by the time since they were downloaded.
    public private(set) var ages: [Age: Counts] = [:]
    /// Whether the check was stopped early.
    public internal(set) var isStopped = false

    mutating func add(_ state: DriftState, host: String, age: Age) {
        all.add(state)
        hosts[host, default: Counts()].add(state)
        ages[age, default: Counts()].add(state)
    }

    /// The hosts, those with the most changed and missing photos first.
    public var hostsByDrift: [(host: String, counts: Counts)] {
        hosts.map { (host: $0.key, counts: $0.value) }.sorted { first, second in
            (first.counts.lost, second.host) > (second.counts.lost, first.host)
        }
    }
}

extension DriftReport {
    private static let maximumHosts = 50

    /// The report of the mirror in `folder` as a page without scripts or other files, with tables by host and by age.
    public func page(of folder: String) -> [UInt8] {
        let hosts = hostsByDrift
        let rest = hosts.count - Self.maximumHosts
        let byHost = SharesPage.Table(
            "By host", by: "host", hosts.prefix(Self.maximumHosts).map { row($0.host, $0.counts) },
            remark: rest > 0 ? "and \(rest) more hosts" : "")
        let byAge = SharesPage.Table(
            "By time since the download", by: "time",
            Age.allCases.compactMap { age in ages[age].map { row(age.rawValue, $0) } })
        return SharesPage(
            "Drift", of: folder, kinds: Self.kinds.map(\.name), all: row("", all).counts, [byHost, byAge]
        ).bytes
    }

    /// The columns of the page.
    private static let kinds: [(name: String, states: [DriftState])] = [
        ("same", [.same]), ("changed", [.changed, .relicensed]), ("substituted", [.placeholder, .page, .home]),
        ("gone", [.gone]),
        ("failed", [.failed, .optedOut, .reserved]),
    ]

    private func row(_ name: String, _ counts: Counts) -> SharesPage.Row {
        SharesPage.Row(name, Self.kinds.map { kind in kind.states.reduce(0) { $0 + counts[$1] } })
    }
}

/// Adds up the time of each host's failed requests, and excludes hosts whose time is used up.
///
/// Without this limit, a host with many slow photos delays the end of a check by the time limit of each of them.
struct SlowHosts: Sendable {
    /// The number of requests that may take all their time.
    private static let requests = 4

    private let limit: Duration
    private var lost: TextMap<Duration> = [:]
    private var refusals: TextMap<Failure> = [:]

    /// Allows each host a few times the time limit of a request.
    init(timeout: Duration) { limit = timeout * Self.requests }

    /// The failure of photos that are not requested any more; `nil` if the host may be requested.
    func refusal(of host: String) -> Failure? { refusals[host] }

    /// Adds a request that failed after this time; only failures that may be temporary count.
    mutating func add(_ failure: Failure, of host: String, after time: Duration) {
        guard failure.cause.isRetryable, failure.cause != .cancelled, refusals[host] == nil else { return }
        let total = (lost[host] ?? .zero) + time
        lost[host] = total
        guard total >= limit else { return }
        let seconds = Int(rounding: total.inSeconds)
        refusals[host] = Failure(failure.cause, "\(host): not requested after failed requests of \(seconds) s in all")
    }
}

/// Collects the answers of hosts, and finds the placeholders among them.
struct DriftAnswers: Sendable {
    private struct Entry {
        var photo: DriftReport.CheckedPhoto
        let host: String
        let age: DriftReport.Age
        let newFile: Fingerprint?
    }

    private var counts = DriftReport()
    private var entries: [Entry] = []
    /// The number of addresses that deliver a new file.
    private var newFiles: [Fingerprint: Int] = [:]

    mutating func add(_ answer: PhotoChecker.Answer, about photo: PhotoChecker.Photo, age: DriftReport.Age) {
        guard answer.state != .same else { return counts.add(.same, host: photo.host, age: age) }
        let newFile = answer.newFile.map { Fingerprint($0) }
        if let newFile { newFiles[newFile, default: 0] += 1 }
        let checked = DriftReport.CheckedPhoto(
            item: photo.item.seq, url: photo.url, state: answer.state, failure: answer.failure, reason: answer.reason)
        entries.append(Entry(photo: checked, host: photo.host, age: age, newFile: newFile))
    }

    /// Returns the report of all answers, and calls `body` with each photo that is not the same, in order.
    func report(_ body: (DriftReport.CheckedPhoto) -> Void) -> DriftReport {
        var report = counts
        for var entry in entries.sorted(by: { $0.photo.item < $1.photo.item }) {
            let count = entry.newFile.flatMap { newFiles[$0] } ?? 0
            if count >= Substitute.minimumPlaceholders {
                entry.photo.state = .placeholder
                entry.photo.reason = "\(count) addresses of the host deliver this file"
            }
            report.add(entry.photo.state, host: entry.host, age: entry.age)
            body(entry.photo)
        }
        return report
    }
}
