// SPDX-License-Identifier: MIT
internal import SluiceSystem

extension Folder {
    /// Opens a regular file for reading.
    package func openForReading(_ name: String) throws(FileError) -> OpenFile {
        // Without O_NONBLOCK, opening a planted pipe would block forever.
        let file = try open(name, O_RDONLY | O_NONBLOCK, operation: "open")
        try file.checkRegular()
        return file
    }

    /// Reads a whole file; throws if it is longer than `limit` bytes.
    package func read(_ name: String, limit: Int = 1 << 20) throws(FileError) -> [UInt8] {
        try openForReading(name).readAll(limit: limit)
    }

    /// Writes a whole file atomically; see ``NewFile`` for `temporary`.
    package func write(
        _ bytes: [UInt8], to name: String, temporary: String? = nil, flushed: Bool = true
    ) throws(FileError) {
        let file = try NewFile(name, in: self, temporary: temporary)
        try file.write(bytes)
        try file.finish(flushed: flushed)
    }

    /// Returns the size of a regular file; `nil` if it does not exist.
    package func size(of name: String) -> Int? { status(of: name).map { Int($0.st_size) } }

    /// Returns the ``OpenFile/stamp`` of a regular file; `nil` if it does not exist.
    package func stamp(of name: String) -> String? { status(of: name).map(OpenFile.stamp) }

    /// Returns the modification time of a regular file, in seconds since 1970; `nil` if it does not exist.
    package func modificationTime(of name: String) -> Int? { status(of: name).map(Self.modificationTime) }

    /// Sets the times of a file's last modification and reading, in seconds since 1970.
    func setModificationTime(of name: String, to seconds: Int) throws(FileError) {
        try atParent(of: name) { (parent, last) throws(FileError) in
            let time = timespec(tv_sec: seconds, tv_nsec: 0)
            guard unsafe utimensat(parent.descriptor, last, [time, time], AT_SYMLINK_NOFOLLOW) == 0 else {
                throw FileError(code: errno, operation: "set the time of", path: fullPath(of: name))
            }
        }
    }

    static func modificationTime(_ status: stat) -> Int {
        #if canImport(Darwin)
            status.st_mtimespec.tv_sec
        #else
            status.st_mtim.tv_sec
        #endif
    }

    private func status(of name: String) -> stat? {
        try? atParent(of: name) { (parent, last) throws(FileError) in
            var status = stat()
            guard unsafe fstatat(parent.descriptor, last, &status, AT_SYMLINK_NOFOLLOW) == 0,
                status.st_mode & S_IFMT == S_IFREG
            else { throw FileError(code: errno, operation: "inspect", path: fullPath(of: name)) }
            return status
        }
    }

    /// Renames a file, and moves it to another folder if one is given; an existing file with the new name is replaced.
    package func rename(_ from: String, to: String, in folder: Folder? = nil) throws(FileError) {
        let folder = folder ?? self
        try atParent(of: from) { (source, old) throws(FileError) in
            try folder.atParent(of: to) { (target, new) throws(FileError) in
                guard unsafe renameat(source.descriptor, old, target.descriptor, new) == 0 else {
                    throw FileError(code: errno, operation: "rename", path: folder.fullPath(of: to))
                }
            }
        }
    }

    /// Removes a file or a link; a missing file is not an error.
    package func remove(_ name: String) throws(FileError) {
        try atParent(of: name) { (parent, last) throws(FileError) in
            if unsafe unlinkat(parent.descriptor, last, 0) != 0, errno != ENOENT {
                throw FileError(code: errno, operation: "remove", path: fullPath(of: name))
            }
        }
    }

    /// Removes the folder at a path if it is empty.
    package static func removeEmpty(_ path: String) { unsafe rmdir(path) }

    /// Removes a subfolder with everything in it; a missing one is not an error.
    package func removeTree(_ name: String) throws(FileError) {
        let tree: Folder
        do throws(FileError) { tree = try folder(name) } catch {
            guard error.isMissing else { throw error }
            return
        }
        var failures = 0
        while true {
            for entry in try tree.names() {
                // Links to folders are removed as links.
                do throws(FileError) { try tree.remove(entry) } catch {
                    guard error.code == EISDIR || error.code == EPERM else { throw error }
                    try tree.removeTree(entry)
                }
            }
            do throws(FileError) { return try removeEmptyFolder(name) } catch {
                // Another process, such as a late attempt at a shard, may have added a file.
                failures += 1
                guard error.code == ENOTEMPTY || error.code == EEXIST, failures < Self.maxRemovals else { throw error }
            }
        }
    }

    /// How often a folder is emptied again because another process adds files to it.
    private static let maxRemovals = 1000

    private func removeEmptyFolder(_ name: String) throws(FileError) {
        try atParent(of: name) { (parent, last) throws(FileError) in
            if unsafe unlinkat(parent.descriptor, last, AT_REMOVEDIR) != 0, errno != ENOENT {
                throw FileError(code: errno, operation: "remove", path: fullPath(of: name))
            }
        }
    }

    /// Flushes the directory entries of a subfolder (`""` for this folder) to disk.
    package func flush(_ name: String = "") throws(FileError) {
        try openFolder(name).flush()
    }

    /// Flushes the directory entries of the folder that contains the file `name`.
    func flushParent(of name: String) throws(FileError) {
        try atParent(of: name) { (parent, _) throws(FileError) in try parent.flush() }
    }

    /// Opens or creates a file without following symbolic links.
    func open(_ name: String, _ flags: Int32, operation: String) throws(FileError) -> OpenFile {
        try atParent(of: name) { (parent, last) throws(FileError) in
            let descriptor = unsafe DescriptorReserve.admit(
                openat(parent.descriptor, last, flags | O_CLOEXEC | O_NOFOLLOW, 0o666))
            guard descriptor < 0 else { return OpenFile(owning: descriptor, path: fullPath(of: name)) }
            throw Self.openError(code: errno, operation: operation, of: last, in: parent, path: fullPath(of: name))
        }
    }
}
