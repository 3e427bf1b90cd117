// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFeeds
internal import SluiceLedger
internal import SluiceModel
internal import SluiceStore

/// The photos that an export leaves out although the mirror has them, and the reasons.
struct Exclusions {
    private let options: DatasetOptions
    /// The photo that is exported in place of each copy, both by their positions.
    private(set) var copies: [Int: Int] = [:]

    /// Finds the copies among the photos that would be exported, if the options leave them out.
    init(
        from ledger: Ledger, _ store: any Store, _ options: DatasetOptions, token: CancellationToken
    ) throws(MirrorError) {
        self.options = options
        guard options.isUnique else { return }
        var wanted = DuplicateOptions()
        (wanted.isolation, wanted.memory) = (options.isolation, options.memory)
        let search = DuplicateSearch(in: "", options: wanted)
        let handler = token.onCancel { _ in search.stop() }
        defer { withExtendedLifetime(handler) {} }
        let report = try search.run(in: ledger, store, accepting: { [self] in isExported($0) })
        copies = report.best
    }

    /// Returns why a finished photo is left out; `nil` if it is not.
    func reason(for entry: LedgerEntry) -> Failure? {
        guard let receipt = entry.receipt, receipt.state == .done else { return nil }
        if options.respected == .ai, let usage = receipt.usage, UsageTerms(text: usage).reservesTraining {
            return Failure(.optedOut, usage)
        }
        return options.blocklist.failure(of: receipt)
            ?? copies[entry.item.seq].map { Failure(.duplicate, "a copy of \($0)") }
    }

    /// The number of the ledger's photos that are left out with a cause.
    func count(_ cause: Cause, in ledger: Ledger) throws(LedgerError) -> Int {
        var count = 0
        var batches = ledger.batches()
        while let entries = try batches.next() { count += entries.count { reason(for: $0)?.cause == cause } }
        return count
    }

    private func isExported(_ entry: LedgerEntry) -> Bool {
        entry.isSelected(by: options.filter) && reason(for: entry) == nil
            && DatasetRow.Picture(of: entry, options) != nil
    }
}

extension LedgerEntry {
    /// Whether an export with this filter has the photo; no export has those that the user rejected.
    func isSelected(by filter: Filter?) -> Bool { !item.photo.isRejected && filter?.accepts(measuredPhoto) ?? true }

    /// The photo with the size of its file, if it is known, and with the user's caption and tags.
    var measuredPhoto: Photo {
        var photo = item.photo.curated
        photo.width = receipt?.width ?? photo.width
        photo.height = receipt?.height ?? photo.height
        return photo
    }
}
