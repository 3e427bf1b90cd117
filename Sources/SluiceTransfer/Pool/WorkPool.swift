// SPDX-License-Identifier: MIT

internal import Dispatch
public import SluiceModel

/// A bounded pool of items in flight: a slot for each, fair between hosts, every item ended exactly once.
///
/// An item's work is an asynchronous function that runs on Dispatch queues: while it waits for the network it holds its
/// slot and no thread. (Threads would bound the width: libdispatch starts no more than 255 that block.) Which item is
/// next is ``WorkScheduler``'s decision.
public final class WorkPool: Sendable {
    /// An item's work; it must look at its token, and may give its host's slot back early.
    public typealias Work = @Sendable (Slot) async -> Void
    /// Told instead of the work, if the item is cancelled before it got its slot.
    public typealias Dropped = @Sendable (Cause) -> Void

    private struct Job {
        var token: Token
        var work: Work
        var dropped: Dropped
        var handler: Token.Handler?
    }

    private struct State {
        var scheduler: WorkScheduler
        var jobs: [Int: Job] = [:]
        var lastID = 0
        var forRoom: [CheckedContinuation<Void, Never>] = []
        var forIdle: [CheckedContinuation<Void, Never>] = []

        mutating func takeAll(
            _ waiters: WritableKeyPath<State, [CheckedContinuation<Void, Never>]>
        ) -> [CheckedContinuation<Void, Never>] {
            defer { self[keyPath: waiters] = [] }
            return self[keyPath: waiters]
        }
    }

    private let state: Locked<State>
    private let executor = DispatchExecutor(label: "sluice.items")

    /// Makes a pool.
    ///
    /// - Parameters:
    ///   - width: How many items are in flight at a time.
    ///   - perHost: How many of them may hold a slot of one host.
    ///   - backlog: How many may wait; ``room()`` then lets nobody pass.
    public init(width: Int, perHost: Int, backlog: Int) {
        state = Locked(State(scheduler: WorkScheduler(width: width, perHost: perHost, backlog: backlog)))
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

    /// Puts an item in line; either `work` runs, or `dropped` is called, once.
    public func submit(host: String, token: Token, work: @escaping Work, dropped: @escaping Dropped) {
        let id = state.withLock { state in
            state.lastID += 1
            state.jobs[state.lastID] = Job(token: token, work: work, dropped: dropped)
            return state.lastID
        }
        decide { $0.add(id, host: host) }
        let handler = token.onCancel { [weak self] _ in self?.decide { $0.cancel(id) } }
        // An item that has ended by now needs none; its handler goes here.
        state.withLock { $0.jobs[id]?.handler = handler }
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

    /// A running item's place in the pool.
    public struct Slot: Sendable {
        fileprivate let pool: WorkPool
        fileprivate let id: Int

        /// Gives the host's slot back: the transfer is over, and another of that host may begin.
        public func leaveHost() {
            let id = id
            pool.decide { $0.leaveHost(id) }
        }
    }

    /// Lets the scheduler decide under the lock, and acts outside it.
    fileprivate func decide(_ transition: @Sendable (inout WorkScheduler) -> [WorkScheduler.Action]) {
        let (actions, waiters) = state.withLock { state in
            let actions = transition(&state.scheduler)
            return (actions, state.scheduler.hasRoom ? state.takeAll(\.forRoom) : [])
        }
        for action in actions {
            switch action {
            case .start(let id): start(id)
            case .drop(let id): drop(id)
            }
        }
        for waiter in waiters { waiter.resume() }
    }

    private func start(_ id: Int) {
        guard let job = state.withLock({ $0.jobs[id] }) else { return }
        Task(executorPreference: executor) {
            // Cancelled between its place in line and its slot: it never starts.
            if let cause = job.token.cause {
                job.dropped(cause)
            } else {
                await job.work(Slot(pool: self, id: id))
            }
            self.decide { $0.end(id) }
            self.forget(id)
        }
    }

    private func drop(_ id: Int) {
        guard let job = state.withLock({ $0.jobs[id] }) else { return }
        job.dropped(job.token.cause ?? .cancelled)
        forget(id)
    }

    /// Lets go of an item that has ended, and of whoever waits for the last one.
    private func forget(_ id: Int) {
        // The job is let go outside the lock: what it holds may hold tokens.
        let (job, waiters) = state.withLock { state in
            let job = state.jobs.removeValue(forKey: id)
            return (job, state.jobs.isEmpty ? state.takeAll(\.forIdle) : [])
        }
        withExtendedLifetime(job) {}
        for waiter in waiters { waiter.resume() }
    }
}
