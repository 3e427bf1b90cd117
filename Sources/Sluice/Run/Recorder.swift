// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceModel

/// Hands events on, one at a time and in order, and counts them into the run's summary.
final class Recorder: Sendable {
    private let queue = DispatchQueue(label: "sluice.events")
    private let sink: @Sendable (Event) -> Void
    private let summary = Locked(Summary())
    private let start = ContinuousClock.now

    init(_ sink: @escaping @Sendable (Event) -> Void) {
        self.sink = sink
    }

    /// Hands on an event, and returns the counts with it; whoever reads slowly does not slow the caller.
    @discardableResult
    func record(_ event: Event) -> Summary {
        defer { queue.async { [sink] in sink(event) } }
        return summary.withLock { summary in
            summary.count(event)
            return summary
        }
    }

    /// What was counted so far.
    var current: Summary { summary.withLock { $0 } }

    /// Hands on the last event, and returns when it and all before it were read.
    func finish() -> Summary {
        let summary = summary.withLock { summary in
            summary.duration = ContinuousClock.now - start
            return summary
        }
        queue.sync { sink(.runFinished(summary)) }
        return summary
    }
}
