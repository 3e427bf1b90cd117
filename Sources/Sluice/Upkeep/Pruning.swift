// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceLedger
internal import SluiceModel

/// How what a feed lists no more leaves the mirror.
public struct PruneOptions: Sendable, Hashable {
    /// The most that may go at once, of a hundred items.
    public var limit = 10.0
    /// Makes the defaults.
    public init() {}

    /// Why so many are too many to go at once; `nil` if they are not.
    func refusal(_ gone: Int, of all: Int) -> String? {
        guard Double(gone) * 100 > limit * Double(all) else { return nil }
        let limit = limit.rounded() == limit ? "\(Int(limit))" : "\(limit)"
        return "prune-refused: \(gone) of \(all) would go (limit \(limit) %; --prune-limit allows more)"
    }
}

/// Removes a feed's items that its last whole walk did not list, with their files.
struct Pruning: Sendable {
    private static let step = 256

    let options: PruneOptions
    let folder: Folder
    let ledger: Ledger

    /// What is to be said of it, or the limit that forbids it.
    enum Result {
        case note(String)
        case refused(String)
    }

    /// Removes what this run did not list, or says why it does not; only to be called when it has seen the feed's end.
    func run(_ run: LedgerRun) throws(Failure) -> Result {
        let gone = try Failure.inLedger(ledger.unlisted(in: run))
        let all = gone.count + (try Failure.inLedger(ledger.listedCount(in: run)))
        if let refusal = options.refusal(gone.count, of: all) { return .refused(refusal) }
        for start in stride(from: 0, to: gone.count, by: Self.step) {
            try remove(Array(gone[start..<min(start + Self.step, gone.count)]))
        }
        return .note("prune: \(gone.count) of \(all) photos went, which the feed lists no more")
    }

    /// Removes some items' files, then what the ledger knows of them: killed between, the next run finds them once more.
    private func remove(_ places: [Int]) throws(Failure) {
        for seq in places {
            let receipt = try Failure.inLedger(ledger.entry(at: seq))?.receipt
            let files = [receipt?.original].compactMap(\.self) + (receipt?.thumbs.map(\.file) ?? [])
            for file in files { try Failure.onDisk(folder.remove(file.path)) }
        }
        try Failure.inLedger(ledger.remove(places))
    }
}
