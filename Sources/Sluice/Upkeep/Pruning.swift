// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceLedger
internal import SluiceModel

/// The options of pruning: removing photos that a feed no longer lists.
public struct PruneOptions: Sendable, Hashable {
    /// The largest share of the photos that one run may remove, in percent.
    public var limit = 10.0
    /// Makes the default options.
    public init() {}

    /// Why removing `count` of `total` photos exceeds the limit; `nil` if it does not.
    func refusal(of count: Int, of total: Int) -> String? {
        guard Double(count) * 100 > limit * Double(total) else { return nil }
        let limit = limit.rounded() == limit ? "\(Int(limit))" : "\(limit)"
        return
            "prune-refused: \(count) of \(total) photos would be removed (limit \(limit) %)"
    }
}

/// Removes a feed's items that its last complete listing did not contain, and their files.
struct Pruning: Sendable {
    private static let batch = 256

    let options: PruneOptions
    let folder: Folder
    let ledger: Ledger

    /// The result of a pruning.
    enum Outcome {
        /// A message with the number of photos removed.
        case note(String)
        /// The reason why nothing was removed.
        case refused(String)
    }

    /// Removes the items that the run did not list, unless that exceeds the limit.
    ///
    /// Call it only after the run has reached the end of the feed.
    func run(_ run: LedgerRun) throws(Failure) -> Outcome {
        let unlisted = try Failure.inLedger(ledger.unlisted(in: run))
        let total = unlisted.count + (try Failure.inLedger(ledger.listedCount(in: run)))
        if let refusal = options.refusal(of: unlisted.count, of: total) { return .refused(refusal) }
        for start in stride(from: 0, to: unlisted.count, by: Self.batch) {
            try remove(Array(unlisted[start..<min(start + Self.batch, unlisted.count)]))
        }
        return .note("pruned \(unlisted.count) of \(total) photos that are no longer in the feed")
    }

    /// Removes the files of some items, then their ledger entries.
    ///
    /// In this order, a run after a crash finds the remaining items again.
    private func remove(_ seqs: [Int]) throws(Failure) {
        for seq in seqs {
            let receipt = try Failure.inLedger(ledger.entry(at: seq))?.receipt
            let files = [receipt?.original].compactMap(\.self) + (receipt?.thumbs.map(\.file) ?? [])
            for file in files { try Failure.onDisk(folder.remove(file.path)) }
        }
        try Failure.inLedger(ledger.remove(seqs))
    }
}
