// SPDX-License-Identifier: MIT

internal import Dispatch
internal import SluiceModel

/// Closes connections that a ``ConnectionTable`` excludes: those that wait for too long, and the oldest when there are
/// too many.
final class ConnectionGuard: Sendable {
    private struct State {
        var table: ConnectionTable
        var open: [ConnectionTable.ID: ClientConnection] = [:]
        var isChecking = false
    }

    private let interval: DispatchTimeInterval
    private let state: Locked<State>
    private let queue = DispatchQueue(label: "sluice.origin.guard")

    init(_ table: ConnectionTable) {
        interval = .milliseconds(max(10, min(1000, Int(table.requestTime / .milliseconds(10)))))
        state = Locked(State(table: table))
    }

    // The server calls these on its threads. A socket stays open until `didDisconnect` returns, so it is shut down
    // under the lock; that does not block.

    func didConnect(_ connection: ClientConnection) {
        state.withLock { state in
            state.open[connection.id] = connection
            let closed = state.table.add(connection.id, from: connection.network, now: .now)
            if let closed { state.open[closed]?.shutDown() }
        }
        startChecking()
    }

    func didReceiveRequest(on connection: ClientConnection) {
        state.withLock { $0.table.receiveRequest(connection.id) }
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
            for id in state.table.removeOverdue(now: .now) { state.open[id]?.shutDown() }
            state.isChecking = state.table.hasWaiting
            return state.isChecking
        }
        if continues { scheduleCheck() }
    }
}
