// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The items in flight, by sequence number.
///
/// It lets callers cancel an item and ensures that each item ends once.
package final class ActiveItems: Sendable {
    private let items = Locked<[Int: ActiveItem]>([:])

    func add(_ item: Item) -> ActiveItem {
        let active = ActiveItem()
        items.withLock { $0[item.seq] = active }
        return active
    }

    /// Removes an item.
    ///
    /// Returns `false` if it has ended before.
    func remove(_ item: Item, _ active: ActiveItem) -> Bool {
        items.withLock { if $0[item.seq] === active { $0[item.seq] = nil } }
        return active.end()
    }

    /// Cancels an item.
    ///
    /// Returns `false` if it is not in flight.
    package func cancel(_ seq: Int) -> Bool {
        guard let active = items.withLock({ $0[seq] }) else { return false }
        active.cancel(.cancelled)
        return true
    }
}

/// The cancellation state of an item in flight.
final class ActiveItem: Sendable {
    private struct State {
        var cancel: (@Sendable (Cause) -> Void)?
        var cause: Cause?
        var hasEnded = false
    }

    private let state = Locked(State())

    /// Sets the cancellation handler.
    ///
    /// It is called immediately if the item was cancelled before.
    func onCancel(_ cancel: @escaping @Sendable (Cause) -> Void) {
        let cause = state.withLock { state in
            state.cancel = cancel
            return state.cause
        }
        if let cause { cancel(cause) }
    }

    fileprivate func cancel(_ cause: Cause) {
        let cancel = state.withLock { state in
            state.cause = state.cause ?? cause
            return state.cancel
        }
        cancel?(cause)
    }

    fileprivate func end() -> Bool {
        state.withLock { state in
            defer { (state.hasEnded, state.cancel) = (true, nil) }
            return !state.hasEnded
        }
    }
}
