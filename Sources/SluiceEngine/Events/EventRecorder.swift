// SPDX-License-Identifier: MIT

internal import Dispatch
package import SluiceModel
internal import SluiceTransfer

/// Counts a run's events and delivers them to a sink in order, one at a time.
package final class EventRecorder: Sendable {
    private struct State {
        var summary = Summary()
        var hosts = HostTally()
        var failures: [RunReport.FailedItem] = []
        var done = PositionSet()
        /// Events that the sink has not received yet.
        var queue: EventQueue

        mutating func count(_ event: Event) {
            summary.count(event)
            hosts.count(event)
            if case .itemEnded(let item, .done) = event { done.insert(item.seq) }
            guard failures.count < RunReport.maxFailures, case .itemEnded(let item, .failed(let receipt)) = event,
                let failure = receipt.failure
            else { return }
            failures.append(RunReport.FailedItem(seq: item.seq, id: item.photo.shownID, failure: failure))
        }
    }

    /// How long an event may wait for others, in seconds.
    ///
    /// In a run with thousands of small photos a second, waking the sink's thread for each one would take 7 % of the
    /// CPU time.
    private static let deliveryDelay = 0.02
    /// The number of waiting events that are delivered at once.
    private static let batchSize = 256

    package let metrics = RunMetrics()
    private let dispatchQueue = DispatchQueue(label: "sluice.events")
    private let sink: @Sendable (Event) -> Void
    private let state: Locked<State>
    private let start = ContinuousClock.now

    /// Creates a recorder.
    ///
    /// If the sink is slow, up to `capacity` events wait unchanged and later ones in reduced form.
    init(capacity: Int, _ sink: @escaping @Sendable (Event) -> Void) {
        self.sink = sink
        state = Locked(State(queue: EventQueue(capacity: capacity)))
    }

    /// Queues an event for the sink and returns the summary with it.
    ///
    /// Does not wait for the sink, which receives the event a little later, together with others.
    @discardableResult
    package func record(_ event: Event) -> Summary { record([event]) }

    @discardableResult
    func record(_ events: [Event]) -> Summary {
        let (summary, earlier, waiting) = state.withLock { state in
            for event in events { state.count(event) }
            let earlier = state.queue.count
            for event in events { state.queue.append(event) }
            return (state.summary, earlier, state.queue.count)
        }
        for case .hostPaused(let host, let duration, _) in events { metrics.hostPaused(host, for: duration) }
        if earlier < Self.batchSize, waiting >= Self.batchSize {
            dispatchQueue.async { self.deliver() }
        } else if earlier == 0, waiting > 0 {
            dispatchQueue.asyncAfter(deadline: .now() + Self.deliveryDelay) { self.deliver() }
        }
        return summary
    }

    package var current: Summary { state.withLock { $0.summary } }

    /// The counts per host so far.
    package var hosts: [String: HostCounts] { state.withLock { $0.hosts.counts } }

    /// The positions of the items that this run did.
    var done: PositionSet { state.withLock { $0.done } }

    package var failures: [RunReport.FailedItem] { state.withLock { $0.failures } }

    /// Delivers all events and `runFinished`, and returns after the sink has received them.
    func finish() -> Summary {
        let peak = metrics.peakMemory
        let summary = state.withLock { state in
            state.summary.duration = ContinuousClock.now - start
            state.summary.peakMemory = peak
            return state.summary
        }
        dispatchQueue.sync {
            deliver()
            sink(.runFinished(summary))
        }
        return summary
    }

    /// Delivers the queued events.
    ///
    /// Called on the dispatch queue only.
    private func deliver() {
        while let event = state.withLock({ $0.queue.popFirst() }) { sink(event) }
    }
}

/// Counts a run's downloads, failures, retries and pauses per host, from its events.
package struct HostTally: Sendable {
    /// The maximum number of hosts to count separately, so that memory does not grow with the run.
    private static let limit = 10_000
    /// The key for all other hosts.
    ///
    /// It is not a valid host name.
    package static let others = "*"

    private(set) var counts: [String: HostCounts] = [:]

    mutating func count(_ event: Event) {
        switch event {
        case .itemEnded(_, .done(let receipt)):
            count(receipt) { counts in
                counts.done += 1
                counts.bytes += receipt.bytesReceived ?? 0
            }
        case .itemEnded(_, .failed(let receipt)): count(receipt) { $0.failed += 1 }
        case .itemRetried(let item, _, let failure, _):
            count(failure.finalURL ?? item.photo.variants.first?.url) { $0.retried += 1 }
        case .hostPaused(let host, _, _): change(host) { $0.paused += 1 }
        default: break
        }
    }

    private mutating func count(_ receipt: Receipt, _ body: (inout HostCounts) -> Void) {
        count(receipt.finalURL ?? receipt.url, body)
    }

    private mutating func count(_ url: String?, _ body: (inout HostCounts) -> Void) {
        if let host = url.flatMap({ WebAddress($0) })?.host { change(host, body) }
    }

    private mutating func change(_ host: String, _ body: (inout HostCounts) -> Void) {
        let isKnown = counts[host] != nil || counts.count < Self.limit
        body(&counts[isKnown ? host : Self.others, default: HostCounts()])
    }
}

/// The totals of one host in a run.
package struct HostCounts: Sendable, Hashable {
    var done = 0
    /// Photos that failed after all retries.
    var failed = 0
    /// Failed attempts that were followed by a retry.
    var retried = 0
    var paused = 0
    /// Bytes of the downloaded photos.
    var bytes = 0
}
