// SPDX-License-Identifier: MIT

internal import SluiceBrowser
internal import SluiceModel
internal import SluiceTransfer

// Web pages that a browser builds with their scripts: each batch of new elements is a page of the feed.

extension PageWalk {
    private static let builtPrefix = "built\n"
    /// The batches in a row without a new photo after which a page is left, though it still changes.
    private static let maxBarrenBatches = 20

    /// Whether a cursor is one of a page in the browser.
    static func ownsBuilt(_ cursor: Cursor) -> Bool { cursor.rawValue.hasPrefix(builtPrefix) }

    /// Whether the page is open in the browser.
    var isBuilding: Bool { state.withLock { $0.built != nil } }

    /// Returns the photos of the next batch that has new ones.
    ///
    /// `first` is the page as the server sent it; `nil` if the browser has it already. A walk that is opened again
    /// reads the earlier batches again, whose photos the run knows.
    func builtPage(
        _ number: Int, at cursor: Cursor?, first: Reply?, token: CancellationToken
    ) async throws(Failure) -> Page {
        var page = Page(number: number, photos: [])
        page.mayBeEmpty = true
        let built = try open(first)
        var (wanted, barren, isLast) = (first == nil ? 1 : number, 0, false)
        while !isLast, wanted > 0, barren < Self.maxBarrenBatches {
            let batch = try await built.next(loaded: first?.response, token: token)
            let count = page.photos.count
            try await add(batch, first, to: &page, token: token)
            isLast = batch.isLast
            if page.photos.count > count { wanted -= 1 } else { barren += 1 }
        }
        isLast = isLast || wanted > 0
        if isLast { built.close() }
        page.next = isLast ? nil : Cursor(rawValue: "\(Self.builtPrefix)\(number)")
        if isLast { try finish(&page, isFirst: true) }
        return page
    }

    /// Returns the page in the browser, which is opened for the first batch.
    private func open(_ first: Reply?) throws(Failure) -> BrowserPage {
        if let built = state.withLock({ $0.built }) { return built }
        guard let browser = options.browser, let address = first?.address else {
            throw Failure(.scripts, "the page was read in a browser", hint: .useBrowser)
        }
        let built = BrowserPage(address, in: browser, through: transfers)
        state.withLock { ($0.built, $0.origin) = (built, address) }
        return built
    }

    private func add(
        _ batch: BrowserPage.Batch, _ first: Reply?, to page: inout Page, token: CancellationToken
    ) async throws(Failure) {
        var reply = Reply(kind: .webPage, bytes: batch.html, charset: "utf-8")
        reply.address = WebAddress(batch.address)
        reply.rules = first?.rules ?? state.withLock { $0.rules }
        state.withLock { $0.rules = reply.rules }
        let isForeign = state.withLock { state in
            state.origin.flatMap { origin in reply.address.map { !$0.hasOrigin(of: origin) } } ?? false
        }
        if isForeign { throw Failure(.crossOriginNext, batch.address) }
        var document = try document(of: reply, at: Level(address: root), token: token)
        if let refusal = document.refusal { page.notes.append("\(root): \(refusal)") }
        document.next = nil
        let photos = try await detailed(&document, token: token)
        state.withLock { state in
            for (reason, count) in document.leftOut { state.leftOut[reason, default: 0] += count }
            state.documents[root] = document
            let new = photos.filter { state.photos.insert($0.id) }
            // Later batches may show only the thumbnails of these photos.
            state.photos.formUnion(TextSet(new.flatMap { $0.variants.map(\.url) }))
            page.photos += new
        }
        page.notes += document.notes
    }
}
