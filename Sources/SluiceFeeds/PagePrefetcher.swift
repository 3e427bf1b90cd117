// SPDX-License-Identifier: MIT

package import SluiceModel

/// Loads one page ahead while the photos of the current page are being processed.
package struct PagePrefetcher: Sendable {
    /// The result of loading a page, with the walker's state afterwards.
    private struct Step: Sendable {
        var walker: PageWalker
        var page: Result<Page?, Failure>
    }

    private var walker: PageWalker
    private var pending: Task<Step, Never>?
    // A child of the run's token, so that cancel() stops an unneeded page without stopping the run.
    private let token: CancellationToken

    /// Starts before the walker's next page.
    package init(_ walker: PageWalker, token: CancellationToken) {
        self.walker = walker
        self.token = CancellationToken(below: token)
    }

    /// The number of the page that ``next()`` will return; `nil` at the end.
    package var nextPageNumber: Int? { walker.nextPageNumber }

    /// Whether the next page has been requested but not taken yet.
    package var isPrefetching: Bool { pending != nil }
    /// Whether the feed ended with a failure.
    package private(set) var hasFailed = false

    /// Requests the next page without waiting for it.
    package mutating func prefetch() {
        guard pending == nil, walker.nextPageNumber != nil else { return }
        pending = Task { [walker, token] in
            var walker = walker
            do throws(Failure) {
                let page = try await walker.nextPage(token: token)
                return Step(walker: walker, page: .success(page))
            } catch {
                return Step(walker: walker, page: .failure(error))
            }
        }
    }

    /// Returns the next page; `nil` after the last.
    package mutating func next() async throws(Failure) -> Page? {
        prefetch()
        guard let step = await pending?.value else { return nil }
        pending = nil
        walker = step.walker
        if case .failure = step.page { hasFailed = true }
        return try step.page.get()
    }

    /// Records how many photos of the last page were new; throws if the feed appears to loop.
    package mutating func recordNewPhotos(count: Int) throws(Failure) {
        hasFailed = true
        try walker.recordNewPhotos(count: count)
        hasFailed = false
    }

    /// Cancels the request in flight.
    package func cancel() { token.cancel() }
}
