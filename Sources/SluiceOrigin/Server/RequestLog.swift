// SPDX-License-Identifier: MIT

/// What an origin has counted since its start.
public struct OriginStatistics: Sendable, Hashable {
    /// Connections that were accepted.
    public var connections = 0
    /// Connections that are open now.
    public var openConnections = 0
    /// Requests that arrived.
    public var requests = 0
    /// Requests that are being answered now, or wait.
    public var openRequests = 0
    /// The most requests that were open at once.
    public var peakRequests = 0
    /// Requests that got a fault.
    public var faults = 0
    /// Bytes of bodies that were handed to the network.
    public var bodyBytes = 0
}

/// The counts, and the last requests in a ring.
struct RequestLog {
    private(set) var statistics = OriginStatistics()
    private var ring: [OriginRequest] = []
    private var oldest = 0
    private let limit: Int

    init(limit: Int) { self.limit = max(0, limit) }

    /// The last requests, the oldest first.
    var requests: [OriginRequest] { Array(ring[oldest...] + ring[..<oldest]) }

    mutating func connected() {
        statistics.connections += 1
        statistics.openConnections += 1
    }

    mutating func disconnected() { statistics.openConnections -= 1 }

    mutating func began() {
        statistics.openRequests += 1
        statistics.peakRequests = max(statistics.peakRequests, statistics.openRequests)
    }

    mutating func arrived(_ request: OriginRequest) {
        statistics.requests += 1
        if ring.count < limit {
            ring.append(request)
        } else if limit > 0 {
            ring[oldest] = request
            oldest = (oldest + 1) % limit
        }
    }

    mutating func gotFault() { statistics.faults += 1 }

    mutating func ended(bodyBytes: Int) {
        statistics.openRequests -= 1
        statistics.bodyBytes += bodyBytes
    }
}
