// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel
internal import SluiceTransfer

extension Folder {
    /// Whether the file is there and is what is known of it: its size, and its SHA-256.
    func holds(_ file: StoredFile) -> Bool {
        guard let open = try? openForReading(file.path), (try? open.size) == file.bytes else { return false }
        return SHA256.digest(ofFileAt: open.descriptor) == file.sha256
    }
}
