// SPDX-License-Identifier: MIT

internal import Dispatch
public import SluiceModel

/// A bounded pool of items in flight: a slot for each, fair between hosts, every item ended exactly once.
///
/// An item's work is an asynchronous function that runs on Dispatch queues: while it waits for the network it holds its
/// slot and no thread. (Threads would bound the width: libdispatch starts no more than 255 that block.) Which item is
/// next, and which host must be left alone, is ``WorkScheduler``'s decision.
public final class WorkPool: Sendable {
    /// An item's work; it must look at its slot's token, and may give its host's slot back early.
    public typealias Work = @Sendable (Slot) async -> Void
    /// Told instead of the work, if the item ends before it got its slot.
    public typealias Dropped = @Sendable (Failure) -> Void
    /// What ``submit(host:priority:work:dropped:)`` gives, and ``cancel(_:_:)`` takes.
    public typealias ID = Int

    /// Which items of a host go first; between hosts it counts for nothing.
    public enum Priority: Sendable {
        case low, normal, high
    }

    private struct Job {
        var host: String
        var token: Token
        var work: Work
        var dropped: Dropped
        var handler: Token.Handler?
        /// Whether its slot was given back for good.
        var isOver = false
        /// Awaited by an item that gave its slot back for a while.
        var resumed: OneShot<Failure?>?
    }

    private struct State {
        var scheduler: WorkScheduler
        var jobs: [ID: Job] = [:]
        var lastID = 0
        /// Whether nothing starts any more.
        var isDraining = false
        /// The tokens between the run's and the items'; a host without items has none.
        var hosts: [String: (token: Token, items: Int)] = [:]
        var forRoom: [CheckedContinuation<Void, Never>] = []
        var forIdle: [CheckedContinuation<Void, Never>] = []

        mutating func takeAll(
            _ waiters: WritableKeyPath<State, [CheckedContinuation<Void, Never>]>
        ) -> [CheckedContinuation<Void, Never>] {
            defer { self[keyPath: waiters] = [] }
            return self[keyPath: waiters]
        }
    }

    /// A reach for what costs nobody anything to look at: some megabytes of photos that wait.
    public static let farReach = 2048

    /// The run's token; below it stands one for each host, and below that one for each item.
    public let token: Token
    private let state: Locked<State>
    private let executor = DispatchExecutor(label: "sluice.items")
    private let alarm = Alarm()

    /// Makes a pool in which `width` items are in flight at a time.
    ///
    /// `backlog` may wait, and `reach` where slots are free that none of those can use; ``room()`` then lets nobody pass.
    public init(
        width: Int, backlog: Int, reach: Int = 0, hosts: HostRules = HostRules(), token: Token = Token()
    ) {
        state = Locked(
            State(scheduler: WorkScheduler(width: width, backlog: backlog, reach: reach, rules: hosts)))
        self.token = token
    }

    /// Waits until the backlog has room: what keeps a quick feed from running ahead of slow hosts.
    public func room() async {
        await withCheckedContinuation { continuation in
            let hasRoom = state.withLock { state in
                if state.scheduler.hasRoom { return true }
                state.forRoom.append(continuation)
                return false
            }
            if hasRoom { continuation.resume() }
        }
    }

    /// How many items may be in flight.
    public var width: Int { ask(\.width) }

    /// Whether every slot is taken.
    public var isFull: Bool { ask(\.isFull) }

    /// Has `width` items in flight at a time from now on, and lets as many wait; what runs beyond that goes on to its end.
    public func resize(to width: Int) {
        decide { $0.resize(to: width, backlog: width, now: .now) }
    }

    /// Puts an item in line; either `work` runs, or `dropped` is called, once.
    @discardableResult
    public func submit(
        host: String, priority: Priority = .normal, work: @escaping Work, dropped: @escaping Dropped
    ) -> ID {
        let (id, token) = state.withLock { state in
            state.lastID += 1
            let hostToken = state.hosts[host]?.token ?? Token(below: self.token)
            state.hosts[host] = (hostToken, (state.hosts[host]?.items ?? 0) + 1)
            let token = Token(below: hostToken)
            state.jobs[state.lastID] = Job(host: host, token: token, work: work, dropped: dropped)
            return (state.lastID, token)
        }
        decide { $0.add(id, host: host, rank: HostLine.Rank(priority), now: .now) }
        let handler = token.onCancel { [weak self] cause in
            self?.decide { $0.cancel(id, Failure(cause, ""), now: .now) }
        }
        // An item that has ended by now needs none; its handler goes here.
        let isDraining = state.withLock { state in
            state.jobs[id]?.handler = handler
            return state.isDraining
        }
        if isDraining { leave(id) }
        return id
    }

    /// Ends one item, wherever it is on its way; one that has ended already is left as it is.
    public func cancel(_ id: ID, _ cause: Cause = .cancelled) {
        state.withLock { $0.jobs[id]?.token }?.cancel(cause)
    }

    /// Ends every item of a host that is in the pool now.
    public func cancel(host: String, _ cause: Cause = .cancelled) {
        let token = state.withLock { state in
            defer { state.hosts[host]?.token = Token(below: self.token) }
            return state.hosts[host]?.token
        }
        token?.cancel(cause)
    }

    /// Starts nothing any more: items that wait are dropped as cancelled, those that run go on to their end.
    public func drain() {
        let ids = state.withLock { state in
            state.isDraining = true
            return Array(state.jobs.keys)
        }
        for id in ids { leave(id) }
    }

    /// Drops an item that waits; one that runs is left alone.
    private func leave(_ id: ID) {
        decide { $0.cancel(id, Failure(.cancelled, ""), now: .now) }
    }

    /// Waits until every item has ended.
    public func drained() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if !state.jobs.isEmpty { state.forIdle.append(continuation) }
                return state.jobs.isEmpty
            }
            if isIdle { continuation.resume() }
        }
    }

    /// Asks the scheduler something that changes nothing for anybody.
    func ask<Answer: Sendable>(_ question: @Sendable (WorkScheduler) -> Answer) -> Answer {
        state.withLock { question($0.scheduler) }
    }

    /// Lets the scheduler decide under the lock, and acts outside it.
    func decide(_ transition: @Sendable (inout WorkScheduler) -> [WorkScheduler.Action]) {
        let (actions, waiters, next) = state.withLock { state in
            let actions = transition(&state.scheduler)
            return (actions, state.scheduler.hasRoom ? state.takeAll(\.forRoom) : [], state.scheduler.alarm)
        }
        if let next { alarm.set(next) { [weak self] in self?.decide { $0.wake(now: .now) } } }
        for action in actions {
            switch action {
            case .start(let id): start(id)
            case .resume(let id): resume(id, nil)
            case .abandon(let id, let failure): resume(id, failure)
            case .drop(let id, let failure): drop(id, failure)
            }
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Has the scheduler take an item's slot away, and returns when it has one again, or why it has none.
    func suspend(
        _ id: ID, _ transition: @Sendable (inout WorkScheduler) -> [WorkScheduler.Action], then act: () -> Void = {}
    ) async -> Failure? {
        let resumed = OneShot<Failure?>()
        let token = state.withLock { state in
            state.jobs[id]?.resumed = resumed
            return state.jobs[id]?.token
        }
        decide(transition)
        act()
        // Ended in its place by now: nobody would resume it.
        guard state.withLock({ $0.jobs[id] != nil }) else { return Failure(.internal, Self.stuck) }
        // A cancellation from before the item was suspended found it running, and left it alone.
        if let cause = token?.cause { decide { $0.cancel(id, Failure(cause, ""), now: .now) } }
        return await resumed.value()
    }

    private func start(_ id: ID) {
        guard let job = state.withLock({ $0.jobs[id] }) else { return }
        Task(executorPreference: executor) {
            // Cancelled between its place in line and its slot: it never starts.
            if let cause = job.token.cause {
                job.dropped(Failure(cause, ""))
            } else {
                await job.work(Slot(pool: self, id: id, token: job.token))
            }
            if self.takesEnd(of: id) { self.release(id) }
        }
    }

    /// Whether the caller is the one to end the item.
    func takesEnd(of id: ID) -> Bool {
        state.withLock { state in
            guard state.jobs[id]?.isOver == false else { return false }
            state.jobs[id]?.isOver = true
            return true
        }
    }

    /// Gives an item's slot back, and forgets the item.
    func release(_ id: ID) {
        decide { $0.end(id, now: .now) }
        forget(id)
    }

    /// What an item is told in place of its work.
    func dropped(_ id: ID) -> Dropped? { state.withLock { $0.jobs[id]?.dropped } }

    private func resume(_ id: ID, _ failure: Failure?) {
        state.withLock { $0.jobs[id]?.resumed }?.give(failure)
    }

    private func drop(_ id: ID, _ failure: Failure) {
        guard let job = state.withLock({ $0.jobs[id] }) else { return }
        job.dropped(failure)
        forget(id)
    }

    /// Lets go of an item that has ended, and of whoever waits for the last one.
    private func forget(_ id: ID) {
        // The job is let go outside the lock: what it holds may hold tokens.
        let (job, host, waiters) = state.withLock { state in
            let job = state.jobs.removeValue(forKey: id)
            var host: Token?
            if let name = job?.host, let items = state.hosts[name]?.items {
                host = state.hosts[name]?.token
                state.hosts[name]?.items = items - 1
                if items == 1 { state.hosts[name] = nil }
            }
            return (job, host, state.jobs.isEmpty ? state.takeAll(\.forIdle) : [])
        }
        withExtendedLifetime((job, host)) {}
        for waiter in waiters { waiter.resume() }
    }
}

extension HostLine.Rank {
    init(_ priority: WorkPool.Priority) {
        switch priority {
        case .low: self = .low
        case .normal: self = .normal
        case .high: self = .high
        }
    }
}
