// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFiles
internal import SluiceLedger
public import SluiceModel
internal import SluiceStore
internal import SluiceTransfer

/// The number of a shard's photos by their results.
public struct ShardCounts: Sendable, Hashable {
    /// The photos that are done.
    public internal(set) var done = 0
    /// The photos that were skipped.
    public internal(set) var skipped = 0
    /// The photos that failed.
    public internal(set) var failed = 0
    /// The photos without a result.
    var waiting = 0
    /// The bytes of all files.
    public internal(set) var bytes = 0
    /// The number of photos that were skipped or failed with each cause.
    public internal(set) var causes: [Cause: Int] = [:]

    /// The number of photos that have a result.
    public var ended: Int { done + skipped + failed }

    mutating func add(_ entry: LedgerEntry) {
        guard let receipt = entry.receipt else {
            waiting += 1
            return
        }
        switch receipt.state {
        case .done: done += 1
        case .skipped: skipped += 1
        case .failed: failed += 1
        }
        bytes += receipt.files.reduce(0) { $0 + $1.bytes }
        if receipt.state != .done, let cause = receipt.failure?.cause { causes[cause, default: 0] += 1 }
    }
}

/// The proof that one attempt has committed a shard: who did it, and the digest of its ledger.
///
/// The ledger has the results of all photos with the digests of their files.
struct ShardReceipt: Sendable, Hashable {
    private static let maximumSize = 1 << 20

    /// The plan's `Plan.id`.
    var plan: String
    var shard: Int
    /// The name of the attempt's folder.
    var attempt: String
    /// The attempt's ledger.
    var ledger: StoredFile
    var counts = ShardCounts()
    /// When the last process of the attempt started and ended, in seconds since 1970.
    var started: Int
    var ended: Int

    var json: [UInt8] {
        var writer = JSONWriter()
        writer.object { receipt in
            receipt.member("schema", 1)
            receipt.member("plan", plan)
            receipt.member("shard", shard)
            receipt.member("attempt", attempt)
            receipt.member("version", Version.number)
            receipt.member("started", started)
            receipt.member("ended", ended)
            receipt.member("done", counts.done)
            receipt.member("skipped", counts.skipped)
            receipt.member("failed", counts.failed)
            receipt.member("bytes", counts.bytes)
            receipt.member(
                "causes",
                object: { causes in
                    for (cause, count) in counts.causes.sorted(by: { $0.key.name < $1.key.name }) {
                        causes.member(cause.name, count)
                    }
                })
            receipt.member(
                "ledger",
                object: { file in
                    file.member("bytes", ledger.bytes)
                    file.member("sha256", ledger.sha256)
                })
        }
        writer.newline()
        return writer.bytes
    }

    init(plan: String, shard: Int, attempt: String, ledger: StoredFile, counts: ShardCounts, started: Int, ended: Int) {
        (self.plan, self.shard, self.attempt, self.ledger, self.counts) = (plan, shard, attempt, ledger, counts)
        (self.started, self.ended) = (started, ended)
    }

    /// Reads the receipt of a shard; `nil` if there is none.
    init?(of shard: Int, of plan: Plan, in store: any Store) throws(MirrorError) {
        let name = Plan.receiptName(of: shard)
        let bytes: [UInt8]
        do throws(FileError) { bytes = try store.read(name, limit: Self.maximumSize) } catch {
            guard error.isMissing else { throw MirrorError(error) }
            return nil
        }
        guard let json = try? JSON(parsing: bytes), let receipt = ShardReceipt(json) else {
            throw MirrorError(.damaged, "cannot read '\(store.location)/\(name)': it is not a receipt of this version")
        }
        guard receipt.plan == plan.id, receipt.shard == shard else {
            throw MirrorError(.damaged, "cannot use '\(store.location)/\(name)': it belongs to another plan or shard")
        }
        self = receipt
    }

    private init?(_ json: JSON) {
        guard json["schema"]?.integer == 1, let plan = json["plan"]?.text, let shard = json["shard"]?.integer,
            let attempt = json["attempt"]?.text, !attempt.contains("/"), attempt != "..",
            let bytes = json["ledger"]?["bytes"]?.integer, let sha256 = json["ledger"]?["sha256"]?.text
        else { return nil }
        (self.plan, self.shard, self.attempt) = (plan, shard, attempt)
        ledger = StoredFile(path: Ledger.name, bytes: bytes, sha256: sha256)
        (started, ended) = (json["started"]?.integer ?? 0, json["ended"]?.integer ?? 0)
        counts.done = json["done"]?.integer ?? 0
        counts.skipped = json["skipped"]?.integer ?? 0
        counts.failed = json["failed"]?.integer ?? 0
        counts.bytes = json["bytes"]?.integer ?? 0
    }
}
