// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A folder held by its descriptor, so that whoever moves or replaces its path cannot lead a write elsewhere.
///
/// Names given to it are paths below it, with `/` between the parts. None of the parts is followed through a symbolic
/// link: whatever is planted below the folder, nothing outside it is read or written. Its methods may be called from
/// any thread.
public final class Folder: Sendable {
    /// The path that the folder was opened by, for messages.
    public let path: String
    let handle: OpenFile
    /// A folder below this one that is open too, and what the names of the files in it begin with.
    let held: (prefix: String, folder: Folder)?

    /// Opens a folder, and makes it and its parents first if `create` says so.
    public init(_ path: String, create: Bool = false) throws(FileError) {
        if create { try Self.makeParents(of: path) }
        guard let handle = Self.open(path) else {
            let code = errno
            // The system says the same of a path that leads through a file.
            let isFile = unsafe code == ENOTDIR && access(path, F_OK) == 0
            throw FileError(
                code: code, operation: "open folder", path: path, reason: isFile ? "it is no folder" : nil)
        }
        self.path = path
        self.handle = handle
        held = nil
    }

    private init(_ handle: consuming OpenFile, holding held: (prefix: String, folder: Folder)? = nil) {
        path = handle.path
        self.handle = handle
        self.held = held
    }

    /// This folder again, with the one of that name below it held open: where files come and go all the time, the way
    /// there is not to be walked for each.
    public func holding(_ name: String) throws(FileError) -> Folder {
        let copy = fcntl(handle.descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw FileError(code: errno, operation: "open folder", path: path) }
        return Folder(OpenFile(owning: copy, path: path), holding: ("\(name)/", try folder(name)))
    }

    /// The folder `name` below this one; made first, with its parents, if `create` says so.
    public func folder(_ name: String, create: Bool = false) throws(FileError) -> Folder {
        if create { try makeFolder(name) }
        return Folder(try openFolder(name))
    }

    /// Makes the folder `name` below this one, with its parents, unless it is there.
    public func makeFolder(_ name: String) throws(FileError) {
        var made = ""
        for part in try parts(of: name) {
            try atParent(of: made + part) { (parent, last) throws(FileError) in
                if unsafe mkdirat(parent.descriptor, last, 0o777) == 0 { return try parent.flush() }
                guard errno == EEXIST else {
                    throw FileError(code: errno, operation: "make folder", path: full(made + part))
                }
            }
            made += part + "/"
        }
        // What was there already might be a file or a link.
        _ = try openFolder(name)
    }

    /// Makes the folder that the file `name` is to stand in, with its parents, unless it is there.
    public func makeParent(of name: String) throws(FileError) {
        guard let slash = name.utf8.lastIndex(of: UInt8(ascii: "/")) else { return }
        try makeFolder(String(name[..<slash]))
    }

    /// The whole path of a name below this folder, for messages and for libraries that take a path.
    public func full(_ name: String) -> String {
        name.isEmpty ? path : path.hasSuffix("/") ? path + name : "\(path)/\(name)"
    }

    /// The folder's path with every symbolic link in it resolved, for libraries that take a path and must not follow any.
    public func resolvedPath() throws(FileError) -> String {
        guard let resolved = unsafe realpath(path, nil) else {
            throw FileError(code: errno, operation: "resolve", path: path)
        }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    private static func makeParents(of path: String) throws(FileError) {
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            let parent = made.isEmpty ? "." : made
            made += made.isEmpty || made == "/" ? "\(part)" : "/\(part)"
            if unsafe mkdir(made, 0o777) == 0 {
                flushIfReadable(parent)
                continue
            }
            let code = errno
            // A parent on a read-only file system or in another's folder fails so although it is there.
            if code == EEXIST || isFolder(made) { continue }
            let reason = code == ENOTDIR ? "\(parent) is no folder" : nil
            throw FileError(code: code, operation: "make folder", path: made, reason: reason)
        }
    }

    /// Makes a new folder's name safe; a parent that may be written but not read cannot be flushed.
    private static func flushIfReadable(_ path: String) {
        try? open(path)?.flush()
    }

    private static func open(_ path: String) -> OpenFile? {
        let descriptor = unsafe openat(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC)
        return descriptor < 0 ? nil : OpenFile(owning: descriptor, path: path)
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
