// SPDX-License-Identifier: MIT
internal import SluiceSystem

/// A folder for temporary files, which only this user may read; it is removed with all its files when it is released.
package final class ScratchFolder: Sendable {
    /// The absolute path.
    package let path: String

    /// Creates a folder in `parent`, or else in the system's folder for temporary files.
    package init(in parent: String? = nil) throws(FileError) {
        let parent = unsafe parent ?? getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp"
        // mkdtemp replaces the six X.
        var template = Array("\(parent)/sluice-XXXXXX".utf8CString)
        guard unsafe mkdtemp(&template) != nil else {
            throw FileError(code: errno, operation: "create a folder in", path: parent)
        }
        path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
    }

    /// Removes the files; those that are open remain readable.
    package func removeFiles() {
        guard let folder = try? Folder(path), let names = try? folder.names() else { return }
        for name in names { try? folder.remove(name) }
    }

    deinit {
        removeFiles()
        unsafe rmdir(path)
    }
}
