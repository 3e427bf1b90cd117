// SPDX-License-Identifier: MIT

internal import SluiceImaging
internal import SluiceLedger
internal import SluiceModel
internal import SluiceTransfer

/// How an item comes to its end: of a feed's photo by a download, of a file by reading it.
protocol Way: Sendable {
    /// The receipt of an item that needs nothing, as far as a glance can tell.
    func standing(_ claim: Claim, for item: Item) -> Receipt?
    /// The receipt of an item that stays out, because its files were deleted and the user wants that to be; `nil` for others.
    func leftOut(_ claim: Claim) -> Receipt?
    /// The host whose slot the item takes.
    func host(of item: Item) -> String
    /// Takes the item all the way; its files wait to be made safe.
    func take(_ item: Item, claim: Claim, slot: WorkPool.Slot) async -> Outcome
}

extension Way {
    func leftOut(_ claim: Claim) -> Receipt? { nil }
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

extension Ledger {
    /// Has the ledger know that `body` is under way for the item: one that ends the process shows in the next run.
    func attempt<Value>(
        on item: Item, _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try Failure.inLedger(beginAttempt(on: item))
        let value: Value
        do throws(Failure) {
            value = try await body()
        } catch {
            // The process has survived it, called off or failed.
            try Failure.inLedger(endAttempt(on: item))
            throw error
        }
        try Failure.inLedger(endAttempt(on: item))
        return value
    }
}
