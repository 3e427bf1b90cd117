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
        var idle: [DecodeLane]
        var waiting: [(id: Int, job: Job)] = []
        var lastID = 0
    }

    private let lanes: [DecodeLane]
    private let state: Locked<State>

    init(_ decoders: [any ThumbnailMaking]) {
        lanes = decoders.enumerated().map { DecodeLane(number: $0, decoder: $1) }
        state = Locked(State(idle: lanes))
    }

    /// The process IDs of the running decode workers.
    var workers: [Int32] { lanes.compactMap(\.decoder.processID) }

    /// Gives a job to an idle lane, or to the first one that becomes free; returns the job's ID.
    func add(_ job: @escaping Job) -> Int {
        let (id, lane) = state.withLock { state in
            state.lastID += 1
            let lane = state.idle.popLast()
            if lane == nil { state.waiting.append((state.lastID, job)) }
            return (state.lastID, lane)
        }
        if let lane { lane.queue.async { self.work(lane, job) } }
        return id
    }

    /// Gives a job to an idle lane; returns `false` if there is none.
    func addIfIdle(_ job: @escaping Job) -> Bool {
        guard let lane = state.withLock({ $0.idle.popLast() }) else { return false }
        lane.queue.async { self.work(lane, job) }
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
            let next = state.withLock { state -> Job? in
                guard state.waiting.isEmpty else { return state.waiting.removeFirst().job }
                state.idle.append(lane)
                return nil
            }
            guard let next else { return }
            job = next
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
