// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceSystem

/// An open folder, identified by its descriptor: moving or replacing its path does not redirect writes.
///
/// Names are relative paths with `/` as the separator. Symbolic links are never followed, so nothing outside the folder
/// is read or written, even if links are planted in it. Its methods may be called from any thread.
package final class Folder: Sendable {
    /// The path used to open the folder, for messages.
    package let path: String
    let handle: OpenFile
    /// A subfolder that is kept open, and the prefix of the names in it.
    let openSubfolder: (prefix: String, folder: Folder)?

    /// Opens a folder; with `create`, for output, it first creates the folder and its parents.
    ///
    /// Output is not written to a folder of another user to which others can write, because they could plant files in
    /// it.
    ///
    /// With `isPrivate`, other users can neither read nor enter the folders that it creates.
    package init(_ path: String, create: Bool = false, isPrivate: Bool = false) throws(FileError) {
        if create { try Self.makeParents(of: path, mode: isPrivate ? 0o700 : 0o777) }
        guard let handle = Self.open(path) else {
            let code = errno
            // The system reports the same error if a parent in the path is a file.
            let isFile = unsafe code == ENOTDIR && access(path, F_OK) == 0
            throw FileError(
                code: code, operation: "open folder", path: path, reason: isFile ? "not a folder" : nil)
        }
        self.path = path
        self.handle = handle
        openSubfolder = nil
        if create { try checkTrust() }
    }

    init(_ handle: consuming OpenFile, openSubfolder: (prefix: String, folder: Folder)? = nil) {
        path = handle.path
        self.handle = handle
        self.openSubfolder = openSubfolder
    }

    /// Returns a copy of this folder that keeps a subfolder open.
    ///
    /// Use it for a subfolder with many short-lived files: its path is then not resolved again for each file.
    package func keepingOpen(_ name: String) throws(FileError) -> Folder {
        let copy = fcntl(handle.descriptor, F_DUPFD_CLOEXEC, 0)
        guard copy >= 0 else { throw FileError(code: errno, operation: "open folder", path: path) }
        return Folder(OpenFile(owning: copy, path: path), openSubfolder: ("\(name)/", try folder(name)))
    }

    /// Opens a subfolder; with `create` it first creates the subfolder and its parents.
    package func folder(_ name: String, create: Bool = false) throws(FileError) -> Folder {
        if create { try makeFolder(name) }
        return Folder(try openFolder(name))
    }

    /// Creates a subfolder and its parents, unless they exist.
    package func makeFolder(_ name: String) throws(FileError) {
        var made = ""
        for part in try parts(of: name) {
            try atParent(of: made + part) { (parent, last) throws(FileError) in
                if unsafe mkdirat(parent.descriptor, last, 0o777) == 0 { return try parent.flush() }
                guard errno == EEXIST else {
                    throw FileError(code: errno, operation: "create folder", path: fullPath(of: made + part))
                }
            }
            made += part + "/"
        }
        // An existing entry may be a file or a link.
        _ = try openFolder(name)
    }

    /// Creates the parent folders of the file `name`, unless they exist.
    package func makeParent(of name: String) throws(FileError) {
        guard let slash = name.utf8.lastIndex(of: UInt8(ascii: "/")) else { return }
        try makeFolder(String(name[..<slash]))
    }

    /// Returns the path of a name in this folder, for messages and for libraries that take a path.
    package func fullPath(of name: String) -> String {
        if PathText.isAddress(path), !name.isEmpty { return PathText.address(of: Array(name.utf8), in: path) }
        return name.isEmpty ? path : path.hasSuffix("/") ? path + name : "\(path)/\(name)"
    }

    /// Returns the folder's path with all symbolic links resolved, for libraries that must not follow links.
    ///
    /// An address of ``PathText`` is returned as it is.
    package func resolvedPath() throws(FileError) -> String {
        if PathText.isAddress(path) { return path }
        guard let resolved = unsafe realpath(path, nil) else {
            throw FileError(code: errno, operation: "resolve", path: path)
        }
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }

    /// The path of a file's folder, and the file's name in it.
    package static func place(of path: String) -> (folder: String, name: String) {
        guard let slash = path.utf8.lastIndex(of: UInt8(ascii: "/")) else { return (".", path) }
        let name = String(path[path.utf8.index(after: slash)...])
        return (slash == path.startIndex ? "/" : String(path[..<slash]), name)
    }

    /// Opens the folder at a path, or the innermost parent that exists.
    package static func nearest(to path: String) throws(FileError) -> Folder {
        var path = path[...]
        while true {
            do throws(FileError) { return try Folder(path.isEmpty ? "." : String(path)) } catch {
                guard error.isMissing, !path.isEmpty else { throw error }
            }
            path = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { path[..<$0] } ?? ""
        }
    }

    /// Throws if the folder and its parents could not be created; creates nothing.
    package static func checkCreation(of path: String) throws(FileError) { try makeParents(of: path, mode: nil) }

    /// Creates the folder and its parents; without a mode, only checks that this would be possible.
    private static func makeParents(of path: String, mode: mode_t?) throws(FileError) {
        var made = path.hasPrefix("/") ? "/" : ""
        for part in path.split(separator: "/") {
            let parent = made.isEmpty ? "." : made
            made += made.isEmpty || made == "/" ? "\(part)" : "/\(part)"
            if let mode {
                if unsafe mkdir(made, mode) == 0 {
                    flushIfReadable(parent)
                    continue
                }
            } else if unsafe access(made, F_OK) == 0 {
                continue
            } else if unsafe access("\(parent)/.", W_OK | X_OK) == 0 {
                return
            }
            let code = errno
            // On a read-only file system, or without permission, mkdir fails this way for an existing parent.
            if code == EEXIST || isFolder(made) { continue }
            let reason = code == ENOTDIR ? "\(parent) is not a folder" : nil
            throw FileError(code: code, operation: "create folder", path: made, reason: reason)
        }
    }

    /// Flushes a folder; one that is writable but not readable cannot be flushed and is skipped.
    private static func flushIfReadable(_ path: String) {
        try? open(path)?.flush()
    }

    private static func open(_ path: String) -> OpenFile? {
        let descriptor = unsafe DescriptorReserve.admit(
            openat(AT_FDCWD, path, O_RDONLY | O_DIRECTORY | O_CLOEXEC))
        return descriptor < 0 ? nil : OpenFile(owning: descriptor, path: path)
    }

    static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}

/// Keeps the most recently used subfolders of a folder open, for a batch of files in few subfolders.
///
/// Their paths are then not resolved again for each file. It misses changes to these paths, so release it after the
/// batch.
package struct RecentFolders: Sendable {
    /// Enough to take originals and thumbnails of two sizes from one tree to another.
    private static let limit = 6

    private let folder: Folder
    private var subfolders: TextMap<Folder> = [:]

    /// Starts with no open subfolder.
    package init(below folder: Folder) { self.folder = folder }

    /// Returns the folder of a file, and the file's name in it.
    package mutating func parent(of name: String) throws(FileError) -> (folder: Folder, name: String) {
        guard let slash = name.utf8.lastIndex(of: UInt8(ascii: "/")), slash > name.startIndex else {
            return (folder, name)
        }
        let (parent, last) = (String(name[..<slash]), String(name[name.utf8.index(after: slash)...]))
        if let known = subfolders[parent] { return (known, last) }
        let opened = try folder.folder(parent)
        if subfolders.count == Self.limit { subfolders = [:] }
        subfolders[parent] = opened
        return (opened, last)
    }
}
