// SPDX-License-Identifier: MIT

internal import SluiceLedger

/// What a run takes up of what the ledger knows, in place of what a feed lists.
enum Again: Sendable {
    /// Items whose files are not what they were.
    case broken(BrokenItems)

    /// The items' places.
    func places(in ledger: Ledger, of feed: String) throws(LedgerError) -> [Int] {
        switch self {
        case .broken(let broken): broken.items
        }
    }

    /// Whether what could not be done leaves the receipt that was there.
    var keepsReceipts: Bool {
        switch self {
        case .broken: true
        }
    }
}
