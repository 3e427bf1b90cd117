// SPDX-License-Identifier: MIT

/// Decides which connections a server closes, so that clients that send or read nothing, or very little, do not keep
/// others out.
///
/// A connection waits from its start, or from the end of its last reply, until its next request is complete. Waiting
/// connections are closed first to make room, and then the one whose reply made no progress for the longest time.
/// This is a pure value; ``ConnectionGuard`` acts on its decisions.
struct ConnectionTable {
    typealias ID = UInt
    /// Identifies a client's network: an IPv4 address, or the first half of an IPv6 address.
    typealias Network = UInt64
    typealias Instant = ContinuousClock.Instant

    private struct Connection {
        let network: Network
        let number: Int
        /// Since when it waits for a request; `nil` while a request is answered.
        var waitsSince: Instant?
        /// When the client last took a part of the reply.
        var progress: Instant
        /// Whether the reply has no end.
        var isStream = false
    }

    /// The time that a connection may wait for a complete request.
    let requestTime: Duration
    /// The maximum number of connections of a network.
    let perNetwork: Int
    /// The maximum number of connections.
    let total: Int

    private var connections: [ID: Connection] = [:]
    private var lastNumber = 0

    init(requestTime: Duration, perNetwork: Int, total: Int) {
        (self.requestTime, self.perNetwork, self.total) = (requestTime, perNetwork, total)
    }

    var count: Int { connections.count }

    /// Whether any connection waits for a request.
    var hasWaiting: Bool { connections.values.contains { $0.waitsSince != nil } }

    /// Adds a connection, and returns the one that must be closed to keep the limits.
    mutating func add(_ id: ID, from network: Network, now: Instant) -> ID? {
        lastNumber += 1
        connections[id] = Connection(network: network, number: lastNumber, waitsSince: now, progress: now)
        let isCrowded = connections.values.count { $0.network == network } > perNetwork
        guard isCrowded || count > total else { return nil }
        let crowded = isCrowded ? network : largestNetwork
        let others = connections.filter { $0.value.network == crowded && $0.key != id }
        let waiting = others.filter { $0.value.waitsSince != nil }
        let closed =
            waiting.min { $0.value.number < $1.value.number }?.key
            ?? others.min { ($0.value.progress, $0.value.number) < ($1.value.progress, $1.value.number) }?.key ?? id
        connections[closed] = nil
        return closed
    }

    /// Records that a complete request has arrived.
    mutating func receiveRequest(_ id: ID, now: Instant) {
        connections[id]?.waitsSince = nil
        recordProgress(id, now: now)
    }

    /// Records that the client has taken a part of the reply.
    mutating func recordProgress(_ id: ID, now: Instant) { connections[id]?.progress = now }

    /// Records that a reply without an end begins, and returns the network's oldest one if there are too many.
    mutating func beginStream(_ id: ID) -> ID? {
        guard let network = connections[id]?.network else { return nil }
        connections[id]?.isStream = true
        let streams = connections.filter { $0.value.network == network && $0.value.isStream }
        guard streams.count > max(1, perNetwork / 4) else { return nil }
        let oldest = streams.min { $0.value.number < $1.value.number }?.key
        if let oldest { connections[oldest] = nil }
        return oldest
    }

    /// Records that a reply has ended, so that the connection waits for its next request.
    mutating func finishReply(_ id: ID, now: Instant) {
        connections[id]?.waitsSince = now
        connections[id]?.isStream = false
    }

    /// Removes a connection that has ended.
    mutating func remove(_ id: ID) { connections[id] = nil }

    /// Removes and returns the connections that have waited for too long.
    mutating func removeOverdue(now: Instant) -> [ID] {
        let overdue = connections.filter { $0.value.waitsSince.map { $0 + requestTime <= now } ?? false }
        for id in overdue.keys { connections[id] = nil }
        return overdue.sorted { $0.value.number < $1.value.number }.map(\.key)
    }

    /// The network with the most connections.
    private var largestNetwork: Network? {
        let counts = [Network: Int](connections.values.map { ($0.network, 1) }, uniquingKeysWith: +)
        return counts.max { ($0.value, $0.key) < ($1.value, $1.key) }?.key
    }
}
