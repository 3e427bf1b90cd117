// SPDX-License-Identifier: MIT

internal import SluiceModel

extension Bottleneck {
    /// What held a run up over a span of time, in which it had all bytes that it may have if it `isThrottled`; `nil` if
    /// nothing did.
    ///
    /// Back-pressure fills everything before the stage that holds the run up, so they are asked from the last to the
    /// first, and the first one that is full is it; `Documentation/report.md` has the rule in words.
    init?(_ means: StageMeans, resting: Int, width: Int, isThrottled: Bool = false) {
        let slots = means[.flight] - Double(resting)
        if means[.writer] >= 0.8 || means[.endsRoom] >= 0.5 {
            self = .disk
        } else if means[.decodeLine] >= 1 || means[.memoryLine] >= 1 {
            self = .decode
        } else if isThrottled || slots >= 0.9 * Double(width) {
            self = .network
        } else if means[.line] >= 1 || Double(resting) > max(0, slots) {
            self = .hosts
        } else if means[.feed] >= 0.5 {
            self = .feed
        } else if means[.flight] >= 0.5 {
            // The last ones: nobody waits behind them.
            self = means[.decode] > means[.flight] / 2 ? .decode : .network
        } else {
            return nil
        }
    }
}
