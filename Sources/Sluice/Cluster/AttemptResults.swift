// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFiles
internal import SluiceLedger
internal import SluiceModel
internal import SluiceTransfer

/// The ledger of an attempt, which no process writes to any more, and its digest.
struct AttemptResults: ~Copyable {
    let ledger: Ledger
    let file: StoredFile
    private let folder: Folder
    /// The name of the local copy, which is removed at the end; `nil` for the attempt's own ledger.
    private let copy: String?

    /// Opens a ledger in a local folder; one that is a copy is removed at the end of the value's lifetime.
    init(in folder: Folder, _ name: String, isCopy: Bool = false) throws(MirrorError) {
        let bytes: Int
        let sha256: String?
        do throws(FileError) {
            let file = try folder.openForReading(name)
            (bytes, sha256) = (try file.size, SHA256.digest(ofFileAt: file.descriptor))
        } catch {
            throw MirrorError(error)
        }
        guard let sha256 else { throw MirrorError(.local, "cannot read '\(folder.fullPath(of: name))'") }
        let ledger = try MirrorError.inLedger(Ledger(reading: folder, named: name))
        (self.ledger, self.folder, copy) = (ledger, folder, isCopy ? name : nil)
        file = StoredFile(path: Ledger.name, bytes: bytes, sha256: sha256)
    }

    deinit {
        ledger.close()
        // If the removal fails, the file only takes space.
        if let copy { try? folder.remove(copy) }
    }
}
