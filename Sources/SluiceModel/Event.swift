// SPDX-License-Identifier: MIT

/// What happens in a run, told in the past tense.
///
/// The order is fixed: ``runStarted(_:)`` comes first and ``runFinished(_:)`` last, each once. A page's
/// ``pageLoaded(number:photos:total:)`` comes before its items' first event. ``itemEnded(_:_:)``
/// comes exactly once for each item that was taken from a page, and is its last; ``itemStarted(_:)`` comes first, for an
/// item that got a slot (one that is kept at a glance, or cancelled while it waits, gets none). Items of one page come in no promised
/// order among themselves. Events arrive one at a time.
public enum Event: Sendable, Hashable {
    /// The mirror is open and the lock is held.
    case runStarted(RunStart)
    /// A page was asked of the feed.
    case pageRequested(number: Int)
    /// A page arrived; `total` is what the feed says it has in all.
    case pageLoaded(number: Int, photos: Int, total: Int?)
    /// A page could not be had; the walk ends here.
    case pageFailed(number: Int, Failure)
    /// A file of the folder that is adopted was held against the photos; all are told of before the first item starts.
    case fileFound(FoundFile)
    /// An item got its slot.
    case itemStarted(Item)
    /// An attempt failed and another follows after `delay`; `attempt` counts from 1.
    case itemRetried(Item, attempt: Int, Failure, delay: Duration)
    /// So many bytes of the item's file have arrived, of so many if that is known; told four times a second at most.
    case itemProgressed(Item, bytes: Int, total: Int?)
    /// The item's file is odd, or its thumbnail is not all that was wished for; neither does harm.
    case itemNoted(Item, String)
    /// The item's one end, told once its files and its receipt are safe.
    ///
    /// It is handed from hand to hand, and all that is known of a photo is much to copy.
    indirect case itemEnded(Item, End)
    /// A host asked to be left alone, or only failed: nobody asks it for so long.
    case hostPaused(String, Duration, Failure)
    /// A host had its trials and failed them: nobody asks it again in this run.
    case hostGivenUp(String, Failure)
    /// A run that finds by goodput how many items are in flight changed that number, for a reason in a word.
    case widthChanged(Int, reason: String)
    /// Something worth a line that ends nothing.
    case note(String)
    /// The run was asked to stop (a signal, a limit) or met trouble; items in flight end as cancelled or finish.
    ///
    /// It comes once; a second one tells of trouble with what a run writes at its end, when it was asked to stop before.
    case stopping(StopReason)
    /// Everything is written, and the lock is given back.
    case runFinished(Summary)
}

/// How an item ended: exactly one for each.
public enum End: Sendable, Hashable {
    /// This run did it.
    case done(Receipt)
    /// An earlier run had done it, and its files stand.
    case kept(Receipt)
    /// It was left out on purpose, or the run was ended first.
    case skipped(Receipt)
    /// It could not be done.
    case failed(Receipt)

    /// The item's receipt.
    public var receipt: Receipt {
        switch self {
        case .done(let receipt), .kept(let receipt), .skipped(let receipt), .failed(let receipt): receipt
        }
    }
}

/// What a run begins with.
public struct RunStart: Sendable, Hashable, Codable {
    /// The SOURCE as the user wrote it.
    public var source: String
    /// The feed's name.
    public var feed: String
    /// The mirror's folder.
    public var folder: String
    /// How many items may be in flight.
    public var width: Int

    /// Makes the start of a run.
    public init(source: String, feed: String, folder: String, width: Int) {
        self.source = source
        self.feed = feed
        self.folder = folder
        self.width = width
    }
}

/// Why a run stopped before the end of its feed.
public enum StopReason: Sendable, Hashable {
    /// SIGINT, SIGTERM or SIGHUP, by its number.
    case signal(Int32)
    /// The library's user asked.
    case requested
    /// A limit of the user's.
    case limit(String)
    /// So much failed that the rest is not worth trying; in a sentence.
    case failing(String)
    /// Local trouble: a full disk, a folder that went away.
    case local(Failure)
    /// The ledger contradicts itself.
    case damaged(Failure)

    /// Whether something is wrong, and not only wished for.
    public var isTrouble: Bool {
        switch self {
        case .signal, .requested, .limit: false
        case .failing, .local, .damaged: true
        }
    }
}
