// SPDX-License-Identifier: MIT

/// A value that is set once and awaited once, from any threads; later values are ignored.
///
/// The lock hands over the value, and the continuation only ends the wait: the thread sanitizer does not see a
/// continuation that is resumed before its task waits.
package final class OneShot<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case awaited(CheckedContinuation<Void, Never>)
        case set(Value)
        case consumed
    }

    private let state = Locked(State.empty)

    package init() {}

    package func set(_ value: Value) {
        let waiter = state.withLock { state -> CheckedContinuation<Void, Never>? in
            switch state {
            case .empty: state = .set(value)
            case .awaited(let continuation):
                state = .set(value)
                return continuation
            case .set, .consumed: break
            }
            return nil
        }
        waiter?.resume()
    }

    package func value() async -> Value {
        await withCheckedContinuation { continuation in
            let isEmpty = state.withLock { state in
                guard case .empty = state else { return false }
                state = .awaited(continuation)
                return true
            }
            if !isEmpty { continuation.resume() }
        }
        return state.withLock { state in
            guard case .set(let value) = state else { preconditionFailure("the value is awaited twice") }
            state = .consumed
            return value
        }
    }
}
