// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceModel

/// The decoders, each with its own thread, and the jobs that wait for one.
///
/// A lane takes its next job itself when it has finished one, so it never waits for other threads while jobs wait.
final class DecodeLanes: Sendable {
    /// Runs on a lane's thread, with its decoder.
    typealias Job = @Sendable (any ThumbnailMaking) -> Void

    private struct State {
        /// The idle lanes, and since when they are; `nil` before their first job.
        var idle: [(lane: DecodeLane, since: ContinuousClock.Instant?)]
        var waiting: [(id: Int, job: Job)] = []
        var lastID = 0
    }

    private let lanes: [DecodeLane]
    /// How long a lane is idle before it helps another one: longer than it takes to read and hash the next picture.
    private let rest: Duration
    private let state: Locked<State>

    init(_ decoders: [any ThumbnailMaking], rest: Duration = .milliseconds(5)) {
        self.rest = rest
        lanes = decoders.enumerated().map { DecodeLane(number: $0, decoder: $1) }
        state = Locked(State(idle: lanes.map { ($0, nil) }))
    }

    /// The process IDs of the running decode workers.
    var workers: [Int32] { lanes.compactMap(\.decoder.processID) }

    /// Gives a job to an idle lane, or to the first one that becomes free; returns the job's ID.
    func add(_ job: @escaping Job) -> Int {
        let (id, lane) = state.withLock { state in
            state.lastID += 1
            let lane = state.idle.popLast()?.lane
            if lane == nil { state.waiting.append((state.lastID, job)) }
            return (state.lastID, lane)
        }
        if let lane { lane.queue.async { self.work(lane, job) } }
        return id
    }

    /// Gives a job to a lane that has been idle for some time; returns `false` if there is none.
    ///
    /// In a run with many pictures, a lane is idle for moments in which their hashes keep its core busy.
    func addIfIdle(_ job: @escaping Job) -> Bool {
        let now = ContinuousClock.now
        let idle = state.withLock { state -> (lane: DecodeLane, since: ContinuousClock.Instant?)? in
            let index = state.idle.firstIndex { idle in idle.since.map { now - $0 >= rest } ?? true }
            return index.map { state.idle.remove(at: $0) }
        }
        guard let (lane, since) = idle else { return false }
        lane.queue.async {
            job(lane.decoder)
            if let next = self.next(for: lane, idleSince: since) { self.work(lane, next) }
        }
        return true
    }

    /// Removes a job; returns `false` if a lane has taken it.
    func remove(_ id: Int) -> Bool {
        state.withLock { state in
            guard let index = state.waiting.firstIndex(where: { $0.id == id }) else { return false }
            state.waiting.remove(at: index)
            return true
        }
    }

    private func work(_ lane: DecodeLane, _ first: Job) {
        var job = first
        while true {
            job(lane.decoder)
            guard let next = next(for: lane, idleSince: .now) else { return }
            job = next
        }
    }

    /// Returns the next job for a lane; `nil` makes it idle.
    private func next(for lane: DecodeLane, idleSince since: ContinuousClock.Instant?) -> Job? {
        state.withLock { state in
            guard state.waiting.isEmpty else { return state.waiting.removeFirst().job }
            state.idle.append((lane, since))
            return nil
        }
    }
}

/// A decoder, and the queue whose thread it may block.
private struct DecodeLane: Sendable {
    let queue: DispatchQueue
    let decoder: any ThumbnailMaking

    init(number: Int, decoder: any ThumbnailMaking) {
        queue = DispatchQueue(label: "sluice.decode.\(number)")
        self.decoder = decoder
    }
}
