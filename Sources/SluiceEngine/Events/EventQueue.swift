// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Buffers the events that a slow reader has not read yet, without growing beyond a limit for most of them.
///
/// Up to `capacity` events are kept unchanged. Beyond that, progress, starts, retries, notes, pauses and pages are
/// dropped, and the end of an item is reduced to its sequence number, feed, page, ID, state and cause. The ledger and
/// the manifest have the rest. The ends of items, failed pages, stops, and the start and end of the run are never
/// dropped.
struct EventQueue {
    private let capacity: Int
    /// The events; `nil` for those that were read.
    private var events: [Event?] = []
    /// The index of the first unread event.
    private var head = 0

    init(capacity: Int = 4096) { self.capacity = capacity }

    var count: Int { events.count - head }

    /// Appends an event, in reduced form or not at all if the queue is full.
    mutating func append(_ event: Event) {
        guard count >= capacity else { return events.append(event) }
        switch event {
        case .itemEnded(let item, let end): events.append(.itemEnded(item.reduced, end.reduced))
        case .pageFailed, .photosRemoved, .stopping, .runFinished, .runStarted: events.append(event)
        case .pageRequested, .pageLoaded, .sourceRead, .itemStarted, .itemRetried, .itemProgressed, .itemNoted,
            .hostPaused, .hostGivenUp, .concurrencyChanged, .fileFound, .note:
            break
        }
    }

    /// Removes and returns the first unread event.
    mutating func popFirst() -> Event? {
        guard head < events.count else { return nil }
        let event = events[head].take()
        head += 1
        if head >= capacity || head == events.count {
            events.removeFirst(head)
            head = 0
        }
        return event
    }
}

extension Item {
    /// The item without the photo's metadata.
    fileprivate var reduced: Item { Item(seq: seq, feed: feed, page: page, photo: Photo(id: photo.id)) }
}

extension ItemOutcome {
    /// The end with only the receipt's state and cause.
    fileprivate var reduced: ItemOutcome {
        let receipt = Receipt(receipt.state, failure: receipt.failure.map { Failure($0.cause, "") })
        return switch self {
        case .done: .done(receipt)
        case .kept: .kept(receipt)
        case .skipped: .skipped(receipt)
        case .failed: .failed(receipt)
        }
    }
}
