// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Loads the rules of each origin once, and caches them.
final class OriginCache<Rules: Sendable>: Sendable {
    typealias Answer = Result<Rules, Failure>

    private struct State {
        var answers: [String: Task<Answer, Never>] = [:]
        /// The origins, oldest first.
        var order: [String] = []
    }

    /// The number of cached origins; the oldest is removed first, and loaded again when it is needed.
    private let capacity = 4096
    private let state = Locked(State())

    /// Returns the rules of an address's origin.
    ///
    /// `load` fetches them if they are not cached.
    func answer(
        for address: WebAddress, load: @escaping @Sendable (_ origin: String) async -> Answer
    ) async -> Answer {
        let origin = "\(address.scheme)://\(address.authority)"
        let task = state.withLock { state in
            if let cached = state.answers[origin] { return cached }
            let task = Task { await load(origin) }
            if state.order.count == capacity { state.answers[state.order.removeFirst()] = nil }
            state.order.append(origin)
            state.answers[origin] = task
            return task
        }
        return await task.value
    }
}
