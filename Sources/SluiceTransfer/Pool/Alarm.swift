// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceModel

/// One timer that is set again and again: it rings at the earliest time it was set to.
final class Alarm: Sendable {
    typealias Instant = ContinuousClock.Instant

    private let set = Locked<(time: Instant, timer: any DispatchSourceTimer)?>(nil)

    /// Rings at `time`, unless it rings sooner anyway: then whoever hears it sets it again.
    func set(_ time: Instant, ring: @escaping @Sendable () -> Void) {
        let old = set.withLock { set -> (any DispatchSourceTimer)? in
            if let set, set.time <= time { return nil }
            let timer = DispatchSource.makeTimerSource()
            timer.schedule(deadline: .now() + .milliseconds(max(0, (time - .now).milliseconds + 1)))
            timer.setEventHandler { [weak self] in
                self?.set.withLock { if let other = $0?.time, other <= time { $0 = nil } }
                ring()
            }
            timer.activate()
            defer { set = (time, timer) }
            return set?.timer
        }
        old?.cancel()
    }

    deinit { set.withLock { $0?.timer.cancel() } }
}
