// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The `robots.txt` of each origin, which is asked for once however many wait for it.
final class RobotsBook: Sendable {
    typealias Answer = Result<Robots, Failure>

    /// As many origins are remembered: a run over millions of hosts asks a host again rather than grow.
    private static let room = 4096

    private struct State {
        var answers: [String: Task<Answer, Never>] = [:]
        /// The origins, the oldest first.
        var order: [String] = []
    }

    private let state = Locked(State())

    /// Refuses an address that its host's rules exclude; `ask` gets the file where it is not known yet.
    func check(
        _ address: WebAddress, agent: String,
        ask: @escaping @Sendable (_ url: String) async -> Result<Response, Failure>
    ) async throws(Failure) {
        let origin = "\(address.scheme)://\(address.authority)"
        let task = state.withLock { state in
            if let known = state.answers[origin] { return known }
            let task = Task { Self.answer(await ask(origin + "/robots.txt"), agent: agent) }
            if state.order.count == Self.room { state.answers[state.order.removeFirst()] = nil }
            state.order.append(origin)
            state.answers[origin] = task
            return task
        }
        guard try await task.value.get().allows(address.path) else {
            throw Failure(.optedOut, "robots.txt of \(address.host) disallows \(address.path)")
        }
    }

    /// A host without the file allows everything; one that cannot say so now must be asked another day.
    private static func answer(_ reply: Result<Response, Failure>, agent: String) -> Answer {
        switch reply {
        case .success(let response): return .success(Robots(response.body, agent: agent))
        case .failure(let failure):
            switch failure.cause {
            case .httpClientError, .emptyBody, .unexpectedStatus: return .success(.allowingAll)
            default:
                var failure = failure
                failure.detail = "robots.txt: \(failure.detail)"
                return .failure(failure)
            }
        }
    }
}
