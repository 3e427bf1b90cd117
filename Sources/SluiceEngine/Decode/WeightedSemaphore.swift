// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A fair semaphore for amounts of a resource.
///
/// Waiting does not block a thread and can be cancelled.
final class WeightedSemaphore: Sendable {
    private struct State {
        var queue: SemaphoreQueue
        var waiters: [SemaphoreQueue.ID: CheckedContinuation<Bool, Never>] = [:]
        var lastID = 0
    }

    private let state: Locked<State>

    init(_ total: Int) {
        state = Locked(State(queue: SemaphoreQueue(total)))
    }

    /// Waits until an amount, at most the total, is available.
    ///
    /// Throws if the token is cancelled first.
    func acquire(_ amount: Int, token: CancellationToken) async throws(Failure) {
        let handler = Locked<CancellationToken.Handler?>(nil)
        let isGranted = await withCheckedContinuation { continuation in
            let id = enqueue(continuation, amount: amount)
            let cancellation = token.onCancel { [self] _ in self.cancel(id) }
            handler.withLock { $0 = cancellation }
        }
        handler.withLock { $0 = nil }
        guard isGranted else { throw Failure(token.cause ?? .cancelled, "") }
    }

    func release(_ amount: Int) {
        change { $0.queue.release(amount) }
    }

    private func enqueue(_ continuation: CheckedContinuation<Bool, Never>, amount: Int) -> SemaphoreQueue.ID {
        var id = 0
        change { state in
            state.lastID += 1
            id = state.lastID
            state.waiters[id] = continuation
            return state.queue.request(id, amount: amount)
        }
        return id
    }

    private func cancel(_ id: SemaphoreQueue.ID) {
        var cancelled: CheckedContinuation<Bool, Never>?
        change { state in
            // A request that was granted in the meantime is not waiting any more; its owner releases the amount.
            guard let granted = state.queue.cancel(id) else { return [] }
            cancelled = state.waiters.removeValue(forKey: id)
            return granted
        }
        cancelled?.resume(returning: false)
    }

    private func change(_ body: (inout State) -> [SemaphoreQueue.ID]) {
        let granted = state.withLock { state in
            body(&state).compactMap { state.waiters.removeValue(forKey: $0) }
        }
        for continuation in granted { continuation.resume(returning: true) }
    }
}
