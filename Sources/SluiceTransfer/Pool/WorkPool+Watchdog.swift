// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceModel

// The last resort: each wait and each work has a deadline of its own, and a bug in one of them must not hold up a run.

extension WorkPool {
    /// What became of an item that no deadline ended.
    static let stuck = "it held its place for longer than any deadline allows; please report it"
    /// An item that was called off has this long to heed it.
    static let grace = Duration.seconds(10)

    /// Ends as `internal` each item that holds a slot for longer than `limit`, for as long as there is the pool.
    public func watch(limit: Duration) {
        let tick = max(.seconds(1), limit / 20)
        DispatchQueue.global().asyncAfter(deadline: .now() + tick / .seconds(1)) { [weak self] in
            self?.endOverdue(after: limit, now: .now)
            self?.watch(limit: limit)
        }
    }

    /// Calls off what is overdue; of what does not heed that, the end is told in its place, and its slot goes to others.
    func endOverdue(after limit: Duration, now: ContinuousClock.Instant) {
        let (late, lost) = ask { ($0.overdue(after: limit, now: now), $0.overdue(after: limit + Self.grace, now: now)) }
        for id in late { cancel(id, .internal) }
        for id in lost where takesEnd(of: id) {
            dropped(id)?(Failure(.internal, Self.stuck))
            release(id)
        }
    }
}
