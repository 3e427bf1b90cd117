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
    private let lock: FolderLock

    /// Opens or creates the folder.
    init(_ path: String) throws(MirrorError) {
        let folder = try MirrorError.onDisk(Folder(path, create: true))
        let names = try MirrorError.onDisk(folder.names())
        guard names.allSatisfy({ $0.hasPrefix(".plan") || Self.known.contains($0) }) else {
            throw MirrorError(
                .usage, "cannot plan into '\(path)': it has other files and is not a plan", hint: .chooseFolder)
        }
        for name in [Self.partial, ShardStatus.folder] { try MirrorError.onDisk(folder.makeFolder(name)) }
        let lock = try Self.lock(folder)
        _ = try MirrorError.onDisk(folder.removeLeftovers(in: Self.partial) { _ in true })
        store = LocalStore(folder, stagingIn: Self.partial)
        self.lock = consume lock
    }

    private static func lock(_ folder: Folder) throws(MirrorError) -> FolderLock {
        do throws(FolderLockError) { return try FolderLock(".plan/lock", in: folder) } catch {
            throw MirrorError(error)
        }
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
