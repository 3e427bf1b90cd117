// SPDX-License-Identifier: MIT

/// Counters of an origin server since its start.
package struct OriginStatistics: Sendable, Hashable {
    package var connections = 0
    /// Connections that are open now.
    package var openConnections = 0
    /// The highest number of concurrently open connections.
    package var peakConnections = 0
    package var requests = 0
    /// Requests that are being answered or are waiting.
    package var openRequests = 0
    /// The highest number of concurrently open requests.
    package var peakRequests = 0
    /// Requests that got a fault.
    package var faults = 0
    /// Body bytes that were handed to the network.
    package var bodyBytes = 0
}

/// The counters, and a ring buffer of the most recent requests.
struct RequestLog {
    private(set) var statistics = OriginStatistics()
    private var ring: [OriginRequest] = []
    private var oldest = 0
    private let limit: Int

    init(limit: Int) { self.limit = max(0, limit) }

    /// The most recent requests, oldest first.
    var requests: [OriginRequest] { Array(ring[oldest...] + ring[..<oldest]) }

    mutating func didConnect() {
        statistics.connections += 1
        statistics.openConnections += 1
        statistics.peakConnections = max(statistics.peakConnections, statistics.openConnections)
    }

    mutating func didDisconnect() { statistics.openConnections -= 1 }

    mutating func didBegin() {
        statistics.openRequests += 1
        statistics.peakRequests = max(statistics.peakRequests, statistics.openRequests)
    }

    mutating func didReceive(_ request: OriginRequest) {
        statistics.requests += 1
        if ring.count < limit {
            ring.append(request)
        } else if limit > 0 {
            ring[oldest] = request
            oldest = (oldest + 1) % limit
        }
    }

    mutating func didFault() { statistics.faults += 1 }

    mutating func didEnd(bodyBytes: Int) {
        statistics.openRequests -= 1
        statistics.bodyBytes += bodyBytes
    }
}
