// SPDX-License-Identifier: MIT

internal import Synchronization

/// A request to stop, handed down a tree: run, then host, then item.
///
/// Cancelling a token cancels all below it and nothing else. It is a request, not an outcome: whoever holds the token
/// looks at it (a decoder between rows) or is told (a transfer, a wait), and ends with the token's ``cause``.
public final class Token: Sendable {
    private struct State {
        var cause: Cause?
        var handlers: [Int: @Sendable (Cause) -> Void] = [:]
        /// The tokens below, which live only as long as their own holders want them.
        var children: [Int: @Sendable () -> Token?] = [:]
        var lastID = 0
    }

    private let flag = Atomic<Bool>(false)
    private let state = Locked(State())
    private let parent: Token?
    private let idInParent = Atomic<Int>(0)

    /// Makes a token; cancelling `parent` cancels it too.
    public init(below parent: Token? = nil) {
        self.parent = parent
        guard let parent else { return }
        let (id, cause) = parent.state.withLock { state -> (Int, Cause?) in
            state.lastID += 1
            if state.cause == nil { state.children[state.lastID] = { [weak self] in self } }
            return (state.lastID, state.cause)
        }
        idInParent.store(id, ordering: .relaxed)
        if let cause { cancel(cause) }
    }

    deinit {
        let id = idInParent.load(ordering: .relaxed)
        parent?.state.withLock { state in state.children[id] = nil }
    }

    /// Whether somebody has asked to stop; costs one relaxed load.
    public var isCancelled: Bool { flag.load(ordering: .relaxed) }

    /// Why, once it is cancelled.
    public var cause: Cause? { state.withLock { $0.cause } }

    /// Asks everything at and below this token to stop; the first cause stays.
    ///
    /// The whole tree is marked before anybody is told: whoever is told first and asks another token of the tree finds it
    /// cancelled.
    public func cancel(_ cause: Cause = .cancelled) {
        var handlers: [@Sendable (Cause) -> Void] = []
        mark(cause, gathering: &handlers)
        for handler in handlers { handler(cause) }
    }

    private func mark(_ cause: Cause, gathering handlers: inout [@Sendable (Cause) -> Void]) {
        let (own, children) = state.withLock { state -> ([@Sendable (Cause) -> Void], [Token]) in
            guard state.cause == nil else { return ([], []) }
            state.cause = cause
            flag.store(true, ordering: .relaxed)
            defer { (state.handlers, state.children) = ([:], [:]) }
            return (Array(state.handlers.values), state.children.values.compactMap { $0() })
        }
        handlers += own
        for child in children { child.mark(cause, gathering: &handlers) }
    }

    /// Throws the token's cause once it is cancelled.
    public func check() throws(Failure) {
        if isCancelled, let cause { throw Failure(cause, "") }
    }

    /// Calls `body` when the token is cancelled, on the thread that cancels; at once, if it already is.
    ///
    /// Keep the handler for as long as the call is wanted: it takes itself back when it goes.
    public func onCancel(_ body: @escaping @Sendable (Cause) -> Void) -> Handler {
        let (id, cause) = state.withLock { state -> (Int, Cause?) in
            state.lastID += 1
            if state.cause == nil { state.handlers[state.lastID] = body }
            return (state.lastID, state.cause)
        }
        if let cause { body(cause) }
        return Handler(token: self, id: id)
    }

    /// A call that waits for a cancellation; it is taken back when the handler goes.
    public final class Handler: Sendable {
        private let token: Token
        private let id: Int

        fileprivate init(token: Token, id: Int) {
            self.token = token
            self.id = id
        }

        deinit {
            let id = id
            // The closure is let go outside the lock: what it holds may hold tokens.
            _ = token.state.withLock { $0.handlers.removeValue(forKey: id) }
        }
    }
}
