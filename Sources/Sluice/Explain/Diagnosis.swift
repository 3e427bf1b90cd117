// SPDX-License-Identifier: MIT

public import SluiceEngine
internal import SluiceLedger
public import SluiceModel
internal import SluiceTransfer

/// A mirror's state: finished and unfinished items, the causes of failures, and what can still be recovered.
public struct Diagnosis: Sendable, Hashable {
    /// Items of one feed that ended with the same cause at the same host.
    public struct Group: Sendable, Hashable {
        /// The feed's name.
        public let feed: String
        /// The cause.
        public let cause: Cause
        /// The host that was requested; empty if there was none.
        public let host: String
        /// The number of items.
        public internal(set) var count = 0
        /// The sequence number of the first item.
        public let item: Int
        /// The URL of the first item.
        public let url: String?
        /// The details of the first item's failure.
        public let detail: String
        /// How the items ended; those that are done have no thumbnails.
        public let state: Receipt.State

        /// Whether the items failed.
        public var isFailure: Bool { state == .failed }
    }

    /// When there are more groups than this, new ones are formed without the host.
    private static let maxGroups = 10_000

    /// The number of finished items.
    public internal(set) var done = 0
    /// The number of failed items.
    public internal(set) var failed = 0
    /// The number of items skipped because of the user's or the host's rules.
    public internal(set) var skipped = 0
    /// The number of items that no run has processed yet.
    public internal(set) var waiting = 0
    /// The groups of items that failed, were skipped, or are done without thumbnails, largest first.
    public internal(set) var groups: [Group] = []
    /// The last run of each feed, in order of time; runs of several feeds may share some of them.
    public internal(set) var runs: [PastRun] = []

    /// The number of items that were not skipped.
    public var wanted: Int { done + failed + waiting }

    /// The number of failed items whose remedy satisfies the predicate.
    public func failures(where isIncluded: (Remedy) -> Bool) -> Int {
        groups.filter { $0.isFailure && isIncluded($0.cause.remedy) }.reduce(0) { $0 + $1.count }
    }

    /// The finished share of the wanted items, 0 to 1.
    public var success: Double { share(of: done) }

    /// The share that retrying can reach, 0 to 1.
    public var ceiling: Double { share(of: done + waiting + failures { $0 == .retry }) }

    /// The share that retrying with other options can reach, 0 to 1.
    public var ceilingWithOptions: Double { share(of: done + waiting + failures { $0 != .none }) }

    /// The run that read a feed last.
    package func lastRun(of feed: String) -> PastRun? { runs.last { $0.reads(feed) } }

    private func share(of count: Int) -> Double { wanted == 0 ? 1 : Double(count) / Double(wanted) }

    init(of ledger: Ledger) throws(LedgerError) {
        let counts = try ledger.counts()
        (done, failed, skipped, waiting) = (counts.done, counts.failed, counts.skipped, counts.waiting)
        var found: [Key: Group] = [:]
        var batches = ledger.batches(of: .unfinished)
        while let entries = try batches.next() { Self.count(entries, in: &found) }
        groups = found.values.sorted { ($1.count, $0.cause.name, $0.host) < ($0.count, $1.cause.name, $1.host) }
        for run in try ledger.runs() {
            // Of several feeds, each may have had a later run.
            runs.removeAll { old in SourceSet(text: old.feed).members.allSatisfy(run.reads) }
            runs.append(run)
        }
    }

    private static func count(_ entries: [LedgerEntry], in found: inout [Key: Group]) {
        for entry in entries {
            guard let receipt = entry.receipt, let failure = receipt.failure else { continue }
            var key = Key(
                feed: ExactText(entry.item.feed), cause: failure.cause, host: ExactText(receipt.failedHost),
                state: receipt.state)
            if found[key] == nil, found.count >= maxGroups { key.host = ExactText("") }
            let group = Group(
                feed: key.feed.text, cause: failure.cause, host: key.host.text, item: entry.item.seq,
                url: receipt.failedURL, detail: failure.detail, state: key.state)
            found[key, default: group].count += 1
        }
    }

    private struct Key: Hashable {
        let feed: ExactText
        let cause: Cause
        var host: ExactText
        let state: Receipt.State
    }
}

extension Receipt {
    fileprivate var failedURL: String? { failure?.finalURL ?? url }

    /// The host of the address that failed; empty without one.
    package var failedHost: String { failedURL.flatMap { WebAddress($0) }?.host ?? "" }
}

extension PhotoMirror {
    /// Reads the state of the mirror in `folder` from its ledger.
    public static func explain(_ folder: String, buckets: S3Options = S3Options()) throws(MirrorError) -> Diagnosis {
        let mirror = try MirrorFolder.open(reading: folder, buckets: buckets)
        let diagnosis = try MirrorError.inLedger(Diagnosis(of: mirror.ledger))
        mirror.close()
        return diagnosis
    }
}
