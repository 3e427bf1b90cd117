// SPDX-License-Identifier: MIT

internal import SluiceFeeds
internal import SluiceFiles
internal import SluiceLedger
internal import SluiceModel
internal import SluiceTransfer

/// One run: walks the feed, and sends each item on its way as soon as the pool has room for it.
struct MirrorRun: Sendable {
    let feed: any Feed
    let run: LedgerRun
    let pool: WorkPool
    let way: any Way
    let ledger: Ledger
    let recorder: Recorder
    let token: Token
    /// Ends the run from within: what is in flight is cancelled.
    let stop: @Sendable (StopReason) -> Void
    /// How many pages are wanted; `nil` for all.
    var pages: Int?
    /// How many items are wanted; `nil` for all.
    var maxItems: Int?
    /// How many items may fail before the run is not worth going on.
    var failures: FailureLimit?

    /// Walks to the feed's end, or as far as is wanted, and waits until every item has ended.
    func walk() async {
        var walk = Walk(feed, limit: pages)
        var wanted = maxItems ?? .max
        while wanted > 0, !token.isCancelled, let number = walk.nextNumber {
            guard let items = await items(ofPage: number, in: &walk) else { break }
            for item in items.prefix(wanted) {
                await pool.room()
                begin(item)
            }
            wanted -= min(wanted, items.count)
        }
        await pool.drained()
    }

    /// Pulls the next page and enters its photos in the ledger; `nil` where the walk ends.
    private func items(ofPage number: Int, in walk: inout Walk) async -> [Item]? {
        recorder.record(.pageRequested(number: number))
        do throws(Failure) {
            guard let page = try await walk.nextPage(token: token) else { return nil }
            recorder.record(.pageLoaded(number: number, photos: page.photos.count, total: page.total))
            for note in page.notes { recorder.record(.note(note)) }
            let items = try enter(page)
            try walk.found(new: items.count)
            return items
        } catch {
            switch error.cause {
            case .cancelled: break
            case .disk: stop(.local(error))
            default: recorder.record(.pageFailed(number: number, error))
            }
            return nil
        }
    }

    private func enter(_ page: Page) throws(Failure) -> [Item] {
        do throws(LedgerError) {
            return try ledger.take(page, in: run)
        } catch {
            stop(StopReason(error))
            throw Failure(error)
        }
    }

    /// Claims the item in the ledger, and puts it in the pool's line unless an earlier run has done it.
    private func begin(_ item: Item) {
        let claim: Claim
        do throws(LedgerError) {
            claim = try ledger.claim(item)
        } catch {
            stop(StopReason(error))
            return end(item, .failed(Receipt(.failed, failure: Failure(error))))
        }
        if let receipt = way.standing(claim, for: item) {
            recorder.record(.itemEnded(item, .kept(receipt)))
            return
        }
        pool.submit(host: way.host(of: item)) { slot in
            recorder.record(.itemStarted(item))
            end(item, await way.take(item, claim: claim, slot: slot))
        } dropped: { failure in
            var receipt = Receipt(.done)
            receipt.end(with: failure)
            end(item, End(receipt))
        }
    }

    /// Tells the item's one end, and keeps it in the ledger.
    ///
    /// One that the run called off has none there, so that the next run takes it up.
    private func end(_ item: Item, _ end: End) {
        var end = end
        if end.receipt.failure?.cause != .cancelled {
            do throws(LedgerError) {
                try ledger.record(end.receipt, for: item)
            } catch {
                stop(StopReason(error))
                end = End(end.receipt.ended(with: Failure(error)))
            }
        }
        // Trouble at an address is the item's own; trouble at home is everybody's.
        if let failure = end.receipt.failure, failure.cause == .disk, failure.finalURL == nil { stop(.local(failure)) }
        let summary = recorder.record(.itemEnded(item, end))
        if let reason = failures?.reason(toStop: summary) { stop(.failing(reason)) }
    }
}
