// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Decides what the work pool does next: a pure state machine without threads, clocks or I/O.
///
/// Each item waits in its host's line, runs, and ends. A free slot goes to the host that holds the fewest, so that a slow
/// host with a long line never holds up the others. A running item may rest before its next attempt, or go over to another
/// host; it gives its slot to others meanwhile, and stands first in line when it comes back.
struct WorkScheduler {
    typealias ID = Int
    typealias Instant = ContinuousClock.Instant

    /// What the pool must do now, outside its lock and in this order.
    enum Action: Hashable {
        /// The item has its slot.
        case start(ID)
        /// The item has a slot again.
        case resume(ID)
        /// The item ended while it waited; it never starts.
        case drop(ID, Failure)
        /// The item gets no slot again, and must end.
        case abandon(ID, Failure)
    }

    private enum State {
        case waiting(host: String)
        /// It has left the host when its transfer is over and its decode is not.
        case running(host: String, hasLeft: Bool)
        case resting(host: String)
        /// Told to end, which takes no slot.
        case leaving(Failure)
    }

    /// How many may run at a time.
    private(set) var width: Int
    private let perHost: Int
    private var backlog: Int
    private let reach: Int
    private var hosts: HostBook
    private var states: [ID: State] = [:]
    private var lines: [String: HostLine] = [:]
    /// Hosts with somebody in line and a free slot, in the order of their turns.
    private var turns: [String] = []
    /// Whose slot was given back last: with a connection that is open, it goes before others that hold as many.
    private var warm: String?
    /// Hosts with somebody in line that must not be asked yet.
    private(set) var held: [String: Instant] = [:]
    /// Items that wait for their next attempt.
    private var resting: [ID: Instant] = [:]
    /// Since when each that runs holds its slot.
    private var since: [ID: Instant] = [:]
    /// How many hold a slot.
    private(set) var running = 0
    /// How many wait for their first slot.
    private(set) var waiting = 0
    /// How many have started and not ended.
    private(set) var inFlight = 0

    /// - Parameters:
    ///   - width: How many items run at a time; at most as many again rest or change hosts.
    ///   - backlog: How many may wait before the pool has no room.
    ///   - reach: How many may wait where slots are free that none of them can use.
    ///   - rules: How hosts are treated.
    init(width: Int, backlog: Int, reach: Int = 0, rules: HostRules) {
        precondition(width > 0 && rules.perHost > 0 && backlog > 0, "a pool has at least one slot")
        (self.width, self.backlog, self.reach, perHost) = (width, backlog, reach, rules.perHost)
        hosts = HostBook(rules)
    }

    /// Whether another item may be added without the backlog growing past its bound.
    ///
    /// Where slots are free, all who wait do so for hosts that have enough to do, or that are paused: whatever comes next
    /// may be another host's.
    var hasRoom: Bool {
        waiting < backlog || running < width && inFlight < 2 * width && waiting < reach
    }

    /// When ``wake(now:)`` has something to do next.
    var alarm: Instant? {
        // Nearly always there is neither.
        held.isEmpty && resting.isEmpty ? nil : [held.values.min(), resting.values.min()].compactMap(\.self).min()
    }

    /// Whether every slot is taken, or more than there are after the width went down.
    var isFull: Bool { running >= width }

    /// Has `width` items run at a time from now on; those that run beyond it go on to their end.
    mutating func resize(to width: Int, backlog: Int, now: Instant) -> [Action] {
        precondition(width > 0 && backlog > 0, "a pool has at least one slot")
        (self.width, self.backlog) = (width, backlog)
        return start(now)
    }

    /// The items that hold their slot for longer than that; time in which they rest or wait for a host does not count.
    func overdue(after limit: Duration, now: Instant) -> [ID] {
        since.filter { $0.value + limit <= now }.keys.sorted()
    }

    /// Puts an item in its host's line.
    mutating func add(_ id: ID, host: String, rank: HostLine.Rank = .normal, now: Instant) -> [Action] {
        precondition(states[id] == nil, "item \(id) was added twice")
        if let refusal = hosts.refusal(of: host) { return [.drop(id, refusal)] }
        waiting += 1
        lineUp(id, host, rank, now)
        return start(now)
    }

    /// Gives the host's slot back while the item runs on: its transfer is over, its decode is not.
    mutating func leaveHost(_ id: ID, now: Instant) -> [Action] {
        guard case .running(let host, hasLeft: false) = states[id] else { return [] }
        states[id] = .running(host: host, hasLeft: true)
        freeHost(host, now)
        return start(now)
    }

    /// Whether the item holds a slot of this host.
    func isAt(_ host: String, _ id: ID) -> Bool {
        if case .running(host, hasLeft: false) = states[id] { true } else { false }
    }

    /// Takes the item over to another host, whose slot it waits for.
    mutating func enter(_ id: ID, host: String, now: Instant) -> [Action] {
        suspend(id, now) == nil ? repeatRefusal(of: id) : comeBack(id, host, now) + start(now)
    }

    /// Lets the item wait for its next attempt at the host where it is, or with no time named until it is told to rise.
    mutating func rest(_ id: ID, until end: Instant?, now: Instant) -> [Action] {
        guard let host = suspend(id, now) else { return repeatRefusal(of: id) }
        states[id] = .resting(host: host)
        resting[id] = end
        return start(now)
    }

    /// Puts an item that rests in line again.
    mutating func rise(_ id: ID, now: Instant) -> [Action] {
        guard case .resting(let host) = states[id] else { return [] }
        resting[id] = nil
        return comeBack(id, host, now) + start(now)
    }

    /// Does what has become due.
    mutating func wake(now: Instant) -> [Action] {
        var actions: [Action] = []
        for (id, end) in resting.filter({ $0.value <= now }).sorted(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
            guard case .resting(let host) = states[id] else {
                preconditionFailure("\(id), up to \(end), rests nowhere")
            }
            resting[id] = nil
            actions += comeBack(id, host, now)
        }
        for host in held.filter({ $0.value <= now }).keys.sorted() {
            held[host] = nil
            takeTurn(host, now)
        }
        return actions + start(now)
    }

    /// Ends an item that has started.
    mutating func end(_ id: ID, now: Instant) -> [Action] {
        switch states.removeValue(forKey: id) {
        case .running(let host, let hasLeft):
            giveBack(id, of: host, hasLeft: hasLeft, now)
        case .leaving: break
        default: preconditionFailure("item \(id) ended without running")
        }
        inFlight -= 1
        return start(now)
    }

    /// Takes an item that has no slot out of its line; a running one ends by its token, and is left alone here.
    mutating func cancel(_ id: ID, _ failure: Failure, now: Instant) -> [Action] {
        switch states[id] {
        case .waiting(let host):
            let rank = lines[host]?.remove(id)
            forgetIfEmpty(host)
            return [dismiss(id, rank, failure)] + start(now)
        case .resting:
            return [dismiss(id, .begun, failure)]
        default: return []
        }
    }
}

// MARK: Hosts

extension WorkScheduler {
    /// Why the host is not asked again.
    func refusal(of host: String) -> Failure? { hosts.refusal(of: host) }

    /// Whether the host must show, with one request at a time, that it is back.
    func isOnTrial(_ host: String) -> Bool { hosts.isOnTrial(host) }

    /// Books the time of a request that takes no slot.
    mutating func book(_ host: String, now: Instant) -> Instant {
        defer { loseTurn(host, now) }
        return hosts.book(host, now: now)
    }

    /// Keeps everybody from the host for so long.
    mutating func pause(_ host: String, for duration: Duration, now: Instant) -> [Action] {
        hosts.pause(host, for: duration, now: now)
        loseTurn(host, now)
        return []
    }

    /// Notes an answer: a host that was on trial has all its slots again.
    mutating func answered(_ host: String, now: Instant) -> [Action] {
        hosts.answered(host)
        takeTurn(host, now)
        return start(now)
    }

    /// Notes how an attempt failed, and what that means for everybody who waits for the host.
    mutating func failed(
        _ host: String, _ failure: Failure, retry: RetryPolicy, now: Instant
    ) -> (HostBook.Verdict, [Action]) {
        let verdict = hosts.failed(host, failure, retry: retry, now: now)
        switch verdict {
        case .none: return (verdict, [])
        case .paused:
            loseTurn(host, now)
            return (verdict, [])
        case .givenUp(let refusal):
            var actions: [Action] = []
            for place in lines[host]?.removeAll() ?? [] { actions.append(dismiss(place.id, place.rank, refusal)) }
            forgetIfEmpty(host)
            for id in states.keys.sorted() {
                if case .resting(host) = states[id] { actions.append(dismiss(id, .begun, refusal)) }
            }
            return (verdict, actions + start(now))
        }
    }
}

// MARK: Steps

extension WorkScheduler {
    private mutating func start(_ now: Instant) -> [Action] {
        var actions: [Action] = []
        while running < width, let index = nextTurn() {
            let host = turns.remove(at: index)
            guard let next = lines[host]?.first else { preconditionFailure("an empty line's turn") }
            lines[host]?.removeFirst()
            lines[host]?.running += 1
            states[next.id] = .running(host: host, hasLeft: false)
            running += 1
            since[next.id] = now
            if next.rank == .begun {
                actions.append(.resume(next.id))
            } else {
                waiting -= 1
                inFlight += 1
                actions.append(.start(next.id))
            }
            hosts.begin(host, at: now)
            takeTurn(host, now)
        }
        precondition(actions.isEmpty || running <= width, "the width was passed")
        return actions
    }

    /// Whose turn it is: the host's that has waited longest of those without a slot, or else the one's with the fewest.
    private func nextTurn() -> Int? {
        var next: (index: Int, running: Int)?
        for (index, host) in turns.enumerated() where mayBegin(host) {
            let running = lines[host]?.running ?? 0
            if running == 0 { return index }
            let isBetter = next.map { running < $0.running || running == $0.running && host == warm } ?? true
            if isBetter { next = (index, running) }
        }
        return next?.index
    }

    /// Whether the first in the host's line may have a slot: those that rest must not become more and more.
    private func mayBegin(_ host: String) -> Bool {
        inFlight < 2 * width || lines[host]?.first?.rank == .begun
    }

    private mutating func lineUp(_ id: ID, _ host: String, _ rank: HostLine.Rank, _ now: Instant) {
        states[id] = .waiting(host: host)
        lines[host, default: HostLine()].add(id, rank)
        takeTurn(host, now)
    }

    /// Takes the item's slots away, and returns the host where it was.
    private mutating func suspend(_ id: ID, _ now: Instant) -> String? {
        guard case .running(let host, let hasLeft) = states[id] else { return nil }
        giveBack(id, of: host, hasLeft: hasLeft, now)
        return host
    }

    /// An item that was told to end is told so again, should it ask for more; one that was ended in its place gets nothing.
    private func repeatRefusal(of id: ID) -> [Action] {
        guard let state = states[id] else { return [] }
        guard case .leaving(let failure) = state else { preconditionFailure("item \(id) does not run") }
        return [.abandon(id, failure)]
    }

    /// Puts an item that has started in line again.
    private mutating func comeBack(_ id: ID, _ host: String, _ now: Instant) -> [Action] {
        if let refusal = hosts.refusal(of: host) { return [dismiss(id, .begun, refusal)] }
        lineUp(id, host, .begun, now)
        return []
    }

    /// Lets an item go that has no slot.
    private mutating func dismiss(_ id: ID, _ rank: HostLine.Rank?, _ failure: Failure) -> Action {
        resting[id] = nil
        guard rank == .begun else {
            states[id] = nil
            waiting -= 1
            return .drop(id, failure)
        }
        states[id] = .leaving(failure)
        return .abandon(id, failure)
    }

    /// Gives the host a turn, if it can use one and does not wait for one already.
    private mutating func takeTurn(_ host: String, _ now: Instant) {
        guard let line = lines[host], !line.isEmpty, line.running < (hosts.isOnTrial(host) ? 1 : perHost),
            !turns.contains(host)
        else { return }
        held[host] = hosts.opening(of: host, after: now)
        if held[host] == nil { turns.append(host) }
    }

    /// Lets the host wait for its time, which has changed.
    private mutating func loseTurn(_ host: String, _ now: Instant) {
        turns.removeAll { $0 == host }
        takeTurn(host, now)
    }

    private mutating func giveBack(_ id: ID, of host: String, hasLeft: Bool, _ now: Instant) {
        running -= 1
        since[id] = nil
        warm = host
        if !hasLeft { freeHost(host, now) }
    }

    private mutating func freeHost(_ host: String, _ now: Instant) {
        lines[host]?.running -= 1
        takeTurn(host, now)
        forgetIfEmpty(host)
    }

    /// A host that nobody waits for and nobody uses costs nothing, however many there were.
    private mutating func forgetIfEmpty(_ host: String) {
        guard let line = lines[host], line.isEmpty else { return }
        turns.removeAll { $0 == host }
        held[host] = nil
        if line.running == 0 { lines[host] = nil }
    }
}
