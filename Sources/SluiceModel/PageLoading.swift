// SPDX-License-Identifier: MIT

/// How far the feed's pages have come, for whoever shows a list: made of a run's events, and of nothing else.
public enum PageLoading: Sendable, Hashable {
    /// Nothing was asked for yet.
    case idle
    /// The first page is asked for: there is nothing to show.
    case loadingFirst
    /// So many photos can be shown, and a further page is asked for.
    case loadingMore(page: Int, photos: Int)
    /// So many photos can be shown, and no page is asked for now.
    case loaded(pages: Int, photos: Int)
    /// A page could not be had; so many photos can be shown.
    case failed(page: Int, photos: Int, Failure)

    /// How many photos can be shown.
    public var photos: Int {
        switch self {
        case .idle, .loadingFirst: 0
        case .loadingMore(_, let photos), .loaded(_, let photos), .failed(_, let photos, _): photos
        }
    }

    /// Takes note of an event.
    public mutating func note(_ event: Event) {
        switch event {
        case .pageRequested(1): self = .loadingFirst
        case .pageRequested(let number): self = .loadingMore(page: number, photos: photos)
        case .pageLoaded(let number, let more, _): self = .loaded(pages: number, photos: photos + more)
        case .pageFailed(let number, let failure): self = .failed(page: number, photos: photos, failure)
        default: break
        }
    }
}
