// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Rules of an origin, which a cache keeps.
protocol OriginRules: Sendable {
    /// The size of the rules in memory, roughly, in bytes.
    var memory: Int { get }
}

/// Loads the rules of each origin once, and caches them.
final class OriginCache<Rules: OriginRules>: Sendable {
    typealias Answer = Result<Rules, Failure>

    /// The answer of an origin; a finished task would keep its stack.
    private enum Entry {
        case loading(Task<Answer, Never>)
        case loaded(Answer)

        /// The size in memory, with the name of the origin.
        var memory: Int {
            if case .loaded(.success(let rules)) = self { 256 + rules.memory } else { 256 }
        }
    }

    private struct State {
        private(set) var answers: [String: Entry] = [:]
        /// Oldest first, from `oldest` on.
        private var order: [String] = []
        private var oldest = 0
        private var memory = 0

        /// Adds or changes the entry of an origin, and removes the oldest ones if all together are too large.
        mutating func set(_ origin: String, _ entry: Entry, capacity: Int) {
            if let old = answers.updateValue(entry, forKey: origin) {
                memory -= old.memory
            } else {
                order.append(origin)
            }
            memory += entry.memory
            while memory > capacity, oldest < order.count - 1 {
                memory -= answers.removeValue(forKey: order[oldest])?.memory ?? 0
                oldest += 1
            }
            if oldest > order.count / 2 {
                order.removeSubrange(..<oldest)
                oldest = 0
            }
        }
    }

    /// The memory of the cached origins in bytes: 65,536 of them without rules.
    ///
    /// The oldest is removed first, and loaded again when it is needed.
    private let capacity: Int
    private let state = Locked(State())

    init(capacity: Int = 16 << 20) { self.capacity = capacity }

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
            state.set(origin, entry, capacity: capacity)
            return entry
        }
        switch entry {
        case .loaded(let answer): return answer
        case .loading(let task): return await task.value
        }
    }

    private func finish(_ origin: String, _ answer: Answer) {
        state.withLock { state in
            if state.answers[origin] != nil { state.set(origin, .loaded(answer), capacity: capacity) }
        }
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
