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

/// The state of a ``WeightedSemaphore``: grants amounts of a limited resource in the order of the requests.
///
/// A request never overtakes an earlier one. Otherwise, a stream of small requests could block a large one forever.
struct SemaphoreQueue {
    typealias ID = Int

    let total: Int
    private(set) var available: Int
    private var requests: [(id: ID, amount: Int)] = []

    init(_ total: Int) {
        precondition(total > 0, "the total is positive")
        self.total = total
        available = total
    }

    /// Appends a request.
    ///
    /// Returns the requests that are granted now.
    mutating func request(_ id: ID, amount: Int) -> [ID] {
        precondition((0...total).contains(amount), "a request is at most the total")
        requests.append((id, amount))
        return grant()
    }

    /// Takes back a granted amount.
    ///
    /// Returns the requests that are granted now.
    mutating func release(_ amount: Int) -> [ID] {
        available += amount
        precondition(available <= total, "no more is released than was granted")
        return grant()
    }

    /// Removes a waiting request.
    ///
    /// Returns the requests that are granted now, or `nil` if it was not waiting any more.
    mutating func cancel(_ id: ID) -> [ID]? {
        guard let index = requests.firstIndex(where: { $0.id == id }) else { return nil }
        requests.remove(at: index)
        return grant()
    }

    private mutating func grant() -> [ID] {
        let granted = requests.prefix { request in
            guard request.amount <= available else { return false }
            available -= request.amount
            return true
        }
        requests.removeFirst(granted.count)
        return granted.map(\.id)
    }
}
