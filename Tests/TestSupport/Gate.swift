// SPDX-License-Identifier: MIT

public import SluiceModel

/// Suspends tasks until a given number has arrived or the gate is opened; replaces sleeps in tests.
public final class Gate: Sendable {
    private struct State {
        var missing: Int
        var waiting: [CheckedContinuation<Void, Never>] = []
    }

    private let state: Locked<State>
    private let handler = Locked<CancellationToken.Handler?>(nil)

    /// Creates a gate that opens when `count` tasks have arrived.
    public init(opensAt count: Int) {
        state = Locked(State(missing: count))
    }

    /// Creates a gate that opens when the token is cancelled.
    public convenience init(_ token: CancellationToken) {
        self.init(opensAt: .max)
        let handler = token.onCancel { [weak self] _ in self?.open() }
        self.handler.withLock { $0 = handler }
    }

    /// Waits until the gate is open; counts as an arrival unless `countingIn` is false.
    public func pass(countingIn counts: Bool = true) async {
        await withCheckedContinuation { continuation in
            let released = state.withLock { state in
                if counts, state.missing > 0 { state.missing -= 1 }
                state.waiting.append(continuation)
                return state.missing > 0 ? [] : Self.takeAll(&state)
            }
            for continuation in released { continuation.resume() }
        }
    }

    /// Releases all tasks, now and later.
    public func open() {
        let released = state.withLock { state in
            state.missing = 0
            return Self.takeAll(&state)
        }
        for continuation in released { continuation.resume() }
    }

    private static func takeAll(_ state: inout State) -> [CheckedContinuation<Void, Never>] {
        defer { state.waiting = [] }
        return state.waiting
    }
}
