// SPDX-License-Identifier: MIT

internal import Sluice

/// How far a run is, as far as its events tell: what every display draws from.
struct RunProgress: Sendable {
    /// Where the user wants the run to end.
    struct Goals: Sendable, Hashable {
        /// The most pages.
        var pages: Int?
        /// The most photos.
        var items: Int?
    }

    /// An item that has its slot and no end yet.
    struct InFlight: Sendable {
        var since: Duration
        let item: Item

        /// Made when it is shown: most items are never looked at.
        var name: String { SluiceCLI.name(of: item) }
    }

    let goals: Goals
    let errand: Errand
    /// What has ended, in numbers.
    private(set) var summary = Summary()
    /// The page that was asked for last.
    private(set) var page = 0
    /// How many photos the pages so far list.
    private(set) var listed = 0
    /// Attempts that failed and were followed by another.
    private(set) var retries = 0
    private(set) var inFlight: [Int: InFlight] = [:]
    private(set) var rate = Rate()
    /// Hosts that are left alone, and until when.
    private(set) var paused: [String: Duration] = [:]
    /// What holds the run up.
    var bottleneck: Bottleneck?
    private var total: Int?
    private var pageSize = 0

    init(goals: Goals = Goals(), errand: Errand = .mirror) {
        self.goals = goals
        self.errand = errand
    }

    /// Takes in one event; `now` is the time since the run began.
    mutating func record(_ event: Event, at now: Duration) {
        summary.count(event)
        switch event {
        case .pageRequested(let number): page = number
        case .pageLoaded(_, let photos, let total):
            listed += photos
            pageSize = max(pageSize, photos)
            self.total = total ?? self.total
        case .itemStarted(let item): inFlight[item.seq] = InFlight(since: now, item: item)
        case .itemRetried: retries += 1
        case .hostPaused(let host, let duration, _): pause(host, until: now + duration, at: now)
        case .hostGivenUp(let host, _): paused[host] = nil
        case .itemEnded(let item, _):
            inFlight[item.seq] = nil
            rate.record(Rate.Sample(at: now, ended: summary.ended, done: summary.done, bytes: summary.bytesReceived))
        default: break
        }
    }

    /// How many photos there will be, once anything is known of that.
    var expected: Int? {
        guard summary.pages > 0 else { return nil }
        var bounds = [total, goals.items].compactMap(\.self)
        if summary.failedPages > 0 {
            bounds.append(listed)
        } else if let pages = goals.pages {
            let (more, overflow) = max(0, pages - summary.pages).multipliedReportingOverflow(by: pageSize)
            if !overflow, more < .max - listed { bounds.append(listed + more) }
        }
        return bounds.min().map { max($0, summary.ended) }
    }

    /// The items that have been under way for the longest, and for so long at least.
    func oldest(_ count: Int, since: Duration) -> [InFlight] {
        // Nearly always there is none, and a frame is drawn ten times a second.
        let old = inFlight.filter { $0.value.since <= since }
        return old.sorted { ($0.value.since, $0.key) < ($1.value.since, $1.key) }.prefix(count).map(\.value)
    }

    /// The hosts that are left alone now, the one that comes back first being the first.
    func paused(at now: Duration) -> [(host: String, until: Duration)] {
        paused.filter { $0.value > now }.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
            .map { (host: $0.key, until: $0.value) }
    }

    /// Takes note of a pause; those that are over go, so that a long run with many hosts does not grow.
    private mutating func pause(_ host: String, until end: Duration, at now: Duration) {
        if paused.count >= 64 { paused = paused.filter { $0.value > now } }
        paused[host] = max(end, paused[host] ?? end)
    }
}

/// `photo 17 (its-id)`.
func name(of item: Item) -> String { "photo \(item.seq) (\(escaped(item.photo.id, columns: 60)))" }
