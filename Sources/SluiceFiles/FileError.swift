// SPDX-License-Identifier: MIT
internal import SluiceSystem

/// A failed file operation: the operation, the path and the reason.
package struct FileError: Error, Sendable, Hashable, CustomStringConvertible {
    package var code: Int32
    /// The attempted operation as a verb: `create`, `write`, `rename`.
    package var operation: String
    /// The path of the file or folder.
    package var path: String
    /// The system's message, or a clearer one where the system's is misleading.
    package var reason: String

    /// Creates an error from an error number that was captured directly after the call.
    package init(code: Int32, operation: String, path: String, reason: String? = nil) {
        (self.code, self.operation, self.path) = (code, operation, path)
        self.reason = unsafe reason ?? String(cString: strerror(code))
    }

    /// Whether another process holds the lock.
    package var isLocked: Bool { code == EWOULDBLOCK && operation == "lock" }

    /// Whether the file or folder does not exist.
    package var isMissing: Bool { code == ENOENT }

    /// Whether there is no regular file with that path: nothing, a folder, a link or a device.
    ///
    /// Any other error says nothing about the file: it may be intact.
    package var isAbsence: Bool { isMissing || isWrongFileType || isNotRegular }

    /// Whether the path, or a part of it, is not a folder.
    package var isNotAFolder: Bool { code == ENOTDIR }

    /// Whether the disk or the user's quota is full.
    package var isDiskFull: Bool { code == ENOSPC || code == EDQUOT }

    /// Whether too many files are open, in this process or on the machine.
    package var isOutOfDescriptors: Bool { code == EMFILE || code == ENFILE }

    /// Whether the user lacks the permission.
    package var isPermissionDenied: Bool { code == EACCES || code == EPERM }

    /// Whether a bucket refused the user's keys, or there are none, so that reading without keys may succeed.
    package var isRefusedKey: Bool { code == EACCES && path.hasPrefix("s3://") }

    /// Whether the path is that of a folder, where a file is expected.
    package var isFolder: Bool { code == EISDIR }

    /// Whether the path has the wrong type: a file instead of a folder, a folder instead of a file, or a symbolic link.
    package var isWrongFileType: Bool { code == ENOTDIR || code == EISDIR || code == EEXIST || isSymbolicLink }

    /// Whether the path is a symbolic link, which may be planted; nothing was written through it.
    package var isSymbolicLink: Bool { code == ELOOP }

    /// Whether the path is that of a folder, a pipe or a device.
    private var isNotRegular: Bool { code == EINVAL && reason == Self.notRegular }

    /// The reason in errors of opening such a path.
    static let notRegular = "not a regular file"

    /// Creates the error of an open file whose content cannot be read.
    package init(unreadable path: String, because reason: String? = nil) {
        self.init(code: EIO, operation: "read", path: path, reason: reason)
    }

    /// `cannot write /photos/a.jpg: No space left on device`.
    package var description: String { "cannot \(operation) \(path): \(reason)" }
}
