// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceModel

/// The progress of a run, computed from its events.
///
/// Every display uses it.
struct RunProgress: Sendable {
    /// The limits that the user set for the run.
    struct Limits: Sendable, Hashable {
        var pages: Int?
        /// The maximum number of photos.
        var items: Int?
    }

    /// An item that has started and not ended.
    struct InFlight: Sendable {
        var start: Duration
        let item: Item
        /// The bytes that have arrived.
        var bytes = 0
        /// The size of the file, if it is known.
        var total: Int?

        /// Computed when it is shown: most items never are.
        var name: String { SluiceCLI.name(of: item) }
    }

    let limits: Limits
    let purpose: RunPurpose
    private(set) var summary = Summary()
    private(set) var page = 0
    /// The number of photos on the pages so far.
    private(set) var listed = 0
    /// The number of failed attempts that were followed by another.
    private(set) var retries = 0
    private(set) var inFlight: [Int: InFlight] = [:]
    /// The maximum number of items in flight; further items that have started wait to be committed.
    private var width = Int.max
    private(set) var throughput = Throughput()
    /// The paused hosts, with the end of each pause.
    private(set) var paused: [String: Duration] = [:]
    var bottleneck: Bottleneck?
    private var total: Int?
    private var pageSize = 0
    /// The share of the source that has been read, if it has no total.
    private var share: Double?

    init(limits: Limits = Limits(), purpose: RunPurpose = .mirror) {
        self.limits = limits
        self.purpose = purpose
    }

    /// Records an event; `now` is the time since the start of the run.
    mutating func record(_ event: Event, at now: Duration) {
        summary.count(event)
        switch event {
        case .runStarted(let start): width = start.width
        case .concurrencyChanged(let width, _): self.width = width
        case .pageRequested(let number): page = number
        case .pageLoaded(_, let photos, let total):
            listed += photos
            pageSize = max(pageSize, photos)
            self.total = total ?? self.total
        case .sourceRead(let share): self.share = share
        case .itemStarted(let item): inFlight[item.seq] = InFlight(start: now, item: item)
        case .itemProgressed(let item, let bytes, let total):
            inFlight[item.seq]?.bytes = bytes
            inFlight[item.seq]?.total = total
        case .itemRetried: retries += 1
        case .hostPaused(let host, let duration, _): pause(host, until: now + duration, at: now)
        case .hostGivenUp(let host, _): paused[host] = nil
        case .itemEnded(let item, _):
            inFlight[item.seq] = nil
            throughput.record(
                Throughput.Snapshot(time: now, ended: summary.ended, done: summary.done, bytes: summary.bytesReceived))
        default: break
        }
    }

    /// The expected number of photos; `nil` if it is unknown.
    var expected: Int? {
        guard summary.pages > 0 else { return nil }
        var bounds = [total, limits.items].compactMap(\.self)
        if summary.failedPages > 0 {
            bounds.append(listed)
        } else if share == 1 {
            bounds.append(listed)
        } else if let pages = limits.pages {
            let (more, overflow) = max(0, pages - summary.pages).multipliedReportingOverflow(by: pageSize)
            if !overflow, more < .max - listed { bounds.append(listed + more) }
        }
        return bounds.min().map { max($0, summary.ended) }
    }

    /// The expected number of photos, estimated from the share of the source that has been read, to two digits.
    var estimated: Int? {
        guard let share, share > 0, listed > 0 else { return nil }
        let exact = min(Double(listed) / share, 1e15)
        var step = 1.0
        while exact / step >= 100 { step *= 10 }
        return max(Int(rounding: (exact / step).rounded() * step), summary.ended)
    }

    /// The number of items in flight, without those that wait to be committed.
    var inFlightCount: Int { min(inFlight.count, width) }

    /// The bytes of originals so far, including those of unfinished files.
    var bytesReceived: Int { inFlight.values.reduce(summary.bytesReceived) { $0 + $1.bytes } }

    /// Returns the items that are in flight for the longest time and started at `latest` or before.
    func oldest(_ count: Int, startedBy latest: Duration) -> [InFlight] {
        // Filtering first is fast: almost always none qualifies, and there are ten frames per second.
        let old = inFlight.filter { $0.value.start <= latest }
        return old.sorted { ($0.value.start, $0.key) < ($1.value.start, $1.key) }.prefix(count).map(\.value)
    }

    /// Returns the hosts that are paused now, ordered by the end of their pauses.
    func paused(at now: Duration) -> [(host: String, until: Duration)] {
        paused.filter { $0.value > now }.sorted { ($0.value, $0.key) < ($1.value, $1.key) }
            .map { (host: $0.key, until: $0.value) }
    }

    /// Records a pause, and removes pauses that are over, so that memory stays bounded in a long run with many hosts.
    private mutating func pause(_ host: String, until end: Duration, at now: Duration) {
        if paused.count >= 64 { paused = paused.filter { $0.value > now } }
        paused[host] = max(end, paused[host] ?? end)
    }
}

/// Returns the name of an item for messages: `photo 17 (its-id)`.
func name(of item: Item) -> String { "photo \(item.seq) (\(escaped(item.photo.id, columns: 60)))" }

/// Measures the throughput of the last ten seconds.
struct Throughput: Sendable {
    /// The totals at a point in time.
    struct Snapshot: Sendable, Hashable {
        var time = Duration.zero
        var ended = 0
        var done = 0
        var bytes = 0
    }

    static let window = Duration.seconds(10)
    /// The minimum interval between snapshots, which bounds their number.
    static let step = Duration.milliseconds(250)

    private var snapshots = [Snapshot()]
    private var latest = Snapshot()

    mutating func record(_ snapshot: Snapshot) {
        latest = snapshot
        guard let last = snapshots.last, snapshot.time - last.time >= Self.step else { return }
        snapshots.append(snapshot)
        if let start = snapshots.lastIndex(where: { snapshot.time - $0.time >= Self.window }) {
            snapshots.removeFirst(start)
        }
    }

    /// Returns the throughput per second; zero until there is enough data.
    func perSecond(at now: Duration) -> (ended: Double, done: Double, bytes: Double) {
        let first = snapshots.last { now - $0.time >= Self.window } ?? snapshots[0]
        let time = seconds(now - first.time)
        guard time > 0.2 else { return (0, 0, 0) }
        return (
            Double(latest.ended - first.ended) / time, Double(latest.done - first.done) / time,
            Double(latest.bytes - first.bytes) / time
        )
    }
}
