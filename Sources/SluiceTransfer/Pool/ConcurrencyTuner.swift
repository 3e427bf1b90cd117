// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceModel

/// Tunes a pool's width: measures rounds, asks a ``ConcurrencyController``, and resizes the pool.
///
/// It stops when it is released.
package final class ConcurrencyTuner: Sendable {
    private struct State {
        var controller: ConcurrencyController
        var begin = ContinuousClock.now
        var items = 0
        var bytes = 0
        /// Whether all slots were in use at every check in this round.
        var isFull = true
    }

    /// The interval of the checks; an idle run is woken no more often.
    private static let checkInterval = Duration.milliseconds(250)
    /// A round lasts at least this long, and until twice as many items as slots have completed...
    private static let minRound = Duration.milliseconds(500)
    /// ...or this long, if items take longer.
    private static let maxRound = Duration.seconds(8)

    private let pool: WorkPool
    private let state: Locked<State>
    private let queue = DispatchQueue(label: "sluice.width")
    private let adjusted: @Sendable (ConcurrencyController.Adjustment) -> Void

    /// Tunes the pool from its current width up to `maxWidth`; `adjusted` is called after each change.
    package init(
        _ pool: WorkPool, upTo maxWidth: Int, adjusted: @escaping @Sendable (ConcurrencyController.Adjustment) -> Void
    ) {
        self.pool = pool
        self.adjusted = adjusted
        state = Locked(State(controller: ConcurrencyController(from: pool.width, upTo: maxWidth)))
        scheduleCheck()
    }

    package func count(bytes: Int) {
        state.withLock { state in
            state.items += 1
            state.bytes += bytes
        }
    }

    private func scheduleCheck() {
        queue.asyncAfter(deadline: .now() + Self.checkInterval / .seconds(1)) { [weak self] in
            self?.check()
            self?.scheduleCheck()
        }
    }

    /// Ends the round if it has lasted long enough.
    private func check() {
        let isFull = pool.isFull
        let adjustment = state.withLock { state -> ConcurrencyController.Adjustment? in
            state.isFull = state.isFull && isFull
            let time = ContinuousClock.now - state.begin
            let hasEnoughItems = time >= Self.minRound && state.items >= 2 * state.controller.width
            guard hasEnoughItems || time >= Self.maxRound else { return nil }
            let round = ConcurrencyController.Round(
                seconds: time / .seconds(1), items: state.items, bytes: state.bytes, isFull: state.isFull)
            (state.begin, state.items, state.bytes, state.isFull) = (.now, 0, 0, true)
            return state.controller.record(round)
        }
        guard let adjustment else { return }
        pool.resize(to: adjustment.width)
        adjusted(adjustment)
    }
}
