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
    /// `load` fetches the file if it is not cached.
    func check(
        _ address: WebAddress, agent: String,
        load: @escaping @Sendable (_ url: String) async -> Result<Response, Failure>
    ) async throws(Failure) -> [UsageTerms.Statement] {
        let rules = try await rules.answer(for: address) { origin in
            Self.answer(await load(origin + "/robots.txt"), agent: agent)
        }.get()
        guard rules.allows(address.path) else {
            throw Failure(.optedOut, "robots.txt of \(address.host) disallows \(address.path)")
        }
        return rules.statements(about: address.path)
    }

    /// Converts the response: a host without the file allows everything, and any other failure blocks the host's
    /// addresses.
    ///
    /// RFC 9309 calls the file unavailable after a status 4xx, and unreachable after server and network errors. 408,
    /// 425 and 429 only say that the host cannot answer now, so they count as the latter, as does an unexpected status.
    private static func answer(_ response: Result<Response, Failure>, agent: String) -> Result<RobotsRules, Failure> {
        switch response {
        case .success(let response): return .success(RobotsRules(response.body, agent: agent))
        case .failure(let failure):
            switch failure.cause {
            case .httpClientError where !failure.cause.isRetryable: return .success(.allowingAll)
            case .emptyBody: return .success(.allowingAll)
            case .unexpectedStatus where failure.status == 204: return .success(.allowingAll)
            default:
                var failure = failure
                failure.detail = "robots.txt: \(failure.detail)"
                return .failure(failure)
            }
        }
    }
}
