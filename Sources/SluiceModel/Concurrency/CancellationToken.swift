// SPDX-License-Identifier: MIT

internal import Synchronization

/// A node in a tree of cancellation requests: run, then host, then item.
///
/// Cancelling a token also cancels its descendants and no other token. Cancellation is a request: the work either polls
/// the token (a decoder between rows) or registers a handler (a transfer, a wait), and then ends with ``cause``.
package final class CancellationToken: Sendable {
    private struct State {
        var cause: Cause?
        var handlers: [Int: @Sendable (Cause) -> Void] = [:]
        /// The child tokens, held weakly.
        var children: [Int: @Sendable () -> CancellationToken?] = [:]
        var lastID = 0
    }

    private let flag = Atomic<Bool>(false)
    private let state = Locked(State())
    private let parent: CancellationToken?
    private let idInParent = Atomic<Int>(0)

    /// Creates a token; cancelling `parent` cancels it too.
    package init(below parent: CancellationToken? = nil) {
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

    /// Whether the token was cancelled; costs one relaxed load.
    package var isCancelled: Bool { flag.load(ordering: .relaxed) }

    /// The cause of the cancellation; `nil` until then.
    package var cause: Cause? { state.withLock { $0.cause } }

    /// Cancels this token and its descendants; a token that is already cancelled keeps its cause.
    ///
    /// The whole tree is marked before the first handler runs, so a handler sees every token of the tree as cancelled.
    package func cancel(_ cause: Cause = .cancelled) {
        var handlers: [@Sendable (Cause) -> Void] = []
        mark(cause, gathering: &handlers)
        for handler in handlers { handler(cause) }
    }

    private func mark(_ cause: Cause, gathering handlers: inout [@Sendable (Cause) -> Void]) {
        let (own, children) = state.withLock { state -> ([@Sendable (Cause) -> Void], [CancellationToken]) in
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
    package func check() throws(Failure) {
        if isCancelled, let cause { throw Failure(cause, "") }
    }

    /// Calls `body` when the token is cancelled, on the cancelling thread; immediately if it is already cancelled.
    ///
    /// The registration ends when the returned handler is released.
    package func onCancel(_ body: @escaping @Sendable (Cause) -> Void) -> Handler {
        let (id, cause) = state.withLock { state -> (Int, Cause?) in
            state.lastID += 1
            if state.cause == nil { state.handlers[state.lastID] = body }
            return (state.lastID, state.cause)
        }
        if let cause { body(cause) }
        return Handler(token: self, id: id)
    }

    /// The registration of a cancellation handler; releasing it removes the handler.
    package final class Handler: Sendable {
        private let token: CancellationToken
        private let id: Int

        fileprivate init(token: CancellationToken, id: Int) {
            self.token = token
            self.id = id
        }

        deinit {
            let id = id
            // Release the closure outside the lock, because it may own tokens.
            _ = token.state.withLock { $0.handlers.removeValue(forKey: id) }
        }
    }
}
