// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceModel

/// Has a pool as wide as gives the most: it measures rounds, asks ``WidthController``, and resizes the pool.
///
/// It steers for as long as somebody keeps it.
public final class WidthSteering: Sendable {
    private struct State {
        var controller: WidthController
        var begin = ContinuousClock.now
        var items = 0
        var bytes = 0
        /// Whether all slots were taken whenever that was looked at in this round.
        var isFull = true
    }

    /// How often a round's end is looked for; an idle run is woken no more than that.
    private static let tick = Duration.milliseconds(250)
    /// A round takes at least this, and as many items as run twice...
    private static let least = Duration.milliseconds(500)
    /// ...or this, where items take long.
    private static let most = Duration.seconds(8)

    private let pool: WorkPool
    private let state: Locked<State>
    private let queue = DispatchQueue(label: "sluice.width")
    private let decided: @Sendable (WidthController.Decision) -> Void

    /// Steers the pool from its present width up to `most`; `decided` is told of each change.
    public init(
        _ pool: WorkPool, upTo most: Int, decided: @escaping @Sendable (WidthController.Decision) -> Void
    ) {
        self.pool = pool
        self.decided = decided
        state = Locked(State(controller: WidthController(from: pool.width, upTo: most)))
        wait()
    }

    /// Counts an item that was done.
    public func count(bytes: Int) {
        state.withLock { state in
            state.items += 1
            state.bytes += bytes
        }
    }

    private func wait() {
        queue.asyncAfter(deadline: .now() + Self.tick / .seconds(1)) { [weak self] in
            self?.look()
            self?.wait()
        }
    }

    /// Ends the round, if it has lasted long enough.
    private func look() {
        let isFull = pool.isFull
        let decision = state.withLock { state -> WidthController.Decision? in
            state.isFull = state.isFull && isFull
            let time = ContinuousClock.now - state.begin
            let isEnough = time >= Self.least && state.items >= 2 * state.controller.width
            guard isEnough || time >= Self.most else { return nil }
            let round = WidthController.Round(
                seconds: time / .seconds(1), items: state.items, bytes: state.bytes, isFull: state.isFull)
            (state.begin, state.items, state.bytes, state.isFull) = (.now, 0, 0, true)
            return state.controller.note(round)
        }
        guard let decision else { return }
        pool.resize(to: decision.width)
        decided(decision)
    }
}
