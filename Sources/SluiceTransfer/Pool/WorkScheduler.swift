// SPDX-License-Identifier: MIT

/// Decides what the work pool does next: a pure state machine without threads, clocks or I/O.
///
/// Each item waits in its host's line, runs, and ends. Hosts with a free slot take turns, so that a slow host with a
/// long line never holds up the others.
struct WorkScheduler {
    typealias ID = Int

    /// What the pool must do now, outside its lock and in this order.
    enum Action: Hashable {
        /// The item has its slot.
        case start(ID)
        /// The item was cancelled while it waited; it never starts.
        case drop(ID)
    }

    private enum State {
        case waiting(host: String)
        case running(host: String?)
    }

    private let width: Int
    private let perHost: Int
    private let backlog: Int
    private var states: [ID: State] = [:]
    private var lines: [String: Line] = [:]
    /// Hosts with somebody in line and a free slot, in the order of their turns.
    private var turns: [String] = []
    private(set) var running = 0
    private(set) var waiting = 0

    private struct Line {
        var ids: [ID] = []
        var running = 0
    }

    /// - Parameters:
    ///   - width: How many items run at a time.
    ///   - perHost: How many of them may hold a slot of one host.
    ///   - backlog: How many may wait before the pool has no room.
    init(width: Int, perHost: Int, backlog: Int) {
        precondition(width > 0 && perHost > 0 && backlog > 0, "a pool has at least one slot")
        (self.width, self.perHost, self.backlog) = (width, perHost, backlog)
    }

    /// Whether another item may be added without the backlog growing past its bound.
    var hasRoom: Bool { waiting < backlog }

    /// Puts an item at the end of its host's line.
    mutating func add(_ id: ID, host: String) -> [Action] {
        precondition(states[id] == nil, "item \(id) was added twice")
        states[id] = .waiting(host: host)
        waiting += 1
        lines[host, default: Line()].ids.append(id)
        takeTurn(host)
        return start()
    }

    /// Gives the host's slot back while the item runs on: its transfer is over, its decode is not.
    mutating func leaveHost(_ id: ID) -> [Action] {
        guard case .running(let host?) = states[id] else { return [] }
        states[id] = .running(host: nil)
        freeHost(host)
        return start()
    }

    /// Ends a running item.
    mutating func end(_ id: ID) -> [Action] {
        guard case .running(let host) = states.removeValue(forKey: id) else {
            preconditionFailure("item \(id) ended without running")
        }
        running -= 1
        if let host { freeHost(host) }
        return start()
    }

    /// Takes a waiting item out of its line; a running one ends by its token, and is left alone here.
    mutating func cancel(_ id: ID) -> [Action] {
        guard case .waiting(let host) = states[id] else { return [] }
        states[id] = nil
        waiting -= 1
        lines[host]?.ids.removeAll { $0 == id }
        forgetIfEmpty(host)
        return [.drop(id)]
    }

    private mutating func start() -> [Action] {
        var actions: [Action] = []
        while running < width, !turns.isEmpty {
            let host = turns.removeFirst()
            guard var line = lines[host], let id = line.ids.first else { preconditionFailure("an empty line's turn") }
            line.ids.removeFirst()
            line.running += 1
            lines[host] = line
            states[id] = .running(host: host)
            running += 1
            waiting -= 1
            takeTurn(host)
            actions.append(.start(id))
        }
        precondition(running <= width, "the width was passed")
        return actions
    }

    /// Gives the host a turn, if it can use one and does not wait for one already.
    private mutating func takeTurn(_ host: String) {
        guard let line = lines[host], !line.ids.isEmpty, line.running < perHost, !turns.contains(host) else { return }
        turns.append(host)
    }

    private mutating func freeHost(_ host: String) {
        lines[host]?.running -= 1
        takeTurn(host)
        forgetIfEmpty(host)
    }

    /// A host that nobody waits for and nobody uses costs nothing, however many there were.
    private mutating func forgetIfEmpty(_ host: String) {
        guard let line = lines[host], line.ids.isEmpty else { return }
        turns.removeAll { $0 == host }
        if line.running == 0 { lines[host] = nil }
    }
}
