// SPDX-License-Identifier: MIT

internal import SluiceFeeds
internal import SluiceLedger
internal import SluiceModel

// Reading the feed page by page.

/// Counts consecutive kept items, which end the walk through the feed at a limit.
struct KeptStreak {
    let limit: Int
    private var count = 0

    init(limit: Int = .max) { self.limit = limit }

    var hasReachedLimit: Bool { count >= limit }

    mutating func add(isKept: Bool) { count = isKept ? count + 1 : 0 }
}

/// Records of a feed that repeat a photo with a different URL within one run.
///
/// The first record of a photo is used.
private struct ConflictingPhotos: Sendable {
    private var count = 0
    private var firstID = ""

    mutating func add(_ photo: Photo) {
        if count == 0 { firstID = photo.id }
        count += 1
    }

    /// The note to report; `nil` if there are no conflicts.
    var note: String? {
        guard count > 0 else { return nil }
        let others = count > 1 ? " (and \(count - 1) more such records)" : ""
        return "the feed lists \(firstID) again with a different URL\(others); the first URL is used"
    }
}

/// The position of a walk through the feed.
private struct WalkState: Sendable {
    var prefetcher: PagePrefetcher
    /// The number of items that may still be processed.
    var itemsLeft: Int
    var selector: PhotoSelector
    var conflicts = ConflictingPhotos()

    /// Whether no more items are wanted.
    var isComplete: Bool { itemsLeft <= 0 || selector.isFinished }
}

extension RunDriver {
    /// Reads the feed up to the limits of the options and passes each page's claims to `handle`.
    ///
    /// Returns whether the feed's end was reached.
    func walkFeed(_ handle: (ArraySlice<Claim>, inout KeptStreak) async -> Void) async -> Bool {
        var streak = KeptStreak(limit: stopAfterSeen ?? .max)
        var (claims, walk) = await nextPage(
            at: WalkState(
                prefetcher: PagePrefetcher(PageWalker(feed, limit: pages), token: intake),
                itemsLeft: maxItems ?? .max, selector: PhotoSelector(selection)))
        while let current = claims {
            if stopAfterSeen != nil {
                // This page may be the last: the next one is requested now but claimed only when it is needed.
                requestPage(&walk)
                await handle(current, &streak)
                (claims, walk) = streak.hasReachedLimit ? (nil, walk) : await nextPage(at: walk)
            } else {
                // The ledger claims the next page while this one is processed.
                let position = walk
                async let next = nextPage(at: position)
                await handle(current, &streak)
                (claims, walk) = await next
            }
        }
        walk.prefetcher.cancel()
        if walk.itemsLeft <= 0, let termsNote { recorder.record(.note(termsNote, hint: .confirmPermission)) }
        if let note = walk.conflicts.note { recorder.record(.note(note)) }
        let isComplete = streak.hasReachedLimit || walk.isComplete
        finish(walk.prefetcher, isComplete: isComplete)
        return walk.prefetcher.nextPageNumber == nil && !walk.prefetcher.hasFailed && !isComplete
    }

    /// Loads the next page and claims its selected photos; returns `nil` claims at the end of the walk.
    private func nextPage(at walk: WalkState) async -> (claims: ArraySlice<Claim>?, walk: WalkState) {
        var walk = walk
        guard !intake.isCancelled, !walk.isComplete, let number = walk.prefetcher.nextPageNumber else {
            return (nil, walk)
        }
        requestPage(&walk)
        guard let claims = await claims(ofPage: number, at: &walk) else { return (nil, walk) }
        let wanted = claims.prefix(walk.itemsLeft)
        walk.itemsLeft -= wanted.count
        return (wanted, walk)
    }

    private func requestPage(_ walk: inout WalkState) {
        guard !walk.isComplete, !walk.prefetcher.isPrefetching, let number = walk.prefetcher.nextPageNumber else {
            return
        }
        recorder.record(.pageRequested(number: number))
        walk.prefetcher.prefetch()
    }

    /// Records in the ledger that a walk has finished, so that the next run starts from the first page.
    private func finish(_ prefetcher: PagePrefetcher, isComplete: Bool) {
        let hasReachedEnd = prefetcher.nextPageNumber == nil
        guard !intake.isCancelled, !prefetcher.hasFailed, hasReachedEnd || isComplete else { return }
        do throws(LedgerError) {
            try ledger.finishWalk(of: run)
            // If only some positions were selected, the others may still have invalid records.
            if selection.positions == nil {
                try ledger.removeCorrectedRecords(in: run, whole: pages == nil && hasReachedEnd)
            }
        } catch {
            stop(StopReason(error))
        }
    }

    /// Waits for the requested page and claims its selected photos; `nil` at the end of the walk.
    private func claims(ofPage number: Int, at walk: inout WalkState) async -> [Claim]? {
        do throws(Failure) {
            guard var page = try await loadPage(&walk.prefetcher) else { return nil }
            let listed = page.photos.count
            walk.selector.apply(to: &page)
            recorder.record(.pageLoaded(number: number, photos: page.photos.count, total: page.total))
            for note in page.notes { recorder.record(.note(note)) }
            let claims = try claim(page, conflicts: &walk.conflicts)
            // Photos that were not selected count as new: the ledger does not know whether they are.
            try walk.prefetcher.recordNewPhotos(count: claims.count + listed - page.photos.count)
            return claims
        } catch {
            if let reason = StopReason(error) {
                stop(reason)
            } else if error.cause != .cancelled {
                recorder.record(.pageFailed(number: number, error))
            }
            return nil
        }
    }

    private func loadPage(_ prefetcher: inout PagePrefetcher) async throws(Failure) -> Page? {
        metrics.enter(.readingFeed)
        defer { metrics.leave(.readingFeed) }
        return try await prefetcher.next()
    }

    private func claim(_ page: Page, conflicts: inout ConflictingPhotos) throws(Failure) -> [Claim] {
        do throws(LedgerError) {
            return try ledger.claim(page, in: run, naming: naming) { conflicts.add($0) }
        } catch {
            stop(StopReason(error))
            throw Failure(error)
        }
    }
}
