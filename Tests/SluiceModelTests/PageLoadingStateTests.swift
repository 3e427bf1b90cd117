// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@Suite("Page loading state", .timeLimit(.minutes(10))) struct PageLoadingStateTests {
    @Test("First pages, further pages and failed pages have different states")
    func states() {
        let failure = Failure(.timeout, "30 s")
        let steps: [(Event, PageLoadingState)] = [
            (.runStarted(RunStart(source: "demo", feed: "demo", folder: "m", width: 16)), .idle),
            (.pageRequested(number: 1), .loadingFirst),
            (.pageLoaded(number: 1, photos: 30, total: nil), .loaded(pages: 1, photos: 30)),
            (.pageRequested(number: 2), .loadingMore(page: 2, photos: 30)),
            (.note("a word"), .loadingMore(page: 2, photos: 30)),
            (.pageLoaded(number: 2, photos: 12, total: nil), .loaded(pages: 2, photos: 42)),
            (.pageRequested(number: 3), .loadingMore(page: 3, photos: 42)),
            (.pageFailed(number: 3, failure), .failed(page: 3, photos: 42, failure)),
        ]
        var current = PageLoadingState.idle
        for (event, state) in steps {
            current.update(with: event)
            #expect(current == state)
        }
    }
}
