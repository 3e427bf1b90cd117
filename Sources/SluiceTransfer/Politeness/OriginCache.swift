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

/// Caches the `robots.txt` rules of each origin and loads each file once.
final class RobotsCache: Sendable {
    private let rules = OriginCache<RobotsRules>()

    /// Throws if the host's rules disallow the address, and returns their statements about its use.
    ///
    /// `load` fetches the file if it is not cached; a host without it allows everything, and one that does not answer
    /// nothing.
    func check(
        _ address: WebAddress, agent: String,
        load: @escaping @Sendable (_ url: String) async -> Result<OriginFile, Failure>
    ) async throws(Failure) -> [UsageTerms.Statement] {
        let rules = try await rules.answer(for: address) { origin in
            switch await load(origin + "/robots.txt") {
            case .success(.content(let text)): return .success(RobotsRules(text, agent: agent))
            case .success(.missing): return .success(.allowingAll)
            case .failure(var failure):
                failure.detail = "robots.txt: \(failure.detail)"
                return .failure(failure)
            }
        }.get()
        guard rules.allows(address.path) else {
            throw Failure(.optedOut, "robots.txt of \(address.host) disallows \(address.path)")
        }
        return rules.statements(about: address.path)
    }
}
