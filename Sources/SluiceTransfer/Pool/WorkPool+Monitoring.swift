// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceModel

extension WorkPool {
    /// How busy a pool is.
    package struct Status: Sendable, Hashable {
        package var width = 0
        /// The number of items that have started and hold no slot: they wait for a retry or for another host.
        package var suspended = 0
        /// The number of hosts with waiting items that must not be requested yet.
        package var pausedHosts = 0
    }

    /// How busy the pool is now.
    package var status: Status { query { $0.status } }
}

extension WorkScheduler {
    /// How busy the pool is.
    var status: WorkPool.Status {
        WorkPool.Status(width: width, suspended: inFlight - running, pausedHosts: delayedHosts.count)
    }
}

// MARK: Watchdog

// The watchdog is the last resort: all waits and work have timeouts of their own, and a bug in one of them must not
// block a run.

extension WorkPool {
    /// The failure detail of an item that the watchdog ended.
    static let stuckDetail = "the item held its slot for longer than all timeouts allow; please report this bug"
    /// The time that a cancelled item has to end by itself.
    static let gracePeriod = Duration.seconds(10)

    /// How often the watchdog looks at the slots: often enough that an overdue item gets little more than its grace
    /// period.
    static func watchInterval(for limit: Duration) -> Duration {
        max(.milliseconds(100), min(limit / 20, gracePeriod / 4))
    }

    /// Ends items that hold a slot for longer than `limit`, with the cause `internal`, as long as the pool exists.
    package func startWatchdog(limit: Duration) {
        let interval = Self.watchInterval(for: limit)
        DispatchQueue.global().asyncAfter(deadline: .now() + interval / .seconds(1)) { [weak self] in
            self?.endOverdue(after: limit, now: .now)
            self?.startWatchdog(limit: limit)
        }
    }

    /// Cancels overdue items, and ends those that were cancelled a grace period ago and still hold their slots.
    func endOverdue(after limit: Duration, now: ContinuousClock.Instant) {
        apply {
            $0.endOverdue(
                after: limit, gracePeriod: Self.gracePeriod, Failure(.internal, Self.stuckDetail), now: now)
        }
    }
}
