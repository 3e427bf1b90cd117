// SPDX-License-Identifier: MIT

public import SluiceEngine
internal import SluiceFiles
public import SluiceModel
internal import SluiceStore
internal import SluiceTransfer

/// Proves that a dataset that shards wrote directly is complete, and lists its pieces in `shards.jsonl`.
///
/// It reads one receipt per shard, and joins nothing: the pieces stay as they are.
public final class DatasetMerge: Sendable {
    static let name = "dataset.json"
    /// A line for each shard, with its counts and its files.
    static let list = "shards.jsonl"

    /// The pieces of a dataset.
    public struct Report: Sendable, Hashable {
        /// The photos by their results.
        public internal(set) var counts = ShardCounts()
        /// The number of photos in the pieces.
        public internal(set) var samples = 0
        /// The number of pieces.
        public internal(set) var pieces = 0
        /// The size of the pieces in bytes.
        public internal(set) var bytes = 0
        /// The shards that are not committed.
        public internal(set) var missing: [Int] = []
        /// Whether the merge was stopped before it wrote anything.
        public internal(set) var isStopped = false
    }

    /// The number of shards of the plan.
    public var shards: Int { opened.plan.shards.count }
    /// The options of the dataset in words.
    package var words: [String] { folder.words }
    private let opened: OpenedPlan
    private let destination: String
    private let folder: DatasetFolder
    private let isDeep: Bool
    private let token = CancellationToken()

    /// Opens the dataset that shards of a plan have written to `destination`; `nil` if it is a mirror.
    ///
    /// With `isDeep` every file is read and compared with its digest.
    public init?(
        ofPlansIn plans: [String], at destination: String, buckets: S3Options = S3Options(), isDeep: Bool = false
    ) throws(MirrorError) {
        guard let first = plans.first else { return nil }
        let store = try Plan.store(first, buckets)
        let opened = OpenedPlan(plan: try Plan(in: store), store: store)
        guard let folder = try DatasetFolder(of: opened.plan, at: destination, buckets) else { return nil }
        guard plans.count == 1 else {
            throw MirrorError(
                .usage, "cannot merge several plans into '\(destination)': it has the dataset of a single plan")
        }
        (self.opened, self.destination, self.folder, self.isDeep) = (opened, destination, folder, isDeep)
    }

    /// Requests the merge to stop.
    public func stop() { token.cancel() }

    /// Checks the pieces of all committed shards, and lists them unless shards are missing.
    ///
    /// Calls `progress` with the number of shards so far. Throws if a piece is missing or damaged.
    public func run(
        allowingMissing: Bool = false, progress: (Int) -> Void = { _ in }
    ) throws(MirrorError) -> Report {
        let lock = try lock()
        defer { withExtendedLifetime(lock) {} }
        var report = Report()
        do {
            let file = try folder.store.create(Self.list)
            let hash = SHA256()
            var line = JSONWriter()
            for number in opened.plan.shards.indices {
                guard !token.isCancelled else {
                    report.isStopped = true
                    return report
                }
                progress(number)
                guard let receipt = try ShardReceipt(of: number, of: opened.plan, in: opened.store) else {
                    report.missing.append(number)
                    continue
                }
                try finish(receipt)
                report.add(receipt)
                line.removeAll()
                line.object { receipt.writePieces(to: &$0) }
                line.newline()
                hash.update(line.bytes)
                try file.write(line.bytes)
            }
            guard report.missing.isEmpty || allowingMissing else { return report }
            try write(report, file.stage(flushed: true), sha256: hash.finish())
        } catch {
            throw MirrorError(converting: error)
        }
        return report
    }

    /// Lets one process at a time merge in a local folder.
    private func lock() throws(MirrorError) -> FolderLock? {
        guard !S3Location.isLocation(destination) else { return nil }
        return try MirrorFolder.lock(MirrorError.onDisk(Folder(destination)))
    }

    /// Gives the files of a shard their names if its worker was killed before, and checks them.
    private func finish(_ receipt: ShardReceipt) throws(MirrorError) {
        guard !receipt.files.isEmpty, receipt.counts.ended == opened.plan.shards[receipt.shard].rows else {
            throw MirrorError(
                .usage,
                "cannot merge shard \(receipt.shard): it was committed for a mirror and not for the dataset in "
                    + "'\(destination)'")
        }
        try folder.place(receipt)
        guard isDeep else { return }
        for file in receipt.files.map({ DatasetFolder.final($0, of: receipt.shard) }) {
            guard try MirrorError.onDisk(folder.store.contains(file)) else {
                throw MirrorError(
                    .damaged, "cannot merge shard \(receipt.shard): \(destination)/\(file.path) is damaged")
            }
        }
    }

    private func write(_ report: Report, _ list: StagedFile, sha256: String) throws(FileError) {
        let store = folder.store
        try store.commitAll([list], durability: .each)
        var writer = JSONWriter()
        writer.object { dataset in
            dataset.member("schema", 1)
            dataset.member("plan", opened.plan.id)
            dataset.member("source_sha256", opened.plan.sourceSHA256)
            dataset.array("options") { list in for word in words { list.value(word) } }
            dataset.member("rows", opened.plan.rows)
            dataset.member("shards", shards)
            dataset.array("missing") { list in for shard in report.missing { list.value(shard) } }
            report.counts.write(to: &dataset)
            dataset.member("samples", report.samples)
            dataset.member("pieces", report.pieces)
            dataset.member("piece_bytes", report.bytes)
            dataset.member("deep", isDeep)
            dataset.member("shards_sha256", sha256)
        }
        writer.newline()
        try store.write(writer.bytes, to: Self.name, temporary: Self.name, durability: .each)
        guard report.missing.isEmpty else { return }
        try store.write([], to: Certificate.success, temporary: Certificate.success, durability: .each)
        try ShardAttempts.removeAll(of: [opened.plan], in: store)
    }
}

extension DatasetMerge.Report {
    fileprivate mutating func add(_ receipt: ShardReceipt) {
        counts.add(receipt.counts)
        samples.add(receipt.samples ?? 0)
        for file in receipt.files where file.path !== DatasetFolder.manifest {
            pieces += 1
            bytes.add(file.bytes)
        }
    }
}

extension ShardReceipt {
    /// Writes the shard's counts and files under their names in the dataset.
    fileprivate func writePieces(to object: inout JSONWriter) {
        object.member("shard", shard)
        counts.write(to: &object)
        object.member("samples", samples)
        object.array("files") { list in
            for file in files {
                list.object { DatasetFolder.final(file, of: shard).write(to: &$0) }
            }
        }
    }
}
