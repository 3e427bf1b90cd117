// SPDX-License-Identifier: MIT

/// How fast things went in the last seconds.
struct Rate: Sendable {
    /// What had ended by a moment of the run.
    struct Sample: Sendable, Hashable {
        var at = Duration.zero
        var ended = 0
        var done = 0
        var bytes = 0
    }

    /// Speeds of the last seconds only, so that they follow what happens now.
    static let window = Duration.seconds(10)
    /// One sample for each of these is exact enough, and bounds their number.
    static let step = Duration.milliseconds(250)

    private var samples = [Sample()]
    private var latest = Sample()

    /// Takes in how far the run is.
    mutating func record(_ sample: Sample) {
        latest = sample
        guard let last = samples.last, sample.at - last.at >= Self.step else { return }
        samples.append(sample)
        if let start = samples.lastIndex(where: { sample.at - $0.at >= Self.window }) {
            samples.removeFirst(start)
        }
    }

    /// What ends in a second; zero until there is anything to tell.
    func perSecond(at now: Duration) -> (ended: Double, done: Double, bytes: Double) {
        let first = samples.last { now - $0.at >= Self.window } ?? samples[0]
        let time = seconds(now - first.at)
        guard time > 0.2 else { return (0, 0, 0) }
        return (
            Double(latest.ended - first.ended) / time, Double(latest.done - first.done) / time,
            Double(latest.bytes - first.bytes) / time
        )
    }
}
