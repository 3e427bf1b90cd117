// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceLedger
internal import SluiceModel

/// Hands events on, one at a time and in order, and counts them into the run's summary.
final class Recorder: Sendable {
    private struct State {
        var summary = Summary()
        var hosts = HostTally()
        /// What the sink has not been given yet.
        var waiting: EventQueue
    }

    /// What the run measures of itself.
    let measures = Measures()
    private let queue = DispatchQueue(label: "sluice.events")
    private let sink: @Sendable (Event) -> Void
    private let state: Locked<State>
    private let start = ContinuousClock.now

    /// Hands events on to a sink; if it is slow, so many wait for it as they are, and ends in short.
    init(room: Int, _ sink: @escaping @Sendable (Event) -> Void) {
        self.sink = sink
        state = Locked(State(waiting: EventQueue(room: room)))
    }

    /// Hands on an event, and returns the counts with it; whoever reads slowly does not slow the caller.
    @discardableResult
    func record(_ event: Event) -> Summary { record([event]) }

    /// Hands on events that came together: a million kept items are not to wake a thread a million times.
    @discardableResult
    func record(_ events: [Event]) -> Summary {
        let (summary, isFirst) = state.withLock { state in
            for event in events {
                state.summary.count(event)
                state.hosts.count(event)
            }
            let isFirst = state.waiting.count == 0 && !events.isEmpty
            for event in events { state.waiting.add(event) }
            return (state.summary, isFirst)
        }
        for case .hostPaused(let host, let duration, _) in events { measures.paused(host, for: duration) }
        if isFirst { queue.async { self.handOn() } }
        return summary
    }

    /// What was counted so far.
    var current: Summary { state.withLock { $0.summary } }

    /// What the run had of each host so far.
    var hosts: [String: HostCounts] { state.withLock { $0.hosts.counts } }

    /// Hands on the last event, and returns when it and all before it were read.
    func finish() -> Summary {
        let peak = measures.peakMemory
        let summary = state.withLock { state in
            state.summary.duration = ContinuousClock.now - start
            state.summary.peakMemory = peak
            return state.summary
        }
        queue.sync {
            handOn()
            sink(.runFinished(summary))
        }
        return summary
    }

    /// On the queue only.
    private func handOn() {
        while let event = state.withLock({ $0.waiting.next() }) { sink(event) }
    }
}
