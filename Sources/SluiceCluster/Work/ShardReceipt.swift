// SPDX-License-Identifier: MIT

internal import Dispatch
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
    /// The photos without a result, which a closed shard leaves to the next plan.
    public internal(set) var waiting = 0
    /// The bytes of all files.
    public internal(set) var bytes = 0
    /// The number of photos that were skipped or failed with each cause.
    public internal(set) var causes: [Cause: Int] = [:]

    /// The number of photos that have a result.
    public var ended: Int { done + skipped + failed }

    /// Writes the counts of photos with results as members of an object.
    func write(to object: inout JSONWriter) {
        object.member("done", done)
        object.member("skipped", skipped)
        object.member("failed", failed)
        if waiting > 0 { object.member("left", waiting) }
        object.member("bytes", bytes)
        object.object("causes") { causes in
            for (cause, count) in self.causes.sorted(by: { $0.key.name < $1.key.name }) {
                causes.member(cause.name, count)
            }
        }
    }

    mutating func add(_ other: ShardCounts) {
        done.add(other.done)
        skipped.add(other.skipped)
        failed.add(other.failed)
        waiting.add(other.waiting)
        bytes.add(other.bytes)
        causes.merge(other.causes) { $0.adding($1) }
    }

    init(in ledger: Ledger) throws(MirrorError) {
        var counts = ShardCounts()
        do { try ledger.forEachEntry { counts.add($0) } } catch {
            throw MirrorError(converting: error)
        }
        self = counts
    }

    init() {}

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
        bytes.add(receipt.files.sum(\.bytes))
        if receipt.state != .done, let cause = receipt.failure?.cause { causes[cause, default: 0] += 1 }
    }
}

/// The proof that a shard is committed: by which attempt, and the digest of its ledger.
///
/// The ledger has the results of the photos with the digests of their files. The receipt of a shard that was closed
/// early counts the photos without a result as `left`. A receipt ends with its own digest, and is read whole or not at
/// all.
struct ShardReceipt: Sendable, Hashable {
    private static let maximumSize = 1 << 20

    /// The plan's `Plan.id`.
    var plan: String
    var shard: Int
    /// The name of the attempt's folder; `nil` if the shard was closed without any.
    var attempt: String?
    var ledger: StoredFile?
    var counts = ShardCounts()
    /// The files of a shard that is a piece of a dataset, by their names in the attempt; such a shard has no ledger.
    var files: [StoredFile] = []
    /// The number of photos in these files.
    var samples: Int?
    /// When the last process of the attempt started and ended, in seconds since 1970.
    var started: Int
    var ended: Int
    /// The version of Sluice that wrote the receipt.
    private var version = Version.number

    /// The content of the file.
    var json: [UInt8] { json(sha256: SHA256.digest(of: json(sha256: nil))) }

    private func json(sha256: String?) -> [UInt8] {
        var writer = JSONWriter()
        writer.object { receipt in
            receipt.member("schema", 1)
            receipt.member("plan", plan)
            receipt.member("shard", shard)
            receipt.member("attempt", attempt)
            receipt.member("version", version)
            receipt.member("started", started)
            receipt.member("ended", ended)
            counts.write(to: &receipt)
            if let ledger {
                receipt.object("ledger") { file in
                    file.member("bytes", ledger.bytes)
                    file.member("sha256", ledger.sha256)
                }
            }
            receipt.member("samples", samples)
            if !files.isEmpty {
                receipt.array("files") { list in for file in files { list.object { file.write(to: &$0) } } }
            }
            receipt.member("sha256", sha256)
        }
        writer.newline()
        return writer.bytes
    }

    init(
        of shard: Int, of plan: Plan, attempt: String?, ledger: StoredFile?, counts: ShardCounts, startedAt started: Int
    ) {
        (self.plan, self.shard, self.attempt, self.ledger, self.counts) = (plan.id, shard, attempt, ledger, counts)
        self.counts.waiting = plan.shards[shard].rows - counts.ended
        (self.started, ended) = (started, Machine.secondsSince1970)
    }

    /// Stores the receipt if the shard has none; this commits the shard.
    func writeIfFirst(to store: any Store) throws(MirrorError) -> Bool {
        let isFirst = try MirrorError.onDisk(
            store.exclusiveWriting?.writeIfAbsent(
                json, to: Plan.receiptName(of: shard), temporary: "receipts/.\(shard)-\(attempt ?? "closed")"))
        return isFirst == true
    }

    /// Reads the receipt of a shard; `nil` if the shard is not committed.
    init?(of shard: Int, of plan: Plan, in store: any Store) throws(MirrorError) {
        let name = Plan.receiptName(of: shard)
        let bytes: [UInt8]
        do throws(FileError) { bytes = try store.read(name, limit: Self.maximumSize) } catch {
            guard error.isMissing else { throw MirrorError(error) }
            return nil
        }
        // Earlier versions wrote no digest.
        guard let json = try? JSON(parsing: bytes), let receipt = ShardReceipt(json),
            bytes == receipt.json || bytes == receipt.json(sha256: nil)
        else {
            throw MirrorError(
                .damaged,
                "cannot read '\(store.location)/\(name)': it is damaged; remove it and run `sluice work` for shard "
                    + "\(shard) again")
        }
        guard receipt.plan == plan.id, receipt.shard == shard,
            receipt.counts.ended + receipt.counts.waiting == plan.shards[shard].rows
        else {
            throw MirrorError(.damaged, "cannot use '\(store.location)/\(name)': it belongs to another plan or shard")
        }
        self = receipt
    }

    private init?(_ json: JSON) {
        guard json["schema"]?.integer == 1, let plan = json["plan"]?.text, let shard = json["shard"]?.quantity,
            let version = json["version"]?.text
        else { return nil }
        (self.plan, self.shard, self.version) = (plan, shard, version)
        if let attempt = json["attempt"]?.text {
            guard !attempt.contains("/"), attempt != ".." else { return nil }
            self.attempt = attempt
            files = (json["files"]?.elements ?? []).compactMap { StoredFile($0) }
            guard files.allSatisfy({ !$0.path.contains("/") && !$0.path.hasPrefix(".") }) else { return nil }
            if files.isEmpty {
                guard let bytes = json["ledger"]?["bytes"]?.quantity, let sha256 = json["ledger"]?["sha256"]?.text
                else { return nil }
                ledger = StoredFile(path: Ledger.name, bytes: bytes, sha256: sha256)
            }
        }
        samples = json["samples"]?.quantity
        counts.waiting = json["left"]?.quantity ?? 0
        (started, ended) = (json["started"]?.quantity ?? 0, json["ended"]?.quantity ?? 0)
        counts.done = json["done"]?.quantity ?? 0
        counts.skipped = json["skipped"]?.quantity ?? 0
        counts.failed = json["failed"]?.quantity ?? 0
        counts.bytes = max(0, json["bytes"]?.integer ?? 0)
        if case .object(let members)? = json["causes"] {
            for member in members {
                if let cause = Cause(name: member.name) { counts.causes[cause] = member.value.quantity }
            }
        }
    }
}

/// Looks for the receipts of shards during a run: gives the run the shares of finished shards, and stops it if another
/// attempt has committed its own.
final class ReceiptWatch: RunStep {
    private let shard: PlannedShard
    private let interval: Duration
    private let shares: Locked<HostShares>
    private let stop: @Sendable () -> Void
    private let timer = Locked<RepeatingTimer?>(nil)

    /// Looks for receipts after each `interval`; by default every ten seconds, or every minute in a bucket, where each
    /// request costs something.
    init(
        of shard: PlannedShard, _ shares: HostShares, every interval: Duration?, stop: @escaping @Sendable () -> Void
    ) {
        let usual = Duration.seconds(S3Location.isLocation(shard.store.location) ? 60 : 10)
        (self.shard, self.interval, self.stop) = (shard, interval ?? usual, stop)
        self.shares = Locked(shares)
    }

    func check(_ run: RunDefinition, _ recorder: EventRecorder) throws(MirrorError) {
        try shard.checkUncommitted()
        let session = run.session
        let queue = DispatchQueue(label: "sluice.receipts")
        let timer = RepeatingTimer(every: .milliseconds(Int(interval / .milliseconds(1))), on: queue) { [weak self] in
            self?.look(session)
        }
        self.timer.withLock { $0 = timer }
    }

    func end(_ driver: RunDriver, in mirror: borrowing MirrorFolder) {
        timer.withLock { $0 = nil }
    }

    private func look(_ session: FeedSession?) {
        let finished = shard.committedShards()
        let counts = shares.withLock { $0.finish(finished) ? $0.counts : nil }
        if let counts { session?.setShares(counts) }
        if finished.contains(shard.number), (try? shard.isCommitted) == true { stop() }
    }
}
