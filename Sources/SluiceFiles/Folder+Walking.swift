// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

extension Folder {
    /// The parts of a name; refuses one that does not lead below this folder.
    func parts(of name: String) throws(FileError) -> [String] {
        // By bytes: a slash that a combining mark follows is another Character, and still a slash to the system.
        let parts = name.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
        let isBelow = !name.utf8.starts(with: "/".utf8) && !name.utf8.contains(0)
        guard isBelow, !parts.contains("."), !parts.contains("..") else {
            throw FileError(code: EINVAL, operation: "open", path: full(name), reason: "not a name below the folder")
        }
        return parts
    }

    /// Opens the folder of that name below this one; `""` is this one again.
    func openFolder(_ name: String) throws(FileError) -> OpenFile {
        try openFolder(try parts(of: name)[...])
    }

    private func openFolder(_ parts: ArraySlice<String>) throws(FileError) -> OpenFile {
        var holder = try Self.openFolder(parts.first ?? ".", in: handle, path: full(parts.first ?? ""))
        for part in parts.dropFirst() {
            let next = try Self.openFolder(part, in: holder, path: "\(holder.path)/\(part)")
            holder = next
        }
        return holder
    }

    /// Runs `body` with the folder that holds the last part of `name`, and with that part.
    func atParent<Result: ~Copyable>(
        of name: String, _ body: (borrowing OpenFile, String) throws(FileError) -> Result
    ) throws(FileError) -> Result {
        // The usual file stands right in the folder, and costs neither a list of parts nor a further descriptor.
        if Self.isPlain(name) { return try body(handle, name) }
        if let held, name.utf8.starts(with: held.prefix.utf8) {
            let last = String(Substring(name.utf8.dropFirst(held.prefix.utf8.count)))
            if Self.isPlain(last) { return try body(held.folder.handle, last) }
        }
        let parts = try parts(of: name)
        guard let last = parts.last else {
            throw FileError(code: EINVAL, operation: "open", path: full(name), reason: "no name")
        }
        if parts.count == 1 { return try body(handle, last) }
        return try body(try openFolder(parts.dropLast()), last)
    }

    /// Whether a name is one part that the system takes as it is; no hidden file's is taken for one.
    private static func isPlain(_ name: String) -> Bool {
        let bytes = name.utf8
        return bytes.first.map { $0 != UInt8(ascii: ".") } == true
            && bytes.allSatisfy { $0 != UInt8(ascii: "/") && $0 != 0 }
    }

    private static func openFolder(
        _ part: String, in parent: borrowing OpenFile, path: String
    ) throws(FileError) -> OpenFile {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        let descriptor = unsafe openat(parent.descriptor, part, flags)
        guard descriptor < 0 else { return OpenFile(owning: descriptor, path: path) }
        throw refusal(code: errno, operation: "open folder", of: part, in: parent, path: path)
    }

    /// The error for a name that could not be opened; the system calls a link ELOOP or ENOTDIR, as it likes.
    static func refusal(
        code: Int32, operation: String, of part: String, in parent: borrowing OpenFile, path: String
    ) -> FileError {
        var status = stat()
        let isLink =
            unsafe (code == ELOOP || code == ENOTDIR)
            && fstatat(parent.descriptor, part, &status, AT_SYMLINK_NOFOLLOW) == 0
            && status.st_mode & S_IFMT == S_IFLNK
        guard isLink else { return FileError(code: code, operation: operation, path: path) }
        return FileError(code: ELOOP, operation: operation, path: path, reason: "it is a symbolic link, not followed")
    }
}
