// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceLedger

/// A mirror on disk: its folder, held open and locked, and its ledger.
struct MirrorFolder: ~Copyable {
    /// Where downloads grow until they are whole.
    static let partial = ".sluice/partial"
    /// What makes a folder a mirror.
    private static let mark = ".sluice"

    let folder: Folder
    let ledger: Ledger
    private let lock: FolderLock

    /// Opens a mirror for a run, or makes it; a folder with other things in it is left alone.
    static func open(making path: String) throws(MirrorError) -> MirrorFolder {
        let folder = try MirrorError.onDisk(Folder(path, create: true))
        let names = try MirrorError.onDisk(folder.names())
        guard names.isEmpty || names.contains(mark) else {
            throw MirrorError(.usage, "\(path) holds other files and is no mirror: give --out an empty folder")
        }
        return try MirrorFolder(in: folder)
    }

    /// Opens a mirror that is there.
    static func open(_ path: String) throws(MirrorError) -> MirrorFolder {
        let folder = try MirrorError.onDisk(Folder(path))
        guard try MirrorError.onDisk(folder.names()).contains(mark) else {
            throw MirrorError(.usage, "\(path) is no mirror: it has no folder \(mark)")
        }
        return try MirrorFolder(in: folder)
    }

    private init(in folder: Folder) throws(MirrorError) {
        try MirrorError.onDisk(folder.makeFolder(Self.partial))
        try MirrorError.onDisk(folder.checkWritable())
        let lock = try Self.lock(folder)
        let ledger = try MirrorError.inLedger(Ledger(in: folder))
        self.folder = folder
        self.ledger = ledger
        self.lock = lock
    }

    private static func lock(_ folder: Folder) throws(MirrorError) -> FolderLock {
        do { return try FolderLock("\(mark)/lock", in: folder) } catch { throw MirrorError(error) }
    }

    /// Gives the mirror back: another run may have it.
    consuming func close() {
        lock.release()
    }
}
