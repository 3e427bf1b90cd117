// SPDX-License-Identifier: MIT

internal import Dispatch
package import SluiceModel

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
