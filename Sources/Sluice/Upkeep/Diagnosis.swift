// SPDX-License-Identifier: MIT

internal import SluiceLedger
public import SluiceModel
internal import SluiceTransfer

/// How a mirror stands: what is done, what is not, why, and what could be had still.
public struct Diagnosis: Sendable, Hashable {
    /// Items of one feed that ended with one cause at one host.
    public struct Group: Sendable, Hashable {
        /// The feed's name.
        public let feed: String
        /// Why they are not done.
        public let cause: Cause
        /// The host that answered, or did not; empty where there was none.
        public let host: String
        /// How many they are.
        public internal(set) var count = 0
        /// The place of the first.
        public let item: Int
        /// The address of the first.
        public let url: String?
        /// The evidence of the first.
        public let detail: String
        /// Whether they failed; the others were left out on purpose.
        public let isFailure: Bool
    }

    /// More kinds of trouble than this are told together, without their hosts.
    private static let mostGroups = 10_000

    /// Items whose files stand.
    public internal(set) var done = 0
    /// Items that failed.
    public internal(set) var failed = 0
    /// Items that a rule of the user's or of their host's leaves out.
    public internal(set) var skipped = 0
    /// Items that no run has come to.
    public internal(set) var waiting = 0
    /// What is not done, the most frequent first.
    public internal(set) var groups: [Group] = []
    /// The last run of each feed, in their order.
    public internal(set) var runs: [PastRun] = []

    /// Items that are wanted: all but those that are left out on purpose.
    public var wanted: Int { done + failed + waiting }

    /// How many of the failed can be had by that remedy.
    public func count(of isWanted: (Remedy) -> Bool) -> Int {
        groups.filter { $0.isFailure && isWanted($0.cause.remedy) }.reduce(0) { $0 + $1.count }
    }

    /// The share of what is wanted that is done, 0 to 1.
    public var success: Double { share(of: done) }

    /// The share that can be reached by trying again.
    public var ceiling: Double { share(of: done + waiting + count { $0 == .retry }) }

    /// The share that can be reached if options are changed, too.
    public var ceilingWithOptions: Double { share(of: done + waiting + count { $0 != .none }) }

    private func share(of count: Int) -> Double { wanted == 0 ? 1 : Double(count) / Double(wanted) }

    init(of ledger: Ledger) throws(LedgerError) {
        let counts = try ledger.counts()
        (done, failed, skipped, waiting) = (counts.done, counts.failed, counts.skipped, counts.waiting)
        var found: [Key: Group] = [:]
        var last = 0
        while let end = try Self.count(ledger.unfinished(after: last, limit: 256), in: &found) { last = end }
        groups = found.values.sorted { ($1.count, $0.cause.name, $0.host) < ($0.count, $1.cause.name, $1.host) }
        for run in try ledger.runs() {
            runs.removeAll { $0.feed == run.feed }
            runs.append(run)
        }
    }

    /// Counts the items in by their kinds, and returns the last one's place.
    private static func count(_ entries: [Entry], in found: inout [Key: Group]) -> Int? {
        for entry in entries {
            guard let receipt = entry.receipt, let failure = receipt.failure else { continue }
            let url = failure.finalURL ?? receipt.url
            let host = url.flatMap { WebAddress($0) }?.host ?? ""
            let isFailure = receipt.state == .failed
            var key = Key(feed: entry.item.feed, cause: failure.cause, host: host, isFailure: isFailure)
            if found[key] == nil, found.count >= mostGroups { key.host = "" }
            let group = Group(
                feed: key.feed, cause: failure.cause, host: key.host, item: entry.item.seq, url: url,
                detail: failure.detail, isFailure: isFailure)
            found[key, default: group].count += 1
        }
        return entries.last?.item.seq
    }

    private struct Key: Hashable {
        let feed: String
        let cause: Cause
        var host: String
        let isFailure: Bool
    }
}

extension Mirror {
    /// Tells how the mirror in `folder` stands, from its ledger.
    public static func explain(_ folder: String) throws(MirrorError) -> Diagnosis {
        let place = try MirrorFolder.open(reading: folder)
        let diagnosis = try MirrorError.inLedger(Diagnosis(of: place.ledger))
        place.close()
        return diagnosis
    }
}
