// SPDX-License-Identifier: MIT

internal import SluiceModel

/// What a reader of events has not had yet: a pure value, bounded so that a slow reader costs little and slows nobody.
///
/// The rule. As many events as there is room for wait as they are. Beyond that progress, starts, retries, notes, pauses and
/// pages are dropped, and an end is kept without what the mirror's ledger and manifest tell of it: the item has its place,
/// feed, page and id, and the receipt its state and cause. No end is lost, nor a page's failure, nor how the run was stopped
/// and finished.
struct EventQueue {
    /// How many events wait as they are.
    private let room: Int
    private var waiting: [Event] = []
    /// The first that was not taken yet.
    private var first = 0

    init(room: Int = 4096) { self.room = room }

    /// How many wait.
    var count: Int { waiting.count - first }

    /// Puts an event behind the others.
    mutating func add(_ event: Event) {
        guard count >= room else { return waiting.append(event) }
        switch event {
        case .itemEnded(let item, let end): waiting.append(.itemEnded(item.thinned, end.thinned))
        case .pageFailed, .stopping, .runFinished, .runStarted: waiting.append(event)
        case .pageRequested, .pageLoaded, .itemStarted, .itemRetried, .itemProgressed, .itemNoted, .hostPaused,
            .hostGivenUp, .widthChanged, .fileFound, .note:
            break
        }
    }

    /// Takes the first.
    mutating func next() -> Event? {
        guard first < waiting.count else { return nil }
        let event = waiting[first]
        first += 1
        if first >= room || first == waiting.count {
            waiting.removeFirst(first)
            first = 0
        }
        return event
    }
}

extension Item {
    /// The item without what a feed said of its photo.
    fileprivate var thinned: Item { Item(seq: seq, feed: feed, page: page, photo: Photo(id: photo.id)) }
}

extension End {
    /// The end with nothing but the receipt's state and cause.
    fileprivate var thinned: End {
        let receipt = Receipt(receipt.state, failure: receipt.failure.map { Failure($0.cause, "") })
        return switch self {
        case .done: .done(receipt)
        case .kept: .kept(receipt)
        case .skipped: .skipped(receipt)
        case .failed: .failed(receipt)
        }
    }
}
