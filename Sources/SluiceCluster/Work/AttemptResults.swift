// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFiles
internal import SluiceLedger
internal import SluiceModel
internal import SluiceStore
internal import SluiceTransfer

/// The ledger of an attempt, which no process writes to any more, and its digest.
struct AttemptResults: ~Copyable {
    let ledger: Ledger
    let file: StoredFile
    private let folder: Folder
    private let name: String
    /// Whether the file is a local copy, which is removed at the end, and not the attempt's own ledger.
    private let isCopy: Bool

    /// Opens a ledger in a local folder; one that is a copy is removed at the end of the value's lifetime.
    ///
    /// Throws the error of `committed` if the ledger is not the file that a receipt commits. Its bytes are compared
    /// before it is opened, because they may come from another machine.
    init(
        in folder: Folder, _ name: String, isCopy: Bool = false,
        committed: (file: StoredFile, error: MirrorError)? = nil
    ) throws(MirrorError) {
        do throws(MirrorError) {
            let file = try Self.file(in: folder, name, committed)
            ledger = try MirrorError.inLedger(Ledger(reading: folder, named: name))
            (self.folder, self.name, self.isCopy, self.file) = (folder, name, isCopy, file)
        } catch {
            if isCopy { try? folder.remove(name) }
            throw error
        }
    }

    /// Stores the ledger in `store` under another name.
    func store(as name: String, in store: any Store) throws(FileError) {
        let file = StoredFile(path: name, bytes: file.bytes, sha256: file.sha256)
        try store.store(folder.openForReading(self.name), as: file)
    }

    private static func file(
        in folder: Folder, _ name: String, _ committed: (file: StoredFile, error: MirrorError)?
    ) throws(MirrorError) -> StoredFile {
        let bytes: Int
        let sha256: String?
        do throws(FileError) {
            let file = try folder.openForReading(name)
            bytes = try file.size
            // A file of another size need not be read.
            let isCandidate = committed.map { $0.file.bytes == bytes } ?? true
            sha256 = isCandidate ? SHA256.digest(ofFileAt: file.descriptor) : ""
        } catch {
            throw MirrorError(error)
        }
        guard let sha256 else { throw MirrorError(.local, "cannot read '\(folder.fullPath(of: name))'") }
        let file = StoredFile(path: Ledger.name, bytes: bytes, sha256: sha256)
        if let committed, file != committed.file { throw committed.error }
        return file
    }

    deinit {
        ledger.close()
        // If the removal fails, the file only takes space.
        if isCopy { try? folder.remove(name) }
    }
}
