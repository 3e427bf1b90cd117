// SPDX-License-Identifier: MIT

import SluiceModel

@testable import SluiceFeeds

extension Feed {
    /// The pages from a cursor to the end of the feed.
    func pages(from cursor: Cursor? = nil) async throws -> [Page] {
        var pages: [Page] = []
        var next = cursor
        repeat {
            let page = try await page(pages.count + 1, at: next, token: CancellationToken())
            pages.append(page)
            next = page.next
        } while next != nil
        return pages
    }
}
