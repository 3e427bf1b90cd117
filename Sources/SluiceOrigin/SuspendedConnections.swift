// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceModel

/// The connections that are suspended until a condition holds, without occupying a thread.
///
/// Each suspended connection is resumed exactly once, always under the lock: by its timer, by its gate, because the
/// client disconnected, or because the server stops. The server must not stop while a connection is suspended.
final class SuspendedConnections: Sendable {
    /// The event that resumes a connection.
    enum Condition {
        case elapsed(Duration)
        case opened(OriginGate)
        /// The client closes the connection.
        case disconnected
    }

    private struct Entry {
        let connection: ClientConnection
        let awaitsDisconnect: Bool
    }

    private struct State {
        var isClosed = false
        var lastID = 0
        var entries: [Int: Entry] = [:]
        var isPolling = false
    }

    private static let pollInterval = DispatchTimeInterval.milliseconds(200)
    private let state = Locked(State())
    private let queue = DispatchQueue(label: "sluice.origin.waiting")

    /// Whether the server is stopping.
    var isClosed: Bool { state.withLock { $0.isClosed } }

    /// Suspends a connection until the condition holds; called on the connection's thread.
    ///
    /// - Returns: `false` if the server is stopping; then the connection is not suspended.
    func suspend(_ connection: ClientConnection, until condition: Condition) -> Bool {
        let awaitsDisconnect = if case .disconnected = condition { true } else { false }
        let id = state.withLock { state -> Int? in
            guard !state.isClosed else { return nil }
            connection.suspend()
            state.lastID += 1
            state.entries[state.lastID] = Entry(connection: connection, awaitsDisconnect: awaitsDisconnect)
            return state.lastID
        }
        guard let id else { return false }
        switch condition {
        case .elapsed(let duration): resume(id, after: duration)
        case .opened(let gate): gate.whenOpen { [weak self] in self?.resume(id) }
        case .disconnected: startPolling()
        }
        return true
    }

    /// Resumes all connections and refuses new ones.
    func close() {
        state.withLock { state in
            state.isClosed = true
            for entry in state.entries.values { entry.connection.resume() }
            state.entries = [:]
        }
    }

    /// Resumes a connection that was shut down, if it is suspended.
    func resume(_ connection: ClientConnection) {
        state.withLock { state in
            guard let id = state.entries.first(where: { $0.value.connection.id == connection.id })?.key else { return }
            state.entries.removeValue(forKey: id)?.connection.resume()
        }
    }

    private func resume(_ id: Int) {
        state.withLock { state in state.entries.removeValue(forKey: id)?.connection.resume() }
    }

    private func resume(_ id: Int, after duration: Duration) {
        let timer = DispatchSource.makeTimerSource(flags: .strict, queue: queue)
        timer.schedule(deadline: .now() + duration.seconds, leeway: .nanoseconds(0))
        // The handler retains the timer until it fires; `self` may be released earlier.
        timer.setEventHandler { [weak self] in
            timer.cancel()
            self?.resume(id)
        }
        timer.activate()
    }

    /// Starts to check periodically which clients have disconnected.
    ///
    /// The server does not poll a suspended connection, so its descriptor would stay open until the server stops.
    private func startPolling() {
        let starts = state.withLock { state in
            defer { state.isPolling = true }
            return !state.isPolling
        }
        if starts { queue.asyncAfter(deadline: .now() + Self.pollInterval) { [weak self] in self?.poll() } }
    }

    private func poll() {
        let continues = state.withLock { state in
            for (id, entry) in state.entries where entry.awaitsDisconnect && entry.connection.isAbandoned {
                state.entries[id] = nil
                entry.connection.resume()
            }
            state.isPolling = state.entries.values.contains { $0.awaitsDisconnect }
            return state.isPolling
        }
        if continues { queue.asyncAfter(deadline: .now() + Self.pollInterval) { [weak self] in self?.poll() } }
    }
}
