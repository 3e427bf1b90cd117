// SPDX-License-Identifier: MIT

internal import SluiceModel

/// An answer that is given once and awaited once, from any thread; later answers are dropped.
final class OneShot<Value: Sendable>: Sendable {
    private enum State {
        case open
        case awaited(CheckedContinuation<Value, Never>)
        case given(Value)
        case over
    }

    private let state = Locked(State.open)

    func give(_ value: Value) {
        let waiting = state.withLock { state -> CheckedContinuation<Value, Never>? in
            switch state {
            case .open: state = .given(value)
            case .awaited(let continuation):
                state = .over
                return continuation
            case .given, .over: break
            }
            return nil
        }
        waiting?.resume(returning: value)
    }

    func value() async -> Value {
        await withCheckedContinuation { continuation in
            let given = state.withLock { state -> Value? in
                guard case .given(let value) = state else {
                    state = .awaited(continuation)
                    return nil
                }
                state = .over
                return value
            }
            if let given { continuation.resume(returning: given) }
        }
    }
}
