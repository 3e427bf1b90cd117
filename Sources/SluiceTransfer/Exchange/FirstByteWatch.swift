// SPDX-License-Identifier: MIT

/// Which exchanges have waited too long for the first byte of a reply; pure, and cheap however many there are.
///
/// libcurl has no deadline of this kind. All have the same patience, so the line of those who began is also the line of
/// those whose time is over.
struct FirstByteWatch {
    private var line: [(id: Exchange.ID, deadline: ContinuousClock.Instant)] = []
    private var head = 0

    mutating func add(_ id: Exchange.ID, deadline: ContinuousClock.Instant) {
        line.append((id, deadline))
    }

    /// Takes out those whose time is over; `isWaiting` tells who still waits.
    mutating func expired(now: ContinuousClock.Instant, where isWaiting: (Exchange.ID) -> Bool) -> [Exchange.ID] {
        var expired: [Exchange.ID] = []
        while head < line.count {
            let (id, deadline) = line[head]
            let waits = isWaiting(id)
            guard !waits || deadline <= now else { break }
            if waits { expired.append(id) }
            head += 1
        }
        if head > 1024, head * 2 > line.count {
            line.removeFirst(head)
            head = 0
        }
        return expired
    }

    /// When somebody's time may be over next.
    var next: ContinuousClock.Instant? { head < line.count ? line[head].deadline : nil }
}
