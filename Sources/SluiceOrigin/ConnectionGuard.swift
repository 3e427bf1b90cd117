// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceModel

/// Closes connections that a ``ConnectionTable`` excludes: those that wait for too long, and the slowest when there
/// are too many.
final class ConnectionGuard: Sendable {
    private struct State {
        var table: ConnectionTable
        var open: [ConnectionTable.ID: ClientConnection] = [:]
        var isChecking = false
    }

    private let interval: DispatchTimeInterval
    private let state: Locked<State>
    private let suspended: SuspendedConnections
    private let queue = DispatchQueue(label: "sluice.origin.guard")

    init(_ table: ConnectionTable, _ suspended: SuspendedConnections) {
        self.suspended = suspended
        interval = .milliseconds(max(10, min(1000, Int(table.requestTime / .milliseconds(10)))))
        state = Locked(State(table: table))
    }

    // The server calls these on its threads. A socket stays open until `didDisconnect` returns, so it is shut down
    // under the lock; that does not block.

    func didConnect(_ connection: ClientConnection) {
        state.withLock { state in
            state.open[connection.id] = connection
            let closed = state.table.add(connection.id, from: connection.network, now: .now)
            shutDown(closed, in: state)
        }
        startChecking()
    }

    func didReceiveRequest(on connection: ClientConnection) {
        state.withLock { $0.table.receiveRequest(connection.id, now: .now) }
    }

    func didTakeBytes(_ connection: ClientConnection) {
        state.withLock { $0.table.recordProgress(connection.id, now: .now) }
    }

    func didBeginStream(on connection: ClientConnection) {
        state.withLock { shutDown($0.table.beginStream(connection.id), in: $0) }
    }

    func didFinishReply(on connection: ClientConnection) {
        state.withLock { $0.table.finishReply(connection.id, now: .now) }
        startChecking()
    }

    func didDisconnect(_ connection: ClientConnection) {
        state.withLock { state in
            state.table.remove(connection.id)
            state.open[connection.id] = nil
        }
    }

    private func shutDown(_ id: ConnectionTable.ID?, in state: State) {
        guard let connection = id.flatMap({ state.open[$0] }) else { return }
        connection.shutDown()
        // The server does not see the end of a connection that it does not poll.
        suspended.resume(connection)
    }

    private func startChecking() {
        let starts = state.withLock { state in
            defer { state.isChecking = true }
            return !state.isChecking
        }
        if starts { scheduleCheck() }
    }

    private func scheduleCheck() {
        queue.asyncAfter(deadline: .now() + interval) { [weak self] in self?.check() }
    }

    private func check() {
        let continues = state.withLock { state in
            for id in state.table.removeOverdue(now: .now) { shutDown(id, in: state) }
            state.isChecking = state.table.hasWaiting
            return state.isChecking
        }
        if continues { scheduleCheck() }
    }
}
