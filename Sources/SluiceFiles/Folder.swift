// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A folder held by its descriptor, so that whoever moves or replaces its path cannot lead a write elsewhere.
///
/// Paths given to it are relative, with `/` between the parts, and are never followed through a symbolic link in their
/// last part.
public final class Folder: Sendable {
    /// The path that the folder was opened by, for messages.
    public let path: String
    let descriptor: Int32

    /// Opens a folder, and makes it and its parents first if `create` says so.
    public init(_ path: String, create: Bool = false) throws(FileError) {
        if create { try Self.makeParents(of: path) }
        let descriptor = unsafe open(path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard descriptor >= 0 else { throw FileError(code: errno, operation: "open folder", path: path) }
        self.path = path
        self.descriptor = descriptor
    }

    deinit { close(descriptor) }

    /// Makes the folder `name` below this one, with its parents, unless it is there.
    public func makeFolder(_ name: String) throws(FileError) {
        var made = ""
        for part in name.split(separator: "/") {
            made += made.isEmpty ? "\(part)" : "/\(part)"
            if unsafe mkdirat(descriptor, made, 0o777) != 0, errno != EEXIST {
                throw FileError(code: errno, operation: "make folder", path: full(made))
            }
        }
    }

    /// Opens a file for reading; the caller owns the descriptor.
    public func openForReading(_ name: String) throws(FileError) -> Int32 {
        let file = unsafe openat(descriptor, name, O_RDONLY | O_CLOEXEC | O_NOFOLLOW)
        guard file >= 0 else { throw FileError(code: errno, operation: "open", path: full(name)) }
        return file
    }

    /// The size of a regular file; `nil` if there is none of that name.
    public func size(of name: String) -> Int? {
        var status = stat()
        guard unsafe fstatat(descriptor, name, &status, AT_SYMLINK_NOFOLLOW) == 0,
            status.st_mode & S_IFMT == S_IFREG
        else { return nil }
        return Int(status.st_size)
    }

    /// Puts the file `from` under its final name, and in place of what stood there.
    public func rename(_ from: String, to: String) throws(FileError) {
        guard unsafe renameat(descriptor, from, descriptor, to) == 0 else {
            throw FileError(code: errno, operation: "rename", path: full(to))
        }
    }

    /// Removes a file; it is no error if there is none.
    public func remove(_ name: String) throws(FileError) {
        if unsafe unlinkat(descriptor, name, 0) != 0, errno != ENOENT {
            throw FileError(code: errno, operation: "remove", path: full(name))
        }
    }

    /// Makes the names in a folder below this one (`""` for this one itself) safe against a power cut.
    public func flush(_ name: String = "") throws(FileError) {
        let folder = unsafe openat(descriptor, name.isEmpty ? "." : name, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        guard folder >= 0 else { throw FileError(code: errno, operation: "open folder", path: full(name)) }
        defer { close(folder) }
        // Some file systems cannot flush a folder, and say so with EINVAL.
        if fsync(folder) != 0, errno != EINVAL { throw FileError(code: errno, operation: "flush", path: full(name)) }
    }

    /// The whole path of a name below this folder, for messages and for libraries that take a path.
    public func full(_ name: String) -> String {
        name.isEmpty ? path : path.hasSuffix("/") ? path + name : "\(path)/\(name)"
    }

    private static func makeParents(of path: String) throws(FileError) {
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            made += made.isEmpty || made == "/" ? "\(part)" : "/\(part)"
            if unsafe mkdir(made, 0o777) != 0 {
                let code = errno
                // A parent on a read-only file system or in another's folder fails so although it is there.
                if code == EEXIST || isFolder(made) { continue }
                throw FileError(code: code, operation: "make folder", path: made)
            }
        }
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
