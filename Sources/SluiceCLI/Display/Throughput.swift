// SPDX-License-Identifier: MIT

/// Measures the throughput of the last ten seconds.
struct Throughput: Sendable {
    /// The totals at a point in time.
    struct Snapshot: Sendable, Hashable {
        var time = Duration.zero
        var ended = 0
        var done = 0
        var bytes = 0
    }

    /// The period to measure.
    static let window = Duration.seconds(10)
    /// The minimum interval between snapshots, which bounds their number.
    static let step = Duration.milliseconds(250)

    private var snapshots = [Snapshot()]
    private var latest = Snapshot()

    /// Records the current totals.
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
