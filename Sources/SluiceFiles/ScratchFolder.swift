// SPDX-License-Identifier: MIT
internal import SluiceSystem

/// A folder for temporary files, which only this user may read; it is removed with all its files when it is released;
/// those that are open remain readable.
package final class ScratchFolder: Sendable {
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

    /// Returns the folder at a path, or this one instead of a missing one; throws if that could not be created.
    package func replacement(of path: String) throws(FileError) -> Folder {
        try Folder.checkCreation(of: path)
        do throws(FileError) { return try Folder(path) } catch {
            guard error.isMissing else { throw error }
            return try Folder(self.path)
        }
    }

    deinit {
        if let folder = try? Folder(path) {
            for name in (try? folder.names()) ?? [] {
                if (try? folder.remove(name)) == nil { try? folder.removeTree(name) }
            }
        }
        unsafe rmdir(path)
    }
}
