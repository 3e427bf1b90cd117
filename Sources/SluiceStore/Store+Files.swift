// SPDX-License-Identifier: MIT

package import SluiceFiles
package import SluiceModel
internal import SluiceTransfer

extension Store {
    /// Stores a whole file.
    ///
    /// Throws if it did not get its name.
    package func write(
        _ bytes: [UInt8], to name: String, temporary: String, durability: Durability
    ) throws(FileError) {
        try commitAll(
            [try stage(bytes, as: name, temporary: temporary, durability: durability)], durability: durability)
    }

    /// Commits files.
    ///
    /// Throws and discards those that did not get their names, if there are any.
    package func commitAll(_ files: [StagedFile], durability: Durability) throws(FileError) {
        var failure: FileError?
        do throws(FileError) {
            let failures = try commit(files, durability: durability)
            for file in files where failures[file] != nil {
                discard(file)
                failure = failure ?? failures[file]
            }
        } catch {
            for file in files { discard(file) }
            throw error
        }
        if let failure { throw failure }
    }

    /// Stores a copy of a local file, which has the content of `file`, under the name of `file`.
    package func store(_ source: consuming OpenFile, as file: StoredFile) throws(FileError) {
        let copy = try create(file.path)
        var offset = 0
        while case let bytes = try source.read(at: offset, count: 1 << 20), !bytes.isEmpty {
            try copy.write(bytes)
            offset += bytes.count
        }
        try commitAll([try copy.stage(flushed: false).adding(sha256: file.sha256)], durability: .each)
    }

    /// Reads a whole file; throws if it is longer than `limit` bytes.
    package func read(_ name: String, limit: Int) throws(FileError) -> [UInt8] { try open(name).readAll(limit: limit) }

    /// Whether a file exists and contains exactly these bytes.
    package func hasContent(_ bytes: [UInt8], in name: String) -> Bool {
        guard size(of: name) == bytes.count, let file = try? open(name) else { return false }
        return (try? file.read(at: 0, count: bytes.count + 1)) == bytes
    }

    /// Whether the store has this file with the recorded size and checksum.
    ///
    /// Throws if a file cannot be read, because it may be intact: a disk may fail for a moment.
    package func contains(_ file: StoredFile) throws(FileError) -> Bool {
        guard let open = try openComplete(file) else { return false }
        guard let sha256 = SHA256.digest(ofFileAt: open.descriptor) else { throw FileError(unreadable: open.path) }
        return sha256 == file.sha256
    }

    /// Opens this file; returns `nil` if it does not exist or has another size.
    ///
    /// Throws if it cannot be opened.
    package func openComplete(_ file: StoredFile) throws(FileError) -> OpenFile? {
        let open: OpenFile
        do throws(FileError) {
            open = try self.open(file.path)
        } catch {
            guard error.isAbsence else { throw error }
            return nil
        }
        guard try open.size == file.bytes else { return nil }
        return open
    }

    /// Returns the sorted names of the files and folders directly in a folder.
    package func names(in folder: String) throws(FileError) -> [String] { try list(folder).map(\.name) }

    /// Removes a file; a missing one is not an error.
    package func remove(_ name: String) throws(FileError) { try remove([name], durability: .none) }
}
