// SPDX-License-Identifier: MIT

internal import SluiceFeeds
internal import SluiceLedger
internal import SluiceModel
internal import SluiceTransfer

extension MirrorRun {
    /// Sends items that the ledger knows on their way, as if a feed had listed them on one page.
    func takeUp(_ again: Again) async {
        do throws(LedgerError) {
            let places = try again.places(in: ledger, of: run.feed).prefix(maxItems ?? .max)
            recorder.record(.pageRequested(number: 1))
            recorder.record(.pageLoaded(number: 1, photos: places.count, total: places.count))
            var left = Left(items: .max, seen: .max, selector: Selector(Selection()))
            for seq in places {
                guard !intake.isCancelled else { break }
                guard let item = try ledger.entry(at: seq)?.item else { continue }
                await begin([item], &left)
            }
        } catch {
            stop(StopReason(error))
        }
    }
}
