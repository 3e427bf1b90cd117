// SPDX-License-Identifier: MIT

package import Dispatch
internal import SluiceModel

/// A repeating timer that stops when it is cancelled or released.
package final class RepeatingTimer: Sendable {
    private let timer: Locked<any DispatchSourceTimer>

    /// Starts the timer.
    ///
    /// It calls `body` on `queue`, for the first time after one interval.
    package init(
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

    deinit { cancel() }

    func cancel() { timer.withLock { $0.cancel() } }
}
