// SPDX-License-Identifier: MIT

/// An event of a run.
///
/// Events arrive one at a time, in this order:
/// - ``runStarted(_:)`` comes first and ``runFinished(_:)`` last, each once.
/// - ``pageLoaded(number:photos:total:)`` comes before the first event of the page's items.
/// - ``itemStarted(_:)`` is the first event of an item that got a slot. An item that needs no work, or that is
///   cancelled while it waits, gets no slot.
/// - ``itemEnded(_:_:)`` comes exactly once for each item and is its last event.
///
/// The order of the items of one page is not specified.
public enum Event: Sendable, Hashable {
    /// The mirror is open and the lock is held.
    case runStarted(RunStart)
    /// A page was requested from the feed.
    case pageRequested(number: Int)
    /// A page arrived; `total` is the number of photos that the feed reports.
    case pageLoaded(number: Int, photos: Int, total: Int?)
    /// About this share of the source has been read, from 0 to 1; it comes after pages of a source without a total.
    case sourceRead(share: Double)
    /// A page could not be loaded; no further page is requested.
    case pageFailed(number: Int, Failure)
    /// A file of an adopted folder was compared with the photos; all files are reported before the first item starts.
    case fileFound(FoundFile)
    /// An item got a slot.
    case itemStarted(Item)
    /// An attempt failed, and a retry follows after `delay`; `attempt` counts from 1.
    case itemRetried(Item, attempt: Int, Failure, delay: Duration)
    /// Part of the item's file has arrived; `total` is set if the size is known. Sent at most four times a second.
    case itemProgressed(Item, bytes: Int, total: Int?)
    /// The item's file is unusual, or a thumbnail differs from the request; the item still succeeds.
    case itemNoted(Item, String)
    /// The item has its outcome, and its files and receipt are durable.
    ///
    /// The case is indirect because the payload is large and events are copied often.
    indirect case itemEnded(Item, ItemOutcome)
    /// A host asked for a pause, or only failed; no request goes to it for the duration.
    case hostPaused(String, Duration, Failure)
    /// A host failed all its trial requests; this run sends no further requests to it.
    case hostGivenUp(String, Failure)
    /// A run with automatic concurrency changed the limit on items in flight; `reason` is a keyword.
    case concurrencyChanged(Int, reason: String)
    /// Photos that had ended as done or kept were removed again at the end of the run, because of this cause.
    case photosRemoved(Cause, done: Int, kept: Int)
    /// A message for the user that does not change the outcome.
    case note(String, hint: Hint? = nil)
    /// The run is stopping because of a request, a limit or an error; items in flight finish or are cancelled.
    ///
    /// It comes once. A second one reports an error while a run that was already stopping writes its final files.
    case stopping(StopReason)
    /// Everything is written, and the lock is released.
    case runFinished(Summary)
}

/// The parameters of a run at its start.
public struct RunStart: Sendable, Hashable, Codable {
    /// The SOURCE as the user wrote it.
    public var source: String
    /// The feed's name.
    public var feed: String
    /// The mirror's folder.
    public var folder: String
    /// The maximum number of items in flight.
    public var width: Int

    package init(source: String, feed: String, folder: String, width: Int) {
        (self.source, self.feed, self.folder, self.width) = (source, feed, folder, width)
    }
}

/// The reason why a run stopped before the end of its feed.
public enum StopReason: Sendable, Hashable {
    /// A signal: SIGINT, SIGTERM or SIGHUP.
    case signal(Int32)
    /// The caller of the library asked for it.
    case requested
    /// A limit set by the user.
    case limit(String, hint: Hint? = nil)
    /// Too many failures; the text is a sentence for the user.
    case failing(String, hint: Hint? = nil)
    /// A local error, for example a full disk or a missing folder.
    case local(Failure)
    /// The ledger is damaged.
    case damaged(Failure)

    /// Whether the reason is an error and not a request.
    public var isTrouble: Bool {
        switch self {
        case .signal, .requested, .limit: false
        case .failing, .local, .damaged: true
        }
    }
}

/// The loading state of a feed's pages, derived from a run's events, for user interfaces.
public enum PageLoadingState: Sendable, Hashable {
    /// No page was requested yet.
    case idle
    /// The first page is loading; there are no photos to show.
    case loadingFirst
    /// Another page is loading; `photos` is the number of photos loaded so far.
    case loadingMore(page: Int, photos: Int)
    /// No page is loading; `photos` is the number of photos loaded so far.
    case loaded(pages: Int, photos: Int)
    /// A page could not be loaded; `photos` is the number of photos loaded so far.
    case failed(page: Int, photos: Int, Failure)

    /// The number of photos loaded so far.
    public var photos: Int {
        switch self {
        case .idle, .loadingFirst: 0
        case .loadingMore(_, let photos), .loaded(_, let photos), .failed(_, let photos, _): photos
        }
    }

    /// Updates the state with an event.
    public mutating func update(with event: Event) {
        switch event {
        case .pageRequested(1): self = .loadingFirst
        case .pageRequested(let number): self = .loadingMore(page: number, photos: photos)
        case .pageLoaded(let number, let more, _): self = .loaded(pages: number, photos: photos + more)
        case .pageFailed(let number, let failure): self = .failed(page: number, photos: photos, failure)
        default: break
        }
    }
}
