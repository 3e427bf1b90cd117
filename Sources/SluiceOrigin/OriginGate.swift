// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A gate that holds replies back until a test opens it; an open gate stays open.
package final class OriginGate: Sendable {
    private struct State {
        var isOpen = false
        var callbacks: [@Sendable () -> Void] = []
    }

    private let state = Locked(State())

    package init() {}

    /// Whether the gate is open.
    package var isOpen: Bool { state.withLock { $0.isOpen } }

    /// The number of replies that wait at the gate.
    package var waiting: Int { state.withLock { $0.callbacks.count } }

    /// Releases the waiting replies and lets all later ones pass.
    package func open() {
        let callbacks = state.withLock { state in
            state.isOpen = true
            defer { state.callbacks = [] }
            return state.callbacks
        }
        for callback in callbacks { callback() }
    }

    /// Calls `callback` when the gate opens, or immediately if it is open.
    func whenOpen(_ callback: @escaping @Sendable () -> Void) {
        let isOpen = state.withLock { state in
            if !state.isOpen { state.callbacks.append(callback) }
            return state.isOpen
        }
        if isOpen { callback() }
    }
}
