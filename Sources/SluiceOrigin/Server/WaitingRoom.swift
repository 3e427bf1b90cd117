// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceModel

/// The connections that wait for a time, for a gate or for good, without a thread.
///
/// Each suspended connection is resumed exactly once, always under the lock: by its timer or gate, because its client
/// went away, or because the server stops, which must not happen while one is suspended.
final class WaitingRoom: Sendable {
    /// What a connection waits for.
    enum Reason {
        case time(Duration)
        case gate(OriginGate)
        /// Nothing but the client's patience.
        case nothing
    }

    private struct Place {
        let connection: Connection
        let isForGood: Bool
    }

    private struct State {
        var isStopping = false
        var last = 0
        var places: [Int: Place] = [:]
        var isSweeping = false
    }

    private static let sweepInterval = DispatchTimeInterval.milliseconds(200)
    private let state = Locked(State())
    private let queue = DispatchQueue(label: "sluice.origin.waiting")

    /// Whether the server is stopping.
    var isClosed: Bool { state.withLock { $0.isStopping } }

    /// Suspends a connection, on its own thread, until the reason is over.
    ///
    /// - Returns: `false` if the server is stopping; then nothing was suspended.
    func wait(_ connection: Connection, for reason: Reason) -> Bool {
        let isForGood = if case .nothing = reason { true } else { false }
        let place = state.withLock { state -> Int? in
            guard !state.isStopping else { return nil }
            connection.suspend()
            state.last += 1
            state.places[state.last] = Place(connection: connection, isForGood: isForGood)
            return state.last
        }
        guard let place else { return false }
        switch reason {
        case .time(let duration): resume(place, after: duration)
        case .gate(let gate): gate.whenOpen { [weak self] in self?.resume(place) }
        case .nothing: startSweeping()
        }
        return true
    }

    /// Resumes all, and lets nobody wait any more.
    func close() {
        state.withLock { state in
            state.isStopping = true
            for place in state.places.values { place.connection.resume() }
            state.places = [:]
        }
    }

    private func resume(_ place: Int) {
        state.withLock { state in state.places.removeValue(forKey: place)?.connection.resume() }
    }

    private func resume(_ place: Int, after duration: Duration) {
        let timer = DispatchSource.makeTimerSource(flags: .strict, queue: queue)
        timer.schedule(deadline: .now() + duration.seconds, leeway: .nanoseconds(0))
        // The timer keeps itself until it fires, and the room is none of its business when that is gone.
        timer.setEventHandler { [weak self] in
            timer.cancel()
            self?.resume(place)
        }
        timer.activate()
    }

    /// Looks now and then whether the clients of those who wait for good are still there.
    ///
    /// A suspended connection is not polled by the server, and would keep its descriptor until the end.
    private func startSweeping() {
        let starts = state.withLock { state in
            defer { state.isSweeping = true }
            return !state.isSweeping
        }
        if starts { queue.asyncAfter(deadline: .now() + Self.sweepInterval) { [weak self] in self?.sweep() } }
    }

    private func sweep() {
        let goesOn = state.withLock { state in
            for (number, place) in state.places where place.isForGood && place.connection.isAbandoned {
                state.places[number] = nil
                place.connection.resume()
            }
            state.isSweeping = state.places.values.contains { $0.isForGood }
            return state.isSweeping
        }
        if goesOn { queue.asyncAfter(deadline: .now() + Self.sweepInterval) { [weak self] in self?.sweep() } }
    }
}
