// SPDX-License-Identifier: MIT

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
