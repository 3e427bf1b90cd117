// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// What the machine refused: the call, the path and the system's own word.
public struct FileError: Error, Sendable, Hashable, CustomStringConvertible {
    /// The system's error number.
    public var code: Int32
    /// What was tried: `create`, `write`, `rename`, and so on.
    public var operation: String
    /// The path that it was tried on.
    public var path: String
    /// Why not: the system's words, or plainer ones where the system's mislead.
    public var reason: String

    /// Makes an error of a number that was captured right behind the call.
    public init(code: Int32, operation: String, path: String, reason: String? = nil) {
        self.code = code
        self.operation = operation
        self.path = path
        self.reason = unsafe reason ?? String(cString: strerror(code))
    }

    /// Whether there was nothing under the path.
    public var isMissing: Bool { code == ENOENT }

    /// Whether something else stood where a folder must be.
    public var isNoFolder: Bool { code == ENOTDIR }

    /// Whether the disk, or the user's share of it, is full.
    public var isDiskFull: Bool { code == ENOSPC || code == EDQUOT }

    /// Whether the user has no right to it.
    public var isForbidden: Bool { code == EACCES || code == EPERM }

    /// Whether a file stood where a folder must be, a folder where a file must be, or a link in either's place.
    public var isInTheWay: Bool { code == ENOTDIR || code == EISDIR || code == EEXIST || isSymbolicLink }

    /// Whether a symbolic link stood where none may be: somebody planted it, and nothing was written through it.
    public var isSymbolicLink: Bool { code == ELOOP }

    /// `write /photos/a.jpg: No space left on device`.
    public var description: String { "\(operation) \(path): \(reason)" }
}
