// SPDX-License-Identifier: MIT

package import SluiceModel

/// Suspends tasks until a given number has arrived or the gate is opened; replaces sleeps in tests.
///
/// Cancelling a waiting task releases it, so that a test's time limit also ends a test that waits at a gate.
package final class Gate: Sendable {
    private struct State {
        var missing: Int
        var lastWaiter = 0
        var waiting: [Int: CheckedContinuation<Void, Never>] = [:]
        /// The waiters that were cancelled before they began to wait.
        var cancelled: Set<Int> = []
    }

    private let state: Locked<State>
    private let handler = Locked<CancellationToken.Handler?>(nil)

    /// Creates a gate that opens when `count` tasks have arrived.
    package init(opensAt count: Int) {
        state = Locked(State(missing: count))
    }

    /// Creates a gate that opens when the token is cancelled.
    package convenience init(_ token: CancellationToken) {
        self.init(opensAt: .max)
        let handler = token.onCancel { [weak self] _ in self?.open() }
        self.handler.withLock { $0 = handler }
    }

    /// Waits until the gate is open; counts as an arrival unless `countingIn` is false.
    package func pass(countingIn counts: Bool = true) async {
        let waiter = state.withLock { state in
            state.lastWaiter += 1
            return state.lastWaiter
        }
        await withTaskCancellationHandler {
            await withCheckedContinuation { (continuation: CheckedContinuation<Void, Never>) in
                let released: [CheckedContinuation<Void, Never>] = state.withLock { state in
                    if counts, state.missing > 0 { state.missing -= 1 }
                    if state.cancelled.remove(waiter) != nil { return [continuation] }
                    state.waiting[waiter] = continuation
                    return state.missing > 0 ? [] : Self.takeAll(&state)
                }
                for continuation in released { continuation.resume() }
            }
        } onCancel: {
            let released: CheckedContinuation<Void, Never>? = state.withLock { state in
                let continuation = state.waiting.removeValue(forKey: waiter)
                if continuation == nil, state.missing > 0 { state.cancelled.insert(waiter) }
                return continuation
            }
            released?.resume()
        }
    }

    /// Releases all tasks, now and later.
    package func open() {
        let released = state.withLock { state in
            state.missing = 0
            return Self.takeAll(&state)
        }
        for continuation in released { continuation.resume() }
    }

    private static func takeAll(_ state: inout State) -> [CheckedContinuation<Void, Never>] {
        defer { state.waiting = [:] }
        return Array(state.waiting.values)
    }
}

/// A condition did not become true in time.
public struct WaitError: Error, CustomStringConvertible {
    /// One sentence.
    public let description: String

    /// Creates an error with a sentence.
    public init(description: String) { self.description = description }
}

/// Waits until another thread or process makes a condition true, by polling; fails after three minutes.
///
/// Use a ``Gate`` where the code under test can open one. It sleeps between checks: a loop that only yields would keep
/// concurrent tests from running. That is enough for a busy machine, and a test that waits in vain fails with a reason.
public func wait(
    for description: String, within limit: Duration = .seconds(180), until condition: () throws -> Bool
) async throws {
    let deadline = ContinuousClock.now + limit
    while try !condition() {
        guard ContinuousClock.now < deadline else {
            throw WaitError(description: "timed out after \(limit) waiting for \(description)")
        }
        try await Task.sleep(for: .milliseconds(5))
    }
}
