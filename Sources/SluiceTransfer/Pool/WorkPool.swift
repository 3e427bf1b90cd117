// SPDX-License-Identifier: MIT

internal import Dispatch
package import SluiceModel

/// A bounded pool of items in flight, fair between hosts; every item ends exactly once.
///
/// An item's work is an asynchronous function that runs on Dispatch queues. While it waits for the network it holds its
/// slot but no thread: libdispatch starts at most 255 blocking threads, which would limit the width. `WorkScheduler`
/// decides which item is next and which host must wait.
package final class WorkPool: Sendable {
    /// An item's work; it must check its slot's token, and may release its host's slot early.
    package typealias Work = @Sendable (Slot) async -> Void
    /// Called instead of the work if the item ends before it gets a slot.
    package typealias DropHandler = @Sendable (Failure) -> Void
    /// Identifies an item; ``submit(host:priority:work:dropped:)`` returns it, and ``cancel(_:_:)`` takes it.
    package typealias ID = Int

    /// The order of a host's items; it has no effect between hosts.
    package enum Priority: Sendable {
        case low, normal, high
    }

    /// A running item's place in the pool.
    package struct Slot: Sendable {
        let pool: WorkPool
        let id: ID
        /// Cancels the item; its parent is the host's token, whose parent is the run's.
        package let token: CancellationToken

        /// Releases the host's slot when the transfer is complete, so that another item of the host may start.
        package func releaseHost() {
            let id = id
            pool.apply { $0.releaseHost(id, now: .now) }
        }
    }

    private struct Job {
        var host: String
        var token: CancellationToken
        var work: Work
        var dropped: DropHandler
        var handler: CancellationToken.Handler?
        /// Whether someone has claimed the item's end.
        var hasEnded = false
        /// Awaited by a suspended item until it gets a slot again.
        var resumed: OneShot<Failure?>?
    }

    private struct State {
        var scheduler: WorkScheduler
        var jobs: [ID: Job] = [:]
        var lastID = 0
        /// The hosts' tokens, between the run's and the items'; a host without items has none.
        var hosts: [String: (token: CancellationToken, items: Int)] = [:]
        var roomWaiters: [CheckedContinuation<Void, Never>] = []
        var idleWaiters: [CheckedContinuation<Void, Never>] = []

        mutating func takeAll(
            _ waiters: WritableKeyPath<State, [CheckedContinuation<Void, Never>]>
        ) -> [CheckedContinuation<Void, Never>] {
            defer { self[keyPath: waiters] = [] }
            return self[keyPath: waiters]
        }
    }

    /// A lookahead for feeds that cost nothing to read ahead; that many waiting photos use a few megabytes.
    package static let largeLookahead = 2048

    /// The run's token, the ancestor of all hosts' and items' tokens.
    package let token: CancellationToken
    private let state: Locked<State>
    private let executor = DispatchExecutor(label: "sluice.items")
    private let timer = DeadlineTimer()

    /// Creates a pool with `width` items in flight at a time.
    ///
    /// ``waitForRoom()`` suspends while `backlog` items wait. While slots are free that no waiting item can use, it
    /// allows up to `lookahead` items.
    package init(
        width: Int, backlog: Int, lookahead: Int = 0, hosts: HostRules = HostRules(),
        token: CancellationToken = CancellationToken()
    ) {
        state = Locked(
            State(scheduler: WorkScheduler(width: width, backlog: backlog, lookahead: lookahead, rules: hosts)))
        self.token = token
    }

    /// Waits until another item may be submitted, which keeps a fast feed from running ahead of slow hosts.
    package func waitForRoom() async {
        await withCheckedContinuation { continuation in
            let hasRoom = state.withLock { state in
                if state.scheduler.hasRoom { return true }
                state.roomWaiters.append(continuation)
                return false
            }
            if hasRoom { continuation.resume() }
        }
    }

    package var width: Int { query(\.width) }

    /// Whether no slot is free.
    package var isFull: Bool { query(\.isFull) }

    /// Changes the number of slots and the backlog to `width`; running items beyond it continue to their end.
    package func resize(to width: Int) {
        apply { $0.resize(to: width, backlog: width, now: .now) }
    }

    /// Reduces the number of items that may hold a slot of a host.
    package func reduceSlots(of host: String, to limit: Int) {
        apply { scheduler in
            scheduler.reduceSlots(of: host, to: limit)
            return []
        }
    }

    /// Changes the number of processes that share each host, see ``HostRules/shares``.
    package func setShares(_ shares: [String: Int]) { apply { $0.setShares(shares, now: .now) } }

    /// Adds an item; exactly one of `work` and `dropped` is called, once.
    @discardableResult
    package func submit(
        host: String, priority: Priority = .normal, work: @escaping Work, dropped: @escaping DropHandler
    ) -> ID {
        let (id, token) = state.withLock { state in
            state.lastID += 1
            let hostToken = state.hosts[host]?.token ?? CancellationToken(below: self.token)
            state.hosts[host] = (hostToken, (state.hosts[host]?.items ?? 0) + 1)
            let token = CancellationToken(below: hostToken)
            state.jobs[state.lastID] = Job(host: host, token: token, work: work, dropped: dropped)
            return (state.lastID, token)
        }
        apply { $0.add(id, host: host, rank: HostQueue.Rank(priority), now: .now) }
        let handler = token.onCancel { [weak self] cause in
            self?.apply { $0.cancel(id, Failure(cause, ""), now: .now) }
        }
        // If the item has ended already, the handler is released here.
        state.withLock { $0.jobs[id]?.handler = handler }
        return id
    }

    /// Cancels an item in any state; has no effect if it has ended.
    package func cancel(_ id: ID, _ cause: Cause = .cancelled) {
        state.withLock { $0.jobs[id]?.token }?.cancel(cause)
    }

    /// Cancels all items of a host that are in the pool now.
    package func cancel(host: String, _ cause: Cause = .cancelled) {
        let token = state.withLock { state in
            defer { state.hosts[host]?.token = CancellationToken(below: self.token) }
            return state.hosts[host]?.token
        }
        token?.cancel(cause)
    }

    /// Starts no further items: waiting ones and those added later are dropped as cancelled, and running ones continue
    /// to their end.
    package func drain() { apply { $0.drain(now: .now) } }

    /// Waits until all items have ended.
    package func waitUntilIdle() async {
        await withCheckedContinuation { continuation in
            let isIdle = state.withLock { state in
                if !state.jobs.isEmpty { state.idleWaiters.append(continuation) }
                return state.jobs.isEmpty
            }
            if isIdle { continuation.resume() }
        }
    }

    func query<Answer: Sendable>(_ question: @Sendable (WorkScheduler) -> Answer) -> Answer {
        state.withLock { question($0.scheduler) }
    }

    /// Changes the scheduler's state under the lock, and performs the resulting actions after releasing it.
    func apply(_ transition: @Sendable (inout WorkScheduler) -> [WorkScheduler.Action]) {
        let (actions, waiters, deadline) = state.withLock { state in
            let actions = transition(&state.scheduler)
            let waiters = state.scheduler.hasRoom ? state.takeAll(\.roomWaiters) : []
            return (actions, waiters, state.scheduler.nextDeadline)
        }
        if let deadline { timer.set(deadline) { [weak self] in self?.apply { $0.processDeadlines(now: .now) } } }
        for action in actions {
            switch action {
            case .start(let id): start(id)
            case .resume(let id): resume(id, nil)
            case .abandon(let id, let failure): resume(id, failure)
            case .drop(let id, let failure): drop(id, failure)
            case .cancel(let id): cancel(id, .internal)
            case .evict(let id, let failure): evict(id, failure)
            }
        }
        for waiter in waiters { waiter.resume() }
    }

    /// Applies a transition that takes an item's slot away, and waits for the next slot or the failure to end with.
    func suspend(
        _ id: ID, _ transition: @Sendable (inout WorkScheduler) -> [WorkScheduler.Action], then act: () -> Void = {}
    ) async -> Failure? {
        let resumed = OneShot<Failure?>()
        let token = state.withLock { state in
            state.jobs[id]?.resumed = resumed
            return state.jobs[id]?.token
        }
        apply(transition)
        act()
        // If the watchdog has ended the item, nothing would resume it.
        guard state.withLock({ $0.jobs[id] != nil }) else { return Failure(.internal, Self.stuckDetail) }
        // A cancellation before the transition found the item running, and did not affect the scheduler.
        if let cause = token?.cause { apply { $0.cancel(id, Failure(cause, ""), now: .now) } }
        return await resumed.value()
    }

    private func start(_ id: ID) {
        guard let job = state.withLock({ $0.jobs[id] }) else { return }
        Task(executorPreference: executor) {
            // An item that was cancelled after it left the queue never starts.
            if let cause = job.token.cause {
                job.dropped(Failure(cause, ""))
            } else {
                await job.work(Slot(pool: self, id: id, token: job.token))
            }
            if self.claimEnd(of: id) { self.release(id) }
        }
    }

    /// Returns `true` to the first caller, which must end the item.
    private func claimEnd(of id: ID) -> Bool {
        state.withLock { state in
            guard state.jobs[id]?.hasEnded == false else { return false }
            state.jobs[id]?.hasEnded = true
            return true
        }
    }

    /// Releases an item's slot, and removes the item.
    private func release(_ id: ID) {
        apply { $0.end(id, now: .now) }
        remove(id)
    }

    /// Ends an item in place of its work, unless the work has just finished.
    private func evict(_ id: ID, _ failure: Failure) {
        guard let job = state.withLock({ $0.jobs[id] }), claimEnd(of: id) else { return }
        job.dropped(failure)
        release(id)
    }

    private func resume(_ id: ID, _ failure: Failure?) {
        state.withLock { $0.jobs[id]?.resumed }?.set(failure)
    }

    private func drop(_ id: ID, _ failure: Failure) {
        guard let job = state.withLock({ $0.jobs[id] }) else { return }
        job.dropped(failure)
        remove(id)
    }

    /// Removes an item that has ended, and resumes the idle waiters after the last one.
    private func remove(_ id: ID) {
        // The job and the host's token are released after the lock: releasing a token takes other locks.
        let (job, host, waiters) = state.withLock { state in
            let job = state.jobs.removeValue(forKey: id)
            var host: CancellationToken?
            if let name = job?.host, let items = state.hosts[name]?.items {
                host = state.hosts[name]?.token
                state.hosts[name]?.items = items - 1
                if items == 1 { state.hosts[name] = nil }
            }
            return (job, host, state.jobs.isEmpty ? state.takeAll(\.idleWaiters) : [])
        }
        withExtendedLifetime((job, host)) {}
        for waiter in waiters { waiter.resume() }
    }
}

extension HostQueue.Rank {
    init(_ priority: WorkPool.Priority) {
        switch priority {
        case .low: self = .low
        case .normal: self = .normal
        case .high: self = .high
        }
    }
}

/// Runs asynchronous functions on a concurrent Dispatch queue.
///
/// Swift's default executor has one thread per core, so a blocking call would occupy a core. Dispatch starts further
/// threads when calls block on the disk.
private final class DispatchExecutor: TaskExecutor {
    private let queue: DispatchQueue

    init(label: String) {
        queue = DispatchQueue(label: label, attributes: .concurrent)
    }

    func enqueue(_ job: consuming ExecutorJob) {
        let job = UnownedJob(job)
        queue.async { unsafe job.runSynchronously(on: self.asUnownedTaskExecutor()) }
    }
}
