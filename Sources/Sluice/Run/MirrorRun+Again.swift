// SPDX-License-Identifier: MIT

internal import SluiceFeeds
internal import SluiceLedger
internal import SluiceModel
internal import SluiceTransfer

extension MirrorRun {
    /// So many are claimed at once.
    private static let batch = 256

    /// Sends items that the ledger knows on their way, as if a feed had listed them on one page.
    func takeUp(_ again: Again) async {
        do throws(LedgerError) {
            await takeUp(try again.places(in: ledger, of: run.feed).prefix(maxItems ?? .max), isListing: true)
        } catch {
            stop(StopReason(error))
        }
    }

    /// Sends the items in those places on their way; with `isListing` they are told of as a page.
    func takeUp(_ places: ArraySlice<Int>, isListing: Bool) async {
        do throws(LedgerError) {
            if isListing {
                recorder.record(.pageRequested(number: 1))
                recorder.record(.pageLoaded(number: 1, photos: places.count, total: places.count))
            }
            var row = Row()
            var next = places
            while !next.isEmpty, !intake.isCancelled {
                await begin(try ledger.claim(places: next.prefix(Self.batch))[...], &row)
                next = next.dropFirst(Self.batch)
            }
        } catch {
            stop(StopReason(error))
        }
    }
}
