// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFiles
internal import SluiceLedger
internal import SluiceModel
internal import SluiceStore

/// The folder or the bucket of a dataset that the shards of one plan write directly.
///
/// Attempts store their pieces in hidden folders. Only those that a receipt names get their names in the dataset.
struct DatasetFolder {
    /// The file that names the plan and the options of the dataset.
    private static let record = "\(MirrorFolder.marker)/dataset.json"
    private static let maximumRecord = 1 << 20
    /// The results of all photos of a shard, beside its pieces.
    static let manifest = "manifest.jsonl.zst"

    let store: any Store
    private let plan: Plan
    /// The options of the dataset in words.
    let words: [String]

    /// Opens the dataset of a plan; `nil` if the location has none.
    ///
    /// Throws if it has that of another plan.
    init?(of plan: Plan, at destination: String, _ buckets: S3Options) throws(MirrorError) {
        guard let store = try Self.store(destination, buckets, create: false) else { return nil }
        let bytes: [UInt8]
        do throws(FileError) { bytes = try store.read(Self.record, limit: Self.maximumRecord) } catch {
            guard error.isMissing else { throw MirrorError(error) }
            return nil
        }
        guard let json = try? JSON(parsing: bytes), json["schema"]?.integer == 1,
            let words = json["options"]?.elements?.compactMap(\.text)
        else { throw MirrorError(.damaged, "cannot read '\(destination)/\(Self.record)': it is malformed") }
        guard json["plan"]?.text === plan.id else {
            throw MirrorError(
                .usage, "cannot use '\(destination)' as the output folder: it has the dataset of another plan",
                hint: .chooseFolder)
        }
        (self.store, self.plan, self.words) = (store, plan, words)
    }

    /// Opens the dataset of a plan, or begins it in an empty location.
    ///
    /// Throws if it has other options or other files.
    init(
        of plan: Plan, at destination: String, _ buckets: S3Options, beginningWith words: [String]
    ) throws(MirrorError) {
        if try DatasetFolder(of: plan, at: destination, buckets) == nil {
            try Self.begin(plan, at: destination, buckets, words)
        }
        guard let folder = try DatasetFolder(of: plan, at: destination, buckets) else {
            throw MirrorError(.local, "cannot write to '\(destination)': it does not keep \(Self.record)")
        }
        guard folder.words.count == words.count, zip(folder.words, words).allSatisfy({ $0 === $1 }) else {
            throw MirrorError(
                .usage,
                "cannot work on the dataset in '\(destination)': its other shards have the options "
                    + "`\(folder.words.joined(separator: " "))`")
        }
        self = folder
    }

    private static func begin(
        _ plan: Plan, at destination: String, _ buckets: S3Options, _ words: [String]
    ) throws(MirrorError) {
        guard let store = try store(destination, buckets, create: true) else { return }
        let others = try MirrorError.onDisk(store.names(in: "")).filter { $0 != MirrorFolder.marker }
        guard others.isEmpty, store.size(of: Ledger.name) == nil else {
            throw MirrorError(
                .usage, "cannot use '\(destination)' for a dataset: it has other files", hint: .chooseFolder)
        }
        var writer = JSONWriter()
        writer.object { record in
            record.member("schema", 1)
            record.member("plan", plan.id)
            record.array("options") { list in for word in words { list.value(word) } }
        }
        writer.newline()
        let temporary = "dataset-\(ShardAttempts.newName())"
        _ = try MirrorError.onDisk(
            store.exclusiveWriting?.writeIfAbsent(
                writer.bytes, to: record, temporary: "\(MirrorFolder.partial)/\(temporary)"))
    }

    private static func store(
        _ destination: String, _ buckets: S3Options, create: Bool
    ) throws(MirrorError) -> (any Store)? {
        if let bucket = try BucketMirror(destination, buckets) { return try bucket.openShared().store }
        do throws(FileError) {
            let folder = try Folder(destination, create: create)
            if create { try folder.makeFolder(MirrorFolder.partial) }
            return LocalStore(folder, stagingIn: MirrorFolder.partial)
        } catch {
            guard error.isMissing, !create else {
                throw MirrorError(
                    .local, "cannot use '\(destination)' as the output folder: \(error)", hint: .chooseFolder)
            }
            return nil
        }
    }

    // MARK: Pieces

    /// The name of a shard's file in the dataset.
    static func name(of file: String, of shard: Int) -> String {
        let digits = Plan.digits(shard)
        return file === manifest ? "manifests/\(digits).jsonl.zst" : "\(digits)-\(file)"
    }

    /// The hidden name of an attempt's file.
    private func hiddenName(of file: String, _ attempt: String, of shard: Int) -> String {
        "\(folder(of: attempt, of: shard))/\(DatasetCommit.folder)/\(file)"
    }

    private func folder(of attempt: String, of shard: Int) -> String {
        "\(ShardAttempts.name(of: shard, of: plan))/\(attempt)"
    }

    /// Copies an attempt's files from the machine's own disk to their hidden names.
    func publish(_ files: [StoredFile], of attempt: String, of shard: Int, from folder: Folder) throws(MirrorError) {
        for file in files {
            var hidden = file
            hidden.path = hiddenName(of: file.path, attempt, of: shard)
            try MirrorError.onDisk(store.store(folder.openForReading(file.path), as: hidden))
        }
    }

    /// Gives the files of a committed shard their names in the dataset, unless they have them, and removes its
    /// attempt.
    ///
    /// Several processes may do it at the same time.
    func place(_ receipt: ShardReceipt) throws(MirrorError) {
        guard let attempt = receipt.attempt else { return }
        let missing = missing(of: receipt)
        let copies = missing.enumerated().map { index, file in
            store.stageCopy(
                of: hiddenName(of: file.path, attempt, of: receipt.shard), as: Self.final(file, of: receipt.shard),
                temporary: "\(attempt)-\(index)")
        }
        do throws(FileError) { try store.commitAll(copies, durability: .batch) } catch {
            guard error.isMissing else { throw MirrorError(error) }
            // Another process has given them their names, and has removed the attempt.
            guard self.missing(of: receipt).isEmpty else {
                throw MirrorError(
                    .damaged, "cannot finish shard \(receipt.shard): files of its attempt are missing: \(error)")
            }
        }
        try remove(attempt, of: receipt.shard)
    }

    private func missing(of receipt: ShardReceipt) -> [StoredFile] {
        receipt.files.filter { store.size(of: Self.name(of: $0.path, of: receipt.shard)) != $0.bytes }
    }

    /// A file of a shard under its name in the dataset.
    static func final(_ file: StoredFile, of shard: Int) -> StoredFile {
        StoredFile(path: name(of: file.path, of: shard), bytes: file.bytes, sha256: file.sha256)
    }

    /// Removes what an attempt has published, if the shard's receipt names another one.
    func remove(_ attempt: String, losingTo receipt: ShardReceipt) throws(MirrorError) {
        guard receipt.plan == plan.id, receipt.attempt !== attempt else { return }
        try remove(attempt, of: receipt.shard)
    }

    private func remove(_ attempt: String, of shard: Int) throws(MirrorError) {
        try MirrorError.onDisk(store.removeFolder(folder(of: attempt, of: shard)))
    }
}
