// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A gate that replies wait at until a test opens it; then it stays open.
public final class OriginGate: Sendable {
    private struct State {
        var isOpen = false
        var waiting: [@Sendable () -> Void] = []
    }

    private let state = Locked(State())

    /// Makes a closed gate.
    public init() {}

    /// Whether it was opened.
    public var isOpen: Bool { state.withLock { $0.isOpen } }

    /// How many replies wait at it now.
    public var waiting: Int { state.withLock { $0.waiting.count } }

    /// Lets all replies through, those that wait and those to come.
    public func open() {
        let waiting = state.withLock { state in
            state.isOpen = true
            defer { state.waiting = [] }
            return state.waiting
        }
        for goOn in waiting { goOn() }
    }

    /// Calls `goOn` once the gate is open: at once, if it is.
    func whenOpen(_ goOn: @escaping @Sendable () -> Void) {
        let isOpen = state.withLock { state in
            if !state.isOpen { state.waiting.append(goOn) }
            return state.isOpen
        }
        if isOpen { goOn() }
    }
}
