// SPDX-License-Identifier: MIT
internal import SluiceSystem

/// A folder for temporary files, which only this user may read; it is removed with all its files when it is released;
/// those that are open remain readable.
///
/// It is locked: the next process that makes such a folder removes those of killed processes, which are not.
package final class ScratchFolder: Sendable {
    /// The name of such a folder has six more characters.
    package static let prefix = "sluice-scratch-"
    package let path: String
    private let name: String
    private let parent: Folder
    private let folder: Folder

    /// Creates a folder in `parent`, or else in the system's folder for temporary files.
    package init(in parent: String? = nil) throws(FileError) {
        self.parent = try Folder(parent ?? Self.systemParent)
        Self.removeUnused(in: self.parent)
        while true {
            // mkdtemp replaces the six X.
            var template = Array("\(self.parent.path)/\(Self.prefix)XXXXXX".utf8CString)
            guard unsafe mkdtemp(&template) != nil else {
                throw FileError(code: errno, operation: "create a folder in", path: self.parent.path)
            }
            let path = String(decoding: template.dropLast().map { UInt8(bitPattern: $0) }, as: UTF8.self)
            let folder: Folder
            // Another process may take it for an unused one before it is locked.
            do throws(FileError) { folder = try Folder(path) } catch {
                if error.isMissing { continue }
                Folder.removeEmpty(path)
                throw error
            }
            if folder.lock() == false { continue }
            (self.path, self.folder) = (path, folder)
            name = String(path.dropFirst(self.parent.path.count + 1))
            return
        }
    }

    /// The system's folder for temporary files.
    package static var systemParent: String { unsafe getenv("TMPDIR").map { unsafe String(cString: $0) } ?? "/tmp" }

    /// Returns the folder at a path, or this one instead of a missing one; throws if that could not be created.
    package func replacement(of path: String) throws(FileError) -> Folder {
        try Folder.checkCreation(of: path)
        do throws(FileError) { return try Folder(path) } catch {
            guard error.isMissing else { throw error }
            return try Folder(self.path)
        }
    }

    deinit { try? parent.removeTree(name) }

    private static func removeUnused(in parent: Folder) {
        for name in (try? parent.names()) ?? [] where name.hasPrefix(prefix) {
            guard let folder = try? parent.folder(name), folder.lock() == true else { continue }
            try? parent.removeTree(name)
        }
    }
}

extension Folder {
    /// Locks the folder; returns whether it exists, is this user's and no other process holds it, or `nil` where
    /// folders cannot be locked.
    fileprivate func lock() -> Bool? {
        while flock(handle.descriptor, LOCK_EX | LOCK_NB) != 0 {
            if errno != EINTR { return errno == EWOULDBLOCK ? false : nil }
        }
        var status = stat()
        return unsafe fstat(handle.descriptor, &status) == 0 && status.st_nlink > 0 && status.st_uid == geteuid()
    }
}
