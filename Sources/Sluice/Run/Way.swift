// SPDX-License-Identifier: MIT

internal import SluiceImaging
internal import SluiceLedger
internal import SluiceModel
internal import SluiceTransfer

/// How an item comes to its end: of a feed's photo by a download, of a file by reading it.
protocol Way: Sendable {
    /// The receipt of an item that needs nothing, as far as a glance can tell.
    func standing(_ claim: Claim, for item: Item) -> Receipt?
    /// The host whose slot the item takes.
    func host(of item: Item) -> String
    /// Takes the item all the way.
    func take(_ item: Item, claim: Claim, slot: WorkPool.Slot) async -> End
}

extension Claim {
    /// Refuses an item that has ended the process whenever it was tried.
    func check() throws(Failure) {
        guard brokenAttempts < 2 else {
            throw Failure(.quarantined, "it ended the process \(brokenAttempts) times; the next run tries again")
        }
    }
}

extension Receipt {
    /// Whether the item is done, and is not of a damaged file unless the user lets such files be salvaged.
    func serves(_ options: ThumbnailOptions) -> Bool {
        state == .done && (failure == nil || options.salvages)
    }
}

extension End {
    /// The end of an item that this run took up.
    init(_ receipt: Receipt) {
        switch receipt.state {
        case .done: self = .done(receipt)
        case .skipped: self = .skipped(receipt)
        case .failed: self = .failed(receipt)
        }
    }
}
