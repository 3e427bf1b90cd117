// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The cache and the pending lookups of a ``Resolver``: a state machine without clocks and I/O.
struct ResolverState {
    typealias Waiter = Int
    typealias Answer = Result<[NetworkAddress], Failure>

    /// The next step for the caller of ``ask(_:as:now:)``.
    enum Action {
        case use(Answer)
        /// Wait: a lookup of the name is in progress.
        case wait
        /// Look the name up, and report the answer to ``complete(_:isDefinitive:for:now:)``.
        case lookUp
    }

    private enum Entry {
        case pending([Waiter])
        case cached(Answer, at: ContinuousClock.Instant)
    }

    /// How long a failed lookup is cached; the name may be created later.
    static let failureAge = Duration.seconds(30)
    /// Addresses that cannot be reached are looked up again only if they are older than this.
    static let minAge = Duration.seconds(60)
    /// The cache is emptied when it holds this many names.
    static let maxNames = 10_000

    private var entries: [String: Entry] = [:]

    /// Asks for a name's addresses.
    mutating func ask(_ name: String, as waiter: Waiter, now: ContinuousClock.Instant) -> Action {
        switch entries[name] {
        case .pending(let waiters):
            entries[name] = .pending(waiters + [waiter])
            return .wait
        case .cached(let answer, let time):
            if case .success = answer { return .use(answer) }
            if time.duration(to: now) < Self.failureAge { return .use(answer) }
        case nil: if entries.count >= Self.maxNames { removeCached() }
        }
        entries[name] = .pending([waiter])
        return .lookUp
    }

    /// Records a lookup's answer, and returns who waits for it; an answer that is not definitive is not cached.
    mutating func complete(
        _ answer: Answer, isDefinitive: Bool, for name: String, now: ContinuousClock.Instant
    ) -> [Waiter] {
        guard case .pending(let waiters) = entries[name] else { return [] }
        entries[name] = isDefinitive ? .cached(answer, at: now) : nil
        return waiters
    }

    /// Removes a name's addresses if they are old, because none of them could be reached.
    mutating func reportUnreachable(_ name: String, now: ContinuousClock.Instant) {
        if case .cached(.success, let time) = entries[name], time.duration(to: now) >= Self.minAge {
            entries[name] = nil
        }
    }

    private mutating func removeCached() {
        entries = entries.filter { if case .pending = $0.value { true } else { false } }
    }
}
