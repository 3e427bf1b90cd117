// SPDX-License-Identifier: MIT

internal import SluiceModel

extension Bottleneck {
    /// Determines the stage that limited a run over an interval; `nil` if none did.
    ///
    /// Back-pressure fills every stage before the bottleneck. The stages are therefore checked from the last to the
    /// first, and the first full one is the bottleneck. `isThrottled` says that the run used all of its allowed
    /// bandwidth, and `readsInput` that its feed is a list on standard input. Items that wait for a
    /// retry count for the hosts only if hosts are paused. `Documentation/report.md` describes the rule.
    init?(
        _ averages: StageAverages, suspended: Int, pausedHosts: Int = 0, width: Int, isThrottled: Bool = false,
        readsInput: Bool = false
    ) {
        let slots = averages[.inFlight] - Double(suspended)
        if averages[.committing] >= 0.8 || averages[.blockedOnCommits] >= 0.5 {
            self = .disk
        } else if averages[.waitingForDecoder] >= 1 || averages[.waitingForMemory] >= 1 {
            self = .decode
        } else if isThrottled {
            self = .bandwidth
        } else if slots >= 0.9 * Double(width) {
            self = .network
        } else if averages[.waitingForSlot] >= 1 || pausedHosts > 0 && Double(suspended) > max(0, slots) {
            self = .hosts
        } else if averages[.readingFeed] >= 0.5 {
            self = readsInput ? .input : .feed
        } else if slots >= 0.5, slots >= Double(suspended) {
            // The last items of a run: no others wait for their slots.
            self = averages[.decoding] > averages[.inFlight] / 2 ? .decode : .network
        } else {
            return nil
        }
    }
}
