// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFiles
internal import SluiceLedger
internal import SluiceModel
internal import SluiceStore

/// The attempts at one shard: folders below the hidden folder of the mirror in `--out`, each of them a mirror.
///
/// The name of an attempt is that of its machine with a random suffix, so no two attempts use the same folder unless
/// one resumes the other.
struct ShardAttempts: Sendable {
    /// The folder of the attempts of all plans, relative to the mirror's folder.
    private static let parent = "\(MirrorFolder.marker)/shards"

    private enum Place {
        case local(Folder)
        /// The mirror's location in a bucket, and a local folder for copies of ledgers.
        case bucket(S3Store, copies: Folder)
    }

    private let destination: String
    private let shard: Int
    /// The plan's `Plan.id`.
    private let plan: String
    /// Whether these are attempts on the machine's own disk, which are copied before they are committed.
    private let isOwnDisk: Bool
    /// The name of the folder of these attempts, relative to the mirror's.
    private let name: String
    private let buckets: S3Options
    private let place: Place

    /// Opens the folder of a shard's attempts; with `create` it is created if it does not exist.
    init(
        of shard: Int, of plan: Plan, below destination: String, _ buckets: S3Options, create: Bool = false,
        isOwnDisk: Bool = false
    ) throws(MirrorError) {
        (self.shard, self.plan, self.isOwnDisk) = (shard, plan.id, isOwnDisk)
        name = Self.name(of: shard, of: plan)
        (self.destination, self.buckets) = (destination, buckets)
        if let (store, copies) = try BucketMirror(destination, buckets)?.openShared() {
            place = .bucket(store, copies: copies)
            return
        }
        do throws(FileError) {
            place = .local(try Folder(destination, create: create).folder(name, create: create))
        } catch {
            // Without files of the shard, it was done with another --out.
            let isUsage = error.isMissing && !create
            let reason = isUsage ? "it has no files of shard \(shard)" : "\(error)"
            throw MirrorError(
                isUsage ? .usage : .local, "cannot use '\(destination)' as the output folder: \(reason)",
                hint: .chooseFolder)
        }
    }

    /// Returns the name of the folder of a shard's attempts, relative to the mirror's folder.
    static func name(of shard: Int, of plan: Plan) -> String { "\(name(of: plan))/\(Plan.digits(shard))" }

    /// Returns the name of the folder of the hosts' rules that the shards of a plan share, relative to the mirror's
    /// folder.
    static func rulesFolder(of plan: Plan) -> String { "\(name(of: plan))/rules" }

    private static func name(of plan: Plan) -> String { "\(parent)/\(plan.id.prefix(16))" }

    /// Removes all attempts at the shards of these plans; those of other plans stay.
    static func removeAll(of plans: [Plan], in mirror: any Store) throws(FileError) {
        for plan in plans { try mirror.removeFolder(name(of: plan)) }
        if try mirror.names(in: MirrorFolder.marker).contains("shards"), try mirror.names(in: parent).isEmpty {
            try mirror.removeFolder(parent)
        }
    }

    // MARK: Names

    static func newName() -> String {
        "\(machine)-\(String(UInt64.random(in: 0...UInt64.max), radix: 16).zeroPadded(to: 16))"
    }

    func all() throws(MirrorError) -> [String] {
        do throws(FileError) {
            switch place {
            case .local(let folder): return try folder.names()
            case .bucket(let store, _): return try store.names(in: name)
            }
        } catch {
            // A folder in a bucket exists with its first file.
            guard error.isMissing, case .bucket = place else { throw MirrorError(error) }
            return []
        }
    }

    func ofThisMachine() throws(MirrorError) -> [String] {
        try all().filter { name in
            name.hasPrefix("\(Self.machine)-") && name.utf8.count == Self.machine.utf8.count + 17
        }
    }

    /// The machine's name as a part of a file name.
    private static let machine: String = {
        let plain = Machine.hostName.lowercased().map { $0.isASCII && ($0.isLetter || $0.isNumber) ? $0 : "-" }
        return String(plain.prefix(64))
    }()

    // MARK: Attempts

    /// Whether the process that has last worked on an attempt in a bucket has ended, so that it may be resumed.
    ///
    /// One whose lease has expired may be frozen, and go on when it wakes up. The lock of a local folder tells whether
    /// its process has ended.
    func mayResume(_ attempt: String) throws(MirrorError) -> Bool {
        try BucketMirror(path(of: attempt), buckets(of: attempt))?.hasEndedWriter() ?? true
    }

    /// The name of an attempt's folder, relative to the mirror's.
    func name(of attempt: String) -> String { "\(name)/\(attempt)" }

    /// The path or the URL of an attempt.
    func path(of attempt: String) -> String { "\(destination)/\(name(of: attempt))" }

    /// The options with which an attempt in a bucket is opened: each has a local folder of its own for its ledger.
    func buckets(of attempt: String) -> S3Options {
        var options = buckets
        options.stateFolder = buckets.stateFolder.map { "\($0)/\(name(of: attempt))" }
        return options
    }

    /// Returns the local folder of an attempt; `nil` if it is in a bucket.
    func localFolder(of attempt: String, create: Bool = false) throws(MirrorError) -> Folder? {
        guard case .local(let folder) = place else { return nil }
        return try MirrorError.onDisk(folder.folder(attempt, create: create))
    }

    /// Returns the files of an attempt, which no process writes to any more.
    func files(of attempt: String) throws(MirrorError) -> any Store {
        switch place {
        case .local(let folder): LocalStore(try MirrorError.onDisk(folder.folder(attempt)))
        case .bucket(let store, _): store.unchanging(name(of: attempt))
        }
    }

    /// Opens the results of an attempt, which no process writes to any more.
    ///
    /// Throws the error of `committed` if they are not in the file that a receipt commits.
    func results(
        of attempt: String, committed: (file: StoredFile, error: MirrorError)? = nil
    ) throws(MirrorError) -> AttemptResults {
        let (folder, copy): (Folder, StagedFile?)
        do throws(FileError) {
            switch place {
            case .local(let attempts): (folder, copy) = (try attempts.folder(attempt), nil)
            case .bucket(let store, let copies):
                folder = copies
                let kept = committed.map { Self.keptLedger($0.file) }
                let names = [kept, Ledger.name].compactMap { $0.map { "\(name(of: attempt))/\($0)" } }
                // Earlier versions kept no copy.
                let ledger = names.first { store.size(of: $0) != nil } ?? names[0]
                copy = try store.copy(ledger).stage(as: Ledger.name)
            }
        } catch {
            guard error.isMissing else { throw MirrorError(error) }
            throw MirrorError(.damaged, "the files of an attempt are missing: \(error)")
        }
        return try AttemptResults(
            in: folder, copy?.temporary ?? Ledger.name, isCopy: copy != nil, committed: committed)
    }

    /// The name of the copy of a ledger that a receipt may name.
    private static func keptLedger(_ ledger: StoredFile) -> String {
        "\(MirrorFolder.marker)/ledger-\(ledger.sha256).sqlite"
    }

    /// Keeps the ledger of an attempt in a bucket under a name of its content, before a receipt commits it.
    ///
    /// A frozen process that worked on the attempt may still replace the ledger when it wakes up, but not this copy.
    func keep(_ results: borrowing AttemptResults, in lock: borrowing LocationLock) throws(MirrorError) {
        switch lock {
        case .folder: break
        case .bucket(let files):
            try MirrorError.onDisk(results.store(as: Self.keptLedger(results.file), in: files.store))
        }
    }

    /// Opens the results that a receipt commits; `nil` if it commits none.
    ///
    /// Throws an error that begins with `problem` if they have changed since.
    func results(committedBy receipt: ShardReceipt, orThrow problem: String) throws(MirrorError) -> AttemptResults? {
        guard let attempt = receipt.attempt, let ledger = receipt.ledger else { return nil }
        let error = MirrorError(.damaged, "\(problem): \(path(of: attempt)) has changed after it was committed")
        return try results(of: attempt, committed: (ledger, error))
    }

    /// Prevents other processes from resuming an attempt until the value is released.
    func lock(_ attempt: String) throws(MirrorError) -> LocationLock {
        let path = path(of: attempt)
        if let files = try BucketFiles.open(path, buckets(of: attempt)) { return .bucket(files) }
        return .folder(try MirrorFolder.lock(MirrorError.onDisk(Folder(path))))
    }

    /// Locks an attempt of a process that may have been killed, after moving its last results into the ledger's file;
    /// returns `nil` if it has no usable ledger.
    func lockSettled(_ attempt: String) throws(MirrorError) -> LocationLock? {
        if case .bucket = place {
            // The local folder may have results that the bucket lacks; closing the mirror copies them.
            do throws(MirrorError) {
                try MirrorFolder.open(path(of: attempt), buckets: buckets(of: attempt)).close()
            } catch {
                guard error.code == .damaged else { throw error }
                return nil
            }
            return try lock(attempt)
        }
        let lock = try lock(attempt)
        guard let folder = try localFolder(of: attempt), folder.size(of: Ledger.name) ?? 0 > 0,
            let ledger = try? Ledger(in: folder, creates: false)
        else { return nil }
        // A killed process left its last results in the write-ahead log. Closing the ledger moves them into the file.
        ledger.close()
        return lock
    }

    /// Removes an attempt that the shard's receipt does not name.
    ///
    /// A shard has one receipt, which never changes. So the attempt can never be committed, however long the process
    /// was frozen before it removes it. There is no other way to remove an attempt before the merge.
    func remove(_ attempt: String, losingTo receipt: ShardReceipt) throws(MirrorError) {
        guard receipt.shard == shard, receipt.plan == plan, receipt.attempt !== attempt else { return }
        switch place {
        case .local(let folder): try MirrorError.onDisk(folder.removeTree(attempt))
        case .bucket(let store, _): try MirrorError.onDisk(store.removeFolder(name(of: attempt)))
        }
    }

    /// Removes an attempt from the machine's own disk, when the shard is committed.
    func removeCopy(of attempt: String) throws(MirrorError) {
        guard isOwnDisk, case .local(let folder) = place else { return }
        try MirrorError.onDisk(folder.removeTree(attempt))
    }

    /// Removes the local folder of an attempt in a bucket that is not resumed any more.
    func removeState(of attempt: String) throws(MirrorError) {
        try BucketMirror(path(of: attempt), buckets(of: attempt))?.removeState()
    }
}

/// Copies an attempt from the machine's own disk to the mirror's folder.
///
/// It skips files that an interrupted copy has completed. The ledger is copied last.
struct AttemptCopy {
    /// The number of photos whose files are flushed together.
    private static let batchSize = 64

    private let source: Folder
    private let target: Folder

    init(from source: Folder, to target: Folder) { (self.source, self.target) = (source, target) }

    /// Copies it; both folders are locked.
    func run() throws(MirrorError) {
        let ledger = try MirrorError.inLedger(Ledger(reading: source))
        defer { ledger.close() }
        var batches = ledger.batches(size: Self.batchSize)
        while let entries = try MirrorError.inLedger(batches.next()) {
            let files = entries.flatMap { $0.receipt?.files ?? [] }
            try MirrorError.onDisk(copy(files.filter { target.size(of: $0.path) != $0.bytes }.map(\.path)))
        }
        try MirrorError.onDisk(copy([Ledger.name]))
    }

    private func copy(_ names: [String]) throws(FileError) {
        var staged: [StagedFile] = []
        for (index, name) in names.enumerated() {
            let copy = try target.stageCopy(
                of: try source.openForReading(name), as: name, temporary: "\(MirrorFolder.partial)/\(index)")
            staged.append(try copy.stage(flushed: false))
        }
        try LocalStore(target).commitAll(staged, durability: .batch)
    }
}
