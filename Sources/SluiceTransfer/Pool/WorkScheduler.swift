// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Decides which items of a ``WorkPool`` run: a state machine without threads, clocks and I/O.
///
/// Each item waits in its host's queue, runs, and ends. A free slot goes to the host that holds the fewest slots, so a
/// slow host with a long queue never blocks the others. A running item may sleep before a retry, or move to another
/// host. It has no slot during that time, and then returns to the front of the queue.
struct WorkScheduler {
    typealias ID = Int
    typealias Instant = ContinuousClock.Instant

    /// A step that the pool must perform, in this order and without holding its lock.
    enum Action: Hashable {
        /// The item got its first slot.
        case start(ID)
        /// The item got a slot again.
        case resume(ID)
        /// The item ended in the queue; it never starts.
        case drop(ID, Failure)
        /// The item gets no further slot and must end.
        case abandon(ID, Failure)
        /// The item has held its slot for too long; its token must be cancelled.
        case cancel(ID)
        /// The item ignored its cancellation and has lost its slot; the pool must end it.
        case evict(ID, Failure)
    }

    private enum State {
        case queued(host: String)
        /// The host's slot is released when the transfer is complete, while decoding continues.
        case running(host: String, hasReleasedHost: Bool)
        case sleeping(host: String)
        /// The item was told to end; it needs no slot for that.
        case ending(Failure)
    }

    private(set) var width: Int
    private var rules: HostRules
    private var backlog: Int
    private let lookahead: Int
    private var hosts: HostTracker
    private var states: [ID: State] = [:]
    private var queues: [String: HostQueue] = [:]
    /// Hosts with a queued item and a free slot, in the order in which they get slots.
    private var readyHosts: [String] = []
    /// The host whose slot was released last; it has an open connection, so it wins ties.
    private var lastReleasedHost: String?
    /// Hosts with queued items that must not be requested before a time.
    private(set) var delayedHosts: [String: Instant] = [:]
    /// When sleeping items wake up.
    private var wakeTimes: [ID: Instant] = [:]
    /// Since when running items hold their slots.
    private var slotTimes: [ID: Instant] = [:]
    /// When items were cancelled because they had held their slots for too long.
    private var cancelTimes: [ID: Instant] = [:]
    /// The number of items that hold a slot.
    private(set) var running = 0
    /// The number of items that wait for their first slot.
    private(set) var waiting = 0
    /// The number of items that have started and not ended.
    private(set) var inFlight = 0
    private var isDraining = false

    /// - Parameters:
    ///   - width: The number of items that run at a time; at most as many more sleep or change hosts.
    ///   - backlog: The number of waiting items above which the pool has no room.
    ///   - lookahead: The limit used instead of `backlog` while slots are free that no waiting item can use.
    ///   - rules: The limits for hosts.
    init(width: Int, backlog: Int, lookahead: Int = 0, rules: HostRules) {
        precondition(width > 0 && rules.perHost > 0 && backlog > 0, "a pool has at least one slot")
        (self.width, self.backlog, self.lookahead, self.rules) = (width, backlog, lookahead, rules)
        hosts = HostTracker(rules)
    }

    /// Whether another item may be added.
    ///
    /// If slots are free, all waiting items belong to hosts that are saturated or paused. Further items are then
    /// welcome, because they may belong to other hosts.
    var hasRoom: Bool {
        waiting < backlog || running < width && inFlight < 2 * width && waiting < lookahead
    }

    /// When ``processDeadlines(now:)`` must be called.
    var nextDeadline: Instant? {
        // Usually both are empty.
        delayedHosts.isEmpty && wakeTimes.isEmpty
            ? nil : [delayedHosts.values.min(), wakeTimes.values.min()].compactMap(\.self).min()
    }

    /// Whether no slot is free.
    var isFull: Bool { running >= width }

    /// Reduces the number of items that may hold a slot of a host.
    mutating func reduceSlots(of host: String, to limit: Int) {
        rules.reduceSlots(of: host, to: limit)
        queues[host]?.narrow(to: rules.slots(of: host))
    }

    /// Changes the number of processes that share each host.
    mutating func setShares(_ shares: [String: Int], now: Instant) -> [Action] {
        rules.shares = shares
        hosts.setShares(shares)
        for host in shares.keys.sorted() {
            // Otherwise a host whose only item takes long would keep one slot until its end.
            if !hosts.isFailing(host) { queues[host]?.widen(upTo: rules.slots(of: host)) }
            markReady(host, now)
        }
        return fillSlots(now)
    }

    /// Changes the number of slots; running items beyond a smaller width continue to their end.
    mutating func resize(to width: Int, backlog: Int, now: Instant) -> [Action] {
        precondition(width > 0 && backlog > 0, "a pool has at least one slot")
        (self.width, self.backlog) = (width, backlog)
        return fillSlots(now)
    }

    /// The items that have held their slots for longer than `limit`; sleeping and waiting do not count.
    func overdue(after limit: Duration, now: Instant) -> [ID] {
        slotTimes.filter { $0.value + limit <= now }.keys.sorted()
    }

    /// Cancels the items that have held their slots for longer than `limit`.
    ///
    /// An item that still holds its slot one
    /// `gracePeriod` after its cancellation loses it, and ends with `failure`.
    mutating func endOverdue(
        after limit: Duration, gracePeriod: Duration, _ failure: Failure, now: Instant
    ) -> [Action] {
        var actions: [Action] = []
        for id in overdue(after: limit, now: now) {
            guard let cancelledAt = cancelTimes[id] else {
                cancelTimes[id] = now
                actions.append(.cancel(id))
                continue
            }
            guard cancelledAt + gracePeriod <= now, giveUpSlot(id, now) != nil else { continue }
            states[id] = .ending(failure)
            actions.append(.evict(id, failure))
        }
        return actions + fillSlots(now)
    }

    /// Adds an item to its host's queue.
    mutating func add(_ id: ID, host: String, rank: HostQueue.Rank = .normal, now: Instant) -> [Action] {
        precondition(states[id] == nil, "item \(id) was added twice")
        if isDraining { return [.drop(id, Failure(.cancelled, ""))] }
        if let refusal = hosts.refusal(of: host) { return [.drop(id, refusal)] }
        waiting += 1
        enqueue(id, host, rank, now)
        return fillSlots(now)
    }

    /// Releases the host's slot while the item continues: its transfer is complete, and decoding needs no host.
    mutating func releaseHost(_ id: ID, now: Instant) -> [Action] {
        guard case .running(let host, hasReleasedHost: false) = states[id] else { return [] }
        states[id] = .running(host: host, hasReleasedHost: true)
        releaseHostSlot(host, now)
        return fillSlots(now)
    }

    /// Whether the item holds a slot of this host.
    func holdsSlot(_ id: ID, of host: String) -> Bool {
        if case .running(host, hasReleasedHost: false) = states[id] { true } else { false }
    }

    /// Moves the item to another host; it waits for a slot there.
    mutating func move(_ id: ID, toHost host: String, now: Instant) -> [Action] {
        giveUpSlot(id, now) == nil ? repeatAbandon(id) : requeue(id, host, now) + fillSlots(now)
    }

    /// Puts the item to sleep until `end`, or until ``wake(_:now:)`` if that is `nil`; it gives up its slot.
    mutating func sleep(_ id: ID, until end: Instant?, now: Instant) -> [Action] {
        guard let host = giveUpSlot(id, now) else { return repeatAbandon(id) }
        states[id] = .sleeping(host: host)
        wakeTimes[id] = end
        return fillSlots(now)
    }

    /// Adds a sleeping item to its host's queue again.
    mutating func wake(_ id: ID, now: Instant) -> [Action] {
        guard case .sleeping(let host) = states[id] else { return [] }
        wakeTimes[id] = nil
        return requeue(id, host, now) + fillSlots(now)
    }

    /// Wakes the items and enables the hosts whose time has come.
    mutating func processDeadlines(now: Instant) -> [Action] {
        var actions: [Action] = []
        for (id, end) in wakeTimes.filter({ $0.value <= now }).sorted(by: { ($0.value, $0.key) < ($1.value, $1.key) }) {
            guard case .sleeping(let host) = states[id] else {
                preconditionFailure("item \(id), which wakes at \(end), does not sleep")
            }
            wakeTimes[id] = nil
            actions += requeue(id, host, now)
        }
        for host in delayedHosts.filter({ $0.value <= now }).keys.sorted() {
            delayedHosts[host] = nil
            markReady(host, now)
        }
        return actions + fillSlots(now)
    }

    /// Ends an item that has started.
    mutating func end(_ id: ID, now: Instant) -> [Action] {
        switch states.removeValue(forKey: id) {
        case .running(let host, let hasReleasedHost):
            releaseSlot(id, of: host, hasReleasedHost: hasReleasedHost, now)
        case .ending: break
        default: preconditionFailure("item \(id) ended without running")
        }
        inFlight -= 1
        return fillSlots(now)
    }

    /// Starts no further items: removes those without a slot, and drops those that are added later.
    mutating func drain(now: Instant) -> [Action] {
        isDraining = true
        var actions: [Action] = []
        for id in states.keys.sorted() { actions += cancel(id, Failure(.cancelled, ""), now: now) }
        return actions
    }

    /// Removes an item that has no slot; a running one ends by its token and is not affected.
    mutating func cancel(_ id: ID, _ failure: Failure, now: Instant) -> [Action] {
        switch states[id] {
        case .queued(let host):
            let rank = queues[host]?.remove(id)
            removeIfUnused(host)
            return [remove(id, rank, failure)] + fillSlots(now)
        case .sleeping:
            return [remove(id, .started, failure)]
        default: return []
        }
    }
}

// MARK: Hosts

extension WorkScheduler {
    /// The reason why the host is excluded for the rest of the run.
    func refusal(of host: String) -> Failure? { hosts.refusal(of: host) }

    /// The number of requests at a time that the host gets because of its failures; `nil` for the usual one.
    func reducedSlots(of host: String) -> Int? { hosts.slots(of: host) }

    /// Whether the refusal of an address at this time concerns only the address.
    mutating func takeAddressRefusal(of host: String, refusedAt time: Instant) -> Bool {
        hosts.takeAddressRefusal(of: host, refusedAt: time)
    }

    /// Reserves the time of a request that uses no slot.
    mutating func reserveRequest(to host: String, now: Instant) -> Instant {
        defer { updateReadiness(host, now) }
        return hosts.reserveRequest(to: host, now: now)
    }

    mutating func pause(_ host: String, for duration: Duration, now: Instant) -> [Action] {
        hosts.pause(host, for: duration, now: now)
        updateReadiness(host, now)
        return []
    }

    /// Records a successful response; a host that was recovering gets all its slots again.
    mutating func recordSuccess(
        of host: String, begun: Instant? = nil, afterRefusal: Bool = false, now: Instant
    ) -> [Action] {
        hosts.recordSuccess(of: host, begun: begun, afterRefusal: afterRefusal)
        markReady(host, now)
        return fillSlots(now)
    }

    /// Records a failed attempt; if the host is given up, all its items without a slot end.
    mutating func recordFailure(
        of host: String, _ failure: Failure, refusedAt: Instant? = nil, retry: RetryPolicy, now: Instant
    ) -> (HostTracker.Reaction, [Action]) {
        let canProbe = queues[host]?.isEmpty == false
        let reaction = hosts.recordFailure(
            of: host, failure, refusedAt: refusedAt, canProbe: canProbe, retry: retry, now: now)
        switch reaction {
        case .none, .probed, .addressRefused: return (reaction, [])
        case .paused:
            updateReadiness(host, now)
            return (reaction, [])
        case .givenUp(let refusal):
            var actions: [Action] = []
            for entry in queues[host]?.removeAll() ?? [] { actions.append(remove(entry.id, entry.rank, refusal)) }
            removeIfUnused(host)
            for id in states.keys.sorted() {
                if case .sleeping(host) = states[id] { actions.append(remove(id, .started, refusal)) }
            }
            return (reaction, actions + fillSlots(now))
        }
    }
}

// MARK: Steps

extension WorkScheduler {
    private mutating func fillSlots(_ now: Instant) -> [Action] {
        var actions: [Action] = []
        while running < width, let index = nextReadyIndex() {
            let host = readyHosts.remove(at: index)
            let prefersNew = canStartNew && hosts.wantsOther(host)
            let next = queues[host]?.removeFirst(preferringNew: prefersNew)
            guard let next else { preconditionFailure("a ready host has an empty queue") }
            queues[host]?.running += 1
            states[next.id] = .running(host: host, hasReleasedHost: false)
            running += 1
            slotTimes[next.id] = now
            if next.rank == .started {
                actions.append(.resume(next.id))
            } else {
                waiting -= 1
                inFlight += 1
                actions.append(.start(next.id))
            }
            hosts.recordRequest(to: host, at: now)
            markReady(host, now)
        }
        precondition(actions.isEmpty || running <= width, "more items run than there are slots")
        return actions
    }

    /// The host that gets the next slot: the first one without a slot, or else the one with the fewest slots.
    private func nextReadyIndex() -> Int? {
        var next: (index: Int, running: Int)?
        for (index, host) in readyHosts.enumerated() where canStart(host) {
            let running = queues[host]?.running ?? 0
            if running == 0 { return index }
            let isBetter =
                next.map { running < $0.running || running == $0.running && host == lastReleasedHost } ?? true
            if isBetter { next = (index, running) }
        }
        return next?.index
    }

    /// Whether new items may start; they must wait while many others sleep.
    private var canStartNew: Bool { inFlight < 2 * width && !isDraining }

    /// Whether the first item of the host's queue may get a slot.
    private func canStart(_ host: String) -> Bool { canStartNew || queues[host]?.first?.rank == .started }

    private mutating func enqueue(_ id: ID, _ host: String, _ rank: HostQueue.Rank, _ now: Instant) {
        states[id] = .queued(host: host)
        queues[host, default: HostQueue(limit: min(rules.firstSlots, rules.slots(of: host)))].add(id, rank)
        markReady(host, now)
    }

    /// Takes the item's slots away, and returns its host; `nil` if it does not run.
    private mutating func giveUpSlot(_ id: ID, _ now: Instant) -> String? {
        guard case .running(let host, let hasReleasedHost) = states[id] else { return nil }
        releaseSlot(id, of: host, hasReleasedHost: hasReleasedHost, now)
        return host
    }

    /// Tells an item again that it must end; one that the watchdog has ended already gets no action.
    private func repeatAbandon(_ id: ID) -> [Action] {
        guard let state = states[id] else { return [] }
        guard case .ending(let failure) = state else { preconditionFailure("item \(id) does not run") }
        return [.abandon(id, failure)]
    }

    /// Adds an item that has started to a queue again.
    private mutating func requeue(_ id: ID, _ host: String, _ now: Instant) -> [Action] {
        if let refusal = hosts.refusal(of: host) { return [remove(id, .started, refusal)] }
        enqueue(id, host, .started, now)
        return []
    }

    /// Removes an item that has no slot.
    private mutating func remove(_ id: ID, _ rank: HostQueue.Rank?, _ failure: Failure) -> Action {
        wakeTimes[id] = nil
        guard rank == .started else {
            states[id] = nil
            waiting -= 1
            return .drop(id, failure)
        }
        states[id] = .ending(failure)
        return .abandon(id, failure)
    }

    /// Adds the host to the ready hosts if it can use a slot now, or to the delayed hosts if it must wait.
    private mutating func markReady(_ host: String, _ now: Instant) {
        guard let queue = queues[host], !queue.isEmpty, queue.running < min(queue.limit, hosts.slots(of: host) ?? .max),
            !readyHosts.contains(host)
        else { return }
        delayedHosts[host] = hosts.nextRequestTime(of: host, after: now)
        if delayedHosts[host] == nil { readyHosts.append(host) }
    }

    /// Recomputes whether the host is ready, after its next request time has changed.
    private mutating func updateReadiness(_ host: String, _ now: Instant) {
        readyHosts.removeAll { $0 == host }
        markReady(host, now)
    }

    private mutating func releaseSlot(_ id: ID, of host: String, hasReleasedHost: Bool, _ now: Instant) {
        running -= 1
        slotTimes[id] = nil
        cancelTimes[id] = nil
        lastReleasedHost = host
        if !hasReleasedHost { releaseHostSlot(host, now) }
    }

    private mutating func releaseHostSlot(_ host: String, _ now: Instant) {
        queues[host]?.running -= 1
        if !hosts.isFailing(host) { queues[host]?.widen(upTo: rules.slots(of: host)) }
        markReady(host, now)
        removeIfUnused(host)
    }

    /// Removes a host that has no items, so that memory does not grow with the number of hosts.
    private mutating func removeIfUnused(_ host: String) {
        guard let queue = queues[host], queue.isEmpty else { return }
        readyHosts.removeAll { $0 == host }
        delayedHosts[host] = nil
        if queue.running == 0 { queues[host] = nil }
    }
}

/// The items that wait for a host, and the number of its slots that are in use.
struct HostQueue {
    /// The order of items within a host's queue; it has no effect between hosts.
    enum Rank: Int, Comparable {
        case low, normal, high
        /// The item has started before; it goes first, because it holds partial work.
        case started

        static func < (one: Rank, other: Rank) -> Bool { one.rawValue < other.rawValue }
    }

    typealias Entry = (id: Int, rank: Rank)

    private var entries: [Entry] = []
    var running = 0
    /// The number of items that may run.
    private(set) var limit: Int

    init(limit: Int) { self.limit = limit }

    /// Doubles the number of items that may run, up to `maximum`.
    mutating func widen(upTo maximum: Int) { limit = min(2 * limit, maximum) }

    /// Reduces the number of items that may run.
    mutating func narrow(to maximum: Int) { limit = min(limit, maximum) }

    var first: Entry? { entries.first }
    var isEmpty: Bool { entries.isEmpty }

    /// Adds an item after all items of the same or a higher rank.
    mutating func add(_ id: Int, _ rank: Rank) {
        let index = entries.lastIndex { $0.rank >= rank }.map { $0 + 1 } ?? 0
        entries.insert((id, rank), at: index)
    }

    /// Removes and returns the first item, or the first that has not started yet.
    mutating func removeFirst(preferringNew: Bool) -> Entry? {
        let new = preferringNew ? entries.firstIndex { $0.rank != .started } : nil
        return entries.isEmpty ? nil : entries.remove(at: new ?? 0)
    }

    /// Removes an item and returns its rank.
    mutating func remove(_ id: Int) -> Rank? {
        entries.firstIndex { $0.id == id }.map { entries.remove(at: $0).rank }
    }

    /// Removes and returns all items.
    mutating func removeAll() -> [Entry] {
        defer { entries = [] }
        return entries
    }
}
