// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A value that is set once and awaited once, from any threads; later values are ignored.
final class OneShot<Value: Sendable>: Sendable {
    private enum State {
        case empty
        case awaited(CheckedContinuation<Value, Never>)
        case set(Value)
        case consumed
    }

    private let state = Locked(State.empty)

    func set(_ value: Value) {
        let waiter = state.withLock { state -> CheckedContinuation<Value, Never>? in
            switch state {
            case .empty: state = .set(value)
            case .awaited(let continuation):
                state = .consumed
                return continuation
            case .set, .consumed: break
            }
            return nil
        }
        waiter?.resume(returning: value)
    }

    func value() async -> Value {
        await withCheckedContinuation { continuation in
            let value = state.withLock { state -> Value? in
                guard case .set(let value) = state else {
                    state = .awaited(continuation)
                    return nil
                }
                state = .consumed
                return value
            }
            if let value { continuation.resume(returning: value) }
        }
    }
}
