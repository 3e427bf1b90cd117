// SPDX-License-Identifier: MIT

internal import SluiceLedger
internal import SluiceModel

/// What a run takes up of what the ledger knows, in place of what a feed lists.
enum Again: Sendable {
    /// Items that ended with one of these causes.
    case failures(CauseSet)
    /// Items whose files are not what they were.
    case broken(BrokenItems)

    /// The items' places.
    func places(in ledger: Ledger, of feed: String) throws(LedgerError) -> [Int] {
        switch self {
        case .failures(let causes):
            // What is no photo in the feed's words is none without them either.
            try ledger.places(ofFeed: feed) { $0 != .feedParse && causes.contains($0) }
        case .broken(let broken): broken.items
        }
    }

    /// Whether what could not be done leaves the receipt that was there.
    var keepsReceipts: Bool {
        switch self {
        case .failures: false
        case .broken: true
        }
    }
}
