// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceLedger

/// A mirror on disk: its folder, held open and locked, and its ledger.
struct MirrorFolder: ~Copyable {
    /// Where downloads grow until they are whole.
    static let partial = ".sluice/partial"
    /// What makes a folder a mirror.
    static let mark = ".sluice"
    /// SQLite takes no path of more than 511 bytes, and the ledger's is a little longer than the folder's.
    private static let longestPath = 480
    /// What to do where the ledger is lost.
    static let rebuildAdvice = "`sluice gallery DIR --rebuild` makes it anew from the manifest and the files"

    let folder: Folder
    let ledger: Ledger
    private let lock: FolderLock?

    /// Opens a mirror for a run, or makes it; a folder with other things in it is left alone.
    ///
    /// So is one of somebody else's that still others may write to, unless `sharing` allows it.
    static func open(making path: String, sharing: Bool) throws(MirrorError) -> MirrorFolder {
        let length = Folder.wholeLength(of: path)
        guard length <= longestPath else {
            let words =
                "\(path) has \(length) bytes with the folders above it, and a mirror's folder may have \(longestPath)"
            throw MirrorError(.local, "\(words): give a shorter one with --out")
        }
        let folder: Folder
        let names: [String]
        do throws(FileError) {
            folder = try Folder(path, create: true)
            names = try folder.names()
        } catch {
            let reason = error.isNoFolder ? error.reason : error.description
            throw MirrorError(.local, "\(path) cannot be the mirror's folder (\(reason)): give another with --out")
        }
        guard names.isEmpty || names.contains(mark) else {
            throw MirrorError(.usage, "\(path) holds other files and is no mirror: give an empty folder with --out")
        }
        guard sharing || !folder.isOthers else {
            let words = "\(path) is unsafe: it belongs to another user, and others may write to it"
            throw MirrorError(.local, "\(words); give a folder of your own with --out, or --force")
        }
        return try MirrorFolder(in: folder, makesLedger: true)
    }

    /// Opens a mirror that is there.
    static func open(_ path: String) throws(MirrorError) -> MirrorFolder {
        try MirrorFolder(in: try find(path), makesLedger: false)
    }

    /// Opens a mirror that is there and of which nothing is to be changed: also one that cannot be, such as a backup.
    static func open(reading path: String) throws(MirrorError) -> MirrorFolder {
        let folder = try find(path)
        let isReadOnly = [mark, Ledger.name].contains { folder.isReadOnly($0) }
        return isReadOnly ? try MirrorFolder(reading: folder) : try MirrorFolder(in: folder, makesLedger: false)
    }

    /// The folder of a mirror that is there, to read in, whatever became of its ledger: it is not locked.
    static func find(_ path: String) throws(MirrorError) -> Folder {
        let folder: Folder
        let names: [String]
        do throws(FileError) {
            folder = try Folder(path)
            names = try folder.names()
        } catch {
            let isWrongName = error.isMissing || error.isNoFolder
            throw MirrorError(isWrongName ? .usage : .local, "\(path) cannot be opened as a mirror: \(error.reason)")
        }
        guard names.contains(mark) else { throw MirrorError(.usage, "\(path) is no mirror: it has no \(mark) in it") }
        return folder
    }

    private init(in folder: Folder, makesLedger: Bool) throws(MirrorError) {
        let lock = try Self.lock(folder)
        // A new ledger would know of no photo, and what is written from it would replace what stands.
        if !makesLedger { try Self.checkLedger(in: folder) }
        let ledger = try MirrorError.inLedger(Ledger(in: folder))
        self.folder = try MirrorError.onDisk(folder.holding(Self.partial))
        self.ledger = ledger
        self.lock = consume lock
    }

    private init(reading folder: Folder) throws(MirrorError) {
        try Self.checkLedger(in: folder)
        let lock = try Self.readersLock(folder)
        let ledger = try MirrorError.inLedger(Ledger(reading: folder))
        self.folder = folder
        self.ledger = ledger
        self.lock = consume lock
    }

    private static func checkLedger(in folder: Folder) throws(MirrorError) {
        guard folder.size(of: Ledger.name) ?? 0 > 0 else {
            throw MirrorError(.damaged, "\(folder.path) has no ledger (\(Ledger.name)); \(rebuildAdvice)")
        }
    }

    /// Keeps writers away, who may come to the folder by another way than this process.
    private static func readersLock(_ folder: Folder) throws(MirrorError) -> FolderLock? {
        do throws(FolderLockError) {
            return try FolderLock(reading: lockName, in: folder)
        } catch {
            // A copy may lack the file, which nobody who cannot write to it needs then.
            guard case .file = error else { throw MirrorError(error) }
            return nil
        }
    }

    fileprivate static let lockName = "\(mark)/lock"

    /// Takes the mirror's lock, and makes sure that files can be kept.
    static func lock(_ folder: Folder) throws(MirrorError) -> FolderLock {
        do throws(FolderLockError) {
            return try folder.lockForWriting()
        } catch {
            guard case .file(let error) = error else { throw MirrorError(error) }
            throw MirrorError(
                .local, "\(folder.path) cannot be written (\(error)): see to it, or give another with --out")
        }
    }

    /// Gives the mirror back: another run may have it.
    consuming func close() {
        // Work that has ended may be held by its thread for a moment more, and the ledger with it.
        ledger.close()
        lock?.release()
    }
}

extension Folder {
    fileprivate func lockForWriting() throws(FolderLockError) -> FolderLock {
        do throws(FileError) { try makeFolder(MirrorFolder.partial) } catch { throw .file(error) }
        let lock = try FolderLock(MirrorFolder.lockName, in: self)
        do throws(FileError) {
            // Under the lock, where what a killed run left of a check can be told from a check under way.
            try removeLeftovers { $0.hasPrefix(Folder.checkPrefix) }
            try checkWritable()
        } catch {
            throw .file(error)
        }
        return lock
    }
}
