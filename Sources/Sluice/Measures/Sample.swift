// SPDX-License-Identifier: MIT

internal import SluiceModel

/// What happened in a span of a run.
struct Sample: Sendable, Hashable {
    /// When it began, in seconds of the run's.
    var begin = 0.0
    /// How long it was, in seconds.
    var length = 0.0
    /// Items that were done.
    var done = 0
    /// Items that had any other end, but for those that earlier runs did.
    var others = 0
    /// Bytes that arrived.
    var bytes = 0
    /// How many were in each stage.
    var means = StageMeans()
    /// How many items rested between two attempts, at its end.
    var resting = 0
    /// How many hosts were not to be asked, at its end.
    var pausedHosts = 0
    /// What held the run up.
    var bottleneck: Bottleneck?

    /// Whether nearly all bytes came that may come in a second.
    func takes(_ bandwidth: Int?) -> Bool {
        bandwidth.map { Double(bytes) >= 0.9 * Double($0) * length } ?? false
    }

    /// Takes the next span to itself.
    mutating func join(_ next: Sample) {
        means = .mean(means, over: length, next.means, over: next.length)
        // The longer one's word stands.
        if next.length >= length { bottleneck = next.bottleneck }
        length = next.begin + next.length - begin
        done += next.done
        others += next.others
        bytes += next.bytes
        resting = max(resting, next.resting)
        pausedHosts = max(pausedHosts, next.pausedHosts)
    }
}
