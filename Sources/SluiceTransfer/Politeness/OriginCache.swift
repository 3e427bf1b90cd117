// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Loads the rules of each origin once, and caches them.
final class OriginCache<Rules: Sendable>: Sendable {
    typealias Answer = Result<Rules, Failure>

    /// The answer of an origin; a finished task would keep its stack.
    private enum Entry {
        case loading(Task<Answer, Never>)
        case loaded(Answer)
    }

    private struct State {
        var answers: [String: Entry] = [:]
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
        let entry = state.withLock { state in
            if let cached = state.answers[origin] { return cached }
            let entry = Entry.loading(
                Task { [weak self] in
                    let answer = await load(origin)
                    self?.finish(origin, answer)
                    return answer
                })
            if state.order.count == capacity { state.answers[state.order.removeFirst()] = nil }
            state.order.append(origin)
            state.answers[origin] = entry
            return entry
        }
        switch entry {
        case .loaded(let answer): return answer
        case .loading(let task): return await task.value
        }
    }

    private func finish(_ origin: String, _ answer: Answer) {
        state.withLock { if $0.answers[origin] != nil { $0.answers[origin] = .loaded(answer) } }
    }

    /// The number of requests whose tasks are kept.
    var loading: Int { state.withLock { $0.answers.values.count { if case .loading = $0 { true } else { false } } } }
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
