// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceModel

/// A timer that fires at the earliest of the times that were set.
package final class DeadlineTimer: Sendable {
    package typealias Instant = ContinuousClock.Instant

    private let scheduled = Locked<(time: Instant, timer: any DispatchSourceTimer)?>(nil)

    package init() {}

    /// Calls `handler` at `time`, unless the timer fires earlier anyway; that earlier handler must set it again.
    package func set(_ time: Instant, handler: @escaping @Sendable () -> Void) {
        let old = scheduled.withLock { scheduled -> (any DispatchSourceTimer)? in
            if let scheduled, scheduled.time <= time { return nil }
            let timer = DispatchSource.makeTimerSource()
            timer.schedule(deadline: .now() + .milliseconds(max(0, (time - .now).milliseconds + 1)))
            timer.setEventHandler { [weak self] in
                self?.scheduled.withLock { if let other = $0?.time, other <= time { $0 = nil } }
                handler()
            }
            timer.activate()
            defer { scheduled = (time, timer) }
            return scheduled?.timer
        }
        old?.cancel()
    }

    deinit { scheduled.withLock { $0?.timer.cancel() } }
}
