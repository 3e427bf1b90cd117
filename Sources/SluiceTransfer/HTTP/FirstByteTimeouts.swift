// SPDX-License-Identifier: MIT

/// Tracks which exchanges have waited too long for the first byte of a response.
///
/// libcurl has no such timeout. All exchanges have the same one, so deadlines are a queue and each call takes constant
/// time on average. It reads no clock.
struct FirstByteTimeouts {
    private var queue: [(id: HTTPExchange.ID, deadline: ContinuousClock.Instant)] = []
    private var head = 0

    mutating func add(_ id: HTTPExchange.ID, deadline: ContinuousClock.Instant) {
        queue.append((id, deadline))
    }

    /// Removes and returns the exchanges whose deadline has passed; `isWaiting` is whether one has no response yet.
    mutating func takeExpired(
        now: ContinuousClock.Instant, where isWaiting: (HTTPExchange.ID) -> Bool
    ) -> [HTTPExchange.ID] {
        var expired: [HTTPExchange.ID] = []
        while head < queue.count {
            let (id, deadline) = queue[head]
            let waits = isWaiting(id)
            guard !waits || deadline <= now else { break }
            if waits { expired.append(id) }
            head += 1
        }
        if head > 1024, head * 2 > queue.count {
            queue.removeFirst(head)
            head = 0
        }
        return expired
    }

    var nextDeadline: ContinuousClock.Instant? { head < queue.count ? queue[head].deadline : nil }
}
