// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFiles
internal import SluiceModel
internal import SluiceStore

/// The folder of a plan that is being written, locked against other planning processes.
struct PlanFolder: ~Copyable {
    private static let partial = ".plan/partial"
    /// The names that a plan's folder may have, besides hidden ones.
    private static let known: Set = [Plan.name, "shards", "receipts", ShardStatus.folder, "mirror"]

    let store: any Store
    /// Local files, which are staged and not committed.
    let temporary: LocalStore
    private let lock: LocationLock

    /// Opens or creates the folder, or takes the location in a bucket.
    init(_ path: String, _ buckets: S3Options) throws(MirrorError) {
        if let files = try BucketFiles.open(path, buckets) {
            let names = try MirrorError.onDisk(files.store.names(in: ""))
            try Self.check(names.filter { $0 != MirrorFolder.marker }, path)
            (store, temporary) = (files.store, files.temporary)
            lock = .bucket(files)
            return
        }
        let folder = try MirrorError.onDisk(Folder(path, create: true))
        try Self.check(MirrorError.onDisk(folder.names()), path)
        for name in [Self.partial, ShardStatus.folder] { try MirrorError.onDisk(folder.makeFolder(name)) }
        let lock = try Self.lock(folder)
        _ = try MirrorError.onDisk(folder.removeLeftovers(in: Self.partial) { _ in true })
        temporary = LocalStore(folder, stagingIn: Self.partial)
        store = temporary
        self.lock = .folder(lock)
    }

    private static func check(_ names: [String], _ path: String) throws(MirrorError) {
        guard names.allSatisfy({ $0.hasPrefix(".plan") || known.contains($0) }) else {
            throw MirrorError(
                .usage, "cannot plan into '\(path)': it has other files and is not a plan", hint: .chooseFolder)
        }
    }

    private static func lock(_ folder: Folder) throws(MirrorError) -> FolderLock {
        try MirrorError.onDisk(FolderLock(".plan/lock", in: folder))
    }

    /// Stores the plan and its rows; returns whether the folder has the same plan already.
    ///
    /// Throws if it has another one.
    func commit(_ plan: Plan, _ files: [StagedFile]) throws(MirrorError) -> Bool {
        guard let exclusive = store.exclusiveWriting else {
            throw MirrorError(.usage, "cannot plan into '\(store.location)': it cannot store a file only if it is new")
        }
        let isKnown = store.size(of: Plan.name) != nil
        if isKnown { for file in files { store.discard(file) } }
        if !isKnown { try MirrorError.onDisk(store.commitAll(files, durability: .batch)) }
        let isNew = try MirrorError.onDisk(
            exclusive.writeIfAbsent(plan.json, to: Plan.name, temporary: "\(Self.partial)/\(Plan.name)"))
        guard isNew || store.hasContent(plan.json, in: Plan.name) else {
            throw MirrorError(
                .usage, "cannot plan into '\(store.location)': it has another plan, and a plan never changes",
                hint: .chooseFolder)
        }
        return !isNew
    }
}
