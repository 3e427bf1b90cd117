// SPDX-License-Identifier: MIT

internal import Dispatch

/// A value that is set once and awaited once, from any threads; later values are ignored.
///
/// The lock hands over the value, and the continuation only ends the wait: the thread sanitizer does not see a
/// continuation that is resumed before its task waits.
package final class OneShot<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case awaited(@Sendable () -> Void)
        case set(Value)
        case consumed
    }

    private let state = Locked(State.empty)

    package init() {}

    package func set(_ value: Value) {
        let wake = state.withLock { state -> (@Sendable () -> Void)? in
            switch state {
            case .empty: state = .set(value)
            case .awaited(let wake):
                state = .set(value)
                return wake
            case .set, .consumed: break
            }
            return nil
        }
        wake?()
    }

    package func value() async -> Value {
        await withCheckedContinuation { continuation in whenSet { continuation.resume() } }
        return take()
    }

    /// Blocks the calling thread until the value is set; not for tasks, whose threads are few.
    package func waitForValue() -> Value {
        let semaphore = DispatchSemaphore(value: 0)
        whenSet { semaphore.signal() }
        semaphore.wait()
        return take()
    }

    /// Calls `wake` once the value is set.
    private func whenSet(_ wake: @escaping @Sendable () -> Void) {
        let isEmpty = state.withLock { state in
            guard case .empty = state else { return false }
            state = .awaited(wake)
            return true
        }
        if !isEmpty { wake() }
    }

    private func take() -> Value {
        state.withLock { state in
            guard case .set(let value) = state else { preconditionFailure("the value is awaited twice") }
            state = .consumed
            return value
        }
    }
}
