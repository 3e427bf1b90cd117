// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

extension Folder {
    /// Opens a regular file for reading.
    public func openForReading(_ name: String) throws(FileError) -> OpenFile {
        // O_NONBLOCK, or a planted pipe would hold the open for ever.
        let file = try open(name, O_RDONLY | O_NONBLOCK, operation: "open")
        try file.checkRegular()
        return file
    }

    /// The whole content of a file that has at most `limit` bytes.
    public func read(_ name: String, limit: Int = 1 << 20) throws(FileError) -> [UInt8] {
        let file = try openForReading(name)
        // One more than allowed, and not the size: the file may grow meanwhile.
        let bytes = try file.read(at: 0, count: min(try file.size, limit) + 1)
        guard bytes.count <= limit else {
            throw FileError(code: EFBIG, operation: "read", path: full(name), reason: "more than \(limit) bytes")
        }
        return bytes
    }

    /// Writes a whole file, or leaves what stood under the name as it was; see ``NewFile`` for `temporary`.
    public func write(
        _ bytes: [UInt8], to name: String, temporary: String? = nil, flushed: Bool = true
    ) throws(FileError) {
        let file = try NewFile(name, in: self, temporary: temporary)
        try file.write(bytes)
        try file.finish(flushed: flushed)
    }

    /// Whether there is a file of that name with just these bytes.
    public func has(_ bytes: [UInt8], in name: String) -> Bool {
        size(of: name) == bytes.count && (try? read(name, limit: bytes.count)) == bytes
    }

    /// The size of a regular file; `nil` if there is none of that name.
    public func size(of name: String) -> Int? { status(of: name).map { Int($0.st_size) } }

    /// A regular file's ``OpenFile/stamp``; `nil` if there is none of that name.
    public func stamp(of name: String) -> String? { status(of: name).map(OpenFile.stamp) }

    /// When a regular file was last written, in seconds since 1970; `nil` if there is none of that name.
    public func lastWrite(of name: String) -> Int? {
        #if canImport(Darwin)
            status(of: name).map { $0.st_mtimespec.tv_sec }
        #else
            status(of: name).map { $0.st_mtim.tv_sec }
        #endif
    }

    private func status(of name: String) -> stat? {
        try? atParent(of: name) { (parent, last) throws(FileError) in
            var status = stat()
            guard unsafe fstatat(parent.descriptor, last, &status, AT_SYMLINK_NOFOLLOW) == 0,
                status.st_mode & S_IFMT == S_IFREG
            else { throw FileError(code: errno, operation: "look at", path: full(name)) }
            return status
        }
    }

    /// Puts the file `from` under the name `to`, and in place of what stood there.
    public func rename(_ from: String, to: String) throws(FileError) {
        try atParent(of: from) { (source, old) throws(FileError) in
            try atParent(of: to) { (target, new) throws(FileError) in
                guard unsafe renameat(source.descriptor, old, target.descriptor, new) == 0 else {
                    throw FileError(code: errno, operation: "rename", path: full(to))
                }
            }
        }
    }

    /// Removes a file (or a link, never what it leads to); it is no error if there is none.
    public func remove(_ name: String) throws(FileError) {
        try atParent(of: name) { (parent, last) throws(FileError) in
            if unsafe unlinkat(parent.descriptor, last, 0) != 0, errno != ENOENT {
                throw FileError(code: errno, operation: "remove", path: full(name))
            }
        }
    }

    /// Makes the names in a folder below this one (`""` for this one itself) safe against a power cut.
    public func flush(_ name: String = "") throws(FileError) {
        try openFolder(name).flush()
    }

    /// Makes the names in the folder that holds the file `name` safe against a power cut.
    func flushParent(of name: String) throws(FileError) {
        try atParent(of: name) { (parent, _) throws(FileError) in try parent.flush() }
    }

    /// Opens or makes a file, never through a link.
    func open(_ name: String, _ flags: Int32, operation: String) throws(FileError) -> OpenFile {
        try atParent(of: name) { (parent, last) throws(FileError) in
            let descriptor = unsafe openat(parent.descriptor, last, flags | O_CLOEXEC | O_NOFOLLOW, 0o666)
            guard descriptor < 0 else { return OpenFile(owning: descriptor, path: full(name)) }
            throw Self.refusal(code: errno, operation: operation, of: last, in: parent, path: full(name))
        }
    }
}
