// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceModel

/// Calls somebody again and again on a queue, until it is stopped or nobody has it any more.
final class Ticker: Sendable {
    private let timer: Locked<any DispatchSourceTimer>

    /// Begins at once: the first call comes after one interval.
    init(
        every interval: DispatchTimeInterval, leeway: DispatchTimeInterval = .nanoseconds(0), on queue: DispatchQueue,
        _ body: @escaping @Sendable () -> Void
    ) {
        timer = Locked(DispatchSource.makeTimerSource(queue: queue))
        timer.withLock { timer in
            timer.schedule(deadline: .now() + interval, repeating: interval, leeway: leeway)
            timer.setEventHandler(handler: body)
            timer.activate()
        }
    }

    deinit { stop() }

    /// Calls no more.
    func stop() { timer.withLock { $0.cancel() } }
}
