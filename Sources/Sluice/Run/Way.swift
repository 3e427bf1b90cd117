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
    /// Whether the item may have ended its decoder.
    var isSuspect: Bool { brokenAttempts > 0 }

    /// Refuses to decode an item again that has ended its decoder twice, unless the user wants just that.
    func checkQuarantine(lifted: Bool) throws(Failure) {
        guard brokenAttempts < 2 || lifted else {
            throw Failure(
                .quarantined, "it ended its decoder \(brokenAttempts) times; --retry-quarantined tries it again")
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
    /// Has the ledger know that `body`, a decode, is under way for the item: one that ends its process, be it a worker's
    /// or this one, shows in the next run.
    func attempt<Value>(
        on item: Item, _ body: () async throws(Failure) -> Value
    ) async throws(Failure) -> Value {
        try Failure.inLedger(beginAttempt(on: item))
        let value: Value
        do throws(Failure) {
            value = try await body()
        } catch {
            // Whatever else it failed with, or was called off for, its process has survived.
            if error.cause != .decoderCrashed { try Failure.inLedger(endAttempt(on: item)) }
            throw error
        }
        try Failure.inLedger(endAttempt(on: item))
        return value
    }
}
