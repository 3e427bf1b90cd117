// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A budget that many draw on at once: whoever finds too little waits, without a thread, until others give back.
final class SharedBudget: Sendable {
    private struct State {
        var budget: Budget
        var waiting: [Budget.ID: CheckedContinuation<Bool, Never>] = [:]
        var lastID = 0
    }

    private let state: Locked<State>

    init(_ total: Int) {
        state = Locked(State(budget: Budget(total)))
    }

    /// Takes an amount of at most the total, in turn; a token that is cancelled gives up the place in line.
    func take(_ amount: Int, token: Token) async throws(Failure) {
        let handler = Locked<Token.Handler?>(nil)
        let isServed = await withCheckedContinuation { continuation in
            let id = line(up: continuation, for: amount)
            let leave = token.onCancel { [self] _ in self.leave(id) }
            handler.withLock { $0 = leave }
        }
        handler.withLock { $0 = nil }
        guard isServed else { throw Failure(token.cause ?? .cancelled, "") }
    }

    /// Gives an amount back.
    func giveBack(_ amount: Int) {
        change { $0.budget.takeBack(amount) }
    }

    private func line(up continuation: CheckedContinuation<Bool, Never>, for amount: Int) -> Budget.ID {
        var id = 0
        change { state in
            state.lastID += 1
            id = state.lastID
            state.waiting[id] = continuation
            return state.budget.ask(id, for: amount)
        }
        return id
    }

    private func leave(_ id: Budget.ID) {
        var left: CheckedContinuation<Bool, Never>?
        change { state in
            // One that was served meanwhile is in line no more, and gives back what it has in its own time.
            guard let served = state.budget.leave(id) else { return [] }
            left = state.waiting.removeValue(forKey: id)
            return served
        }
        left?.resume(returning: false)
    }

    private func change(_ body: (inout State) -> [Budget.ID]) {
        let served = state.withLock { state in
            body(&state).compactMap { state.waiting.removeValue(forKey: $0) }
        }
        for continuation in served { continuation.resume(returning: true) }
    }
}
