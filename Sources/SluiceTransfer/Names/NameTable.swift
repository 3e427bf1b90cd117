// SPDX-License-Identifier: MIT

internal import SluiceModel

/// What is known of hosts' addresses: a pure state machine without clocks or I/O, so that one look-up serves everybody.
struct NameTable {
    typealias Waiter = Int
    typealias Answer = Result<[NetworkAddress], Failure>

    /// What whoever asks must do.
    enum Reply {
        case answered(Answer)
        /// Somebody looks already.
        case wait
        /// Nobody looks yet.
        case lookUp
    }

    private enum Entry {
        case looking([Waiter])
        case known(Answer, at: ContinuousClock.Instant)
    }

    /// A name that does not exist may be made; until then nobody asks for it again.
    static let failureAge = Duration.seconds(30)
    /// Addresses that cannot be reached may be old; younger ones are not looked up again for that.
    static let leastAge = Duration.seconds(60)
    /// More names than this are not remembered, however long a run is.
    static let mostNames = 10_000

    private var entries: [String: Entry] = [:]

    /// Asks for a name's addresses.
    mutating func ask(_ name: String, as waiter: Waiter, now: ContinuousClock.Instant) -> Reply {
        switch entries[name] {
        case .looking(let waiters):
            entries[name] = .looking(waiters + [waiter])
            return .wait
        case .known(let answer, let time):
            if case .success = answer { return .answered(answer) }
            if time.duration(to: now) < Self.failureAge { return .answered(answer) }
        case nil: if entries.count >= Self.mostNames { forgetAll() }
        }
        entries[name] = .looking([waiter])
        return .lookUp
    }

    /// Takes up what a look-up found, and says who waits for it; what is no answer at all is forgotten.
    mutating func found(_ answer: Answer, isFinal: Bool, for name: String, now: ContinuousClock.Instant) -> [Waiter] {
        guard case .looking(let waiters) = entries[name] else { return [] }
        entries[name] = isFinal ? .known(answer, at: now) : nil
        return waiters
    }

    /// Takes note that none of a name's addresses could be reached.
    mutating func doubt(_ name: String, now: ContinuousClock.Instant) {
        if case .known(.success, let time) = entries[name], time.duration(to: now) >= Self.leastAge {
            entries[name] = nil
        }
    }

    private mutating func forgetAll() {
        entries = entries.filter { if case .looking = $0.value { true } else { false } }
    }
}
