// SPDX-License-Identifier: MIT

internal import CLinux
internal import SluiceSystem

extension Folder {
    /// Splits a name into its parts; throws if it leads outside this folder.
    func parts(of name: String) throws(FileError) -> [String] {
        // Splits bytes: a slash before a combining mark is a different Character, but still a slash to the system.
        let parts = name.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
        let isBelow = !name.utf8.starts(with: "/".utf8) && !name.utf8.contains(0)
        guard isBelow, !parts.contains("."), !parts.contains("..") else {
            throw FileError(
                code: EINVAL, operation: "open", path: fullPath(of: name), reason: "the name leads outside the folder")
        }
        return parts
    }

    /// Opens a subfolder; `""` opens this folder again.
    func openFolder(_ name: String) throws(FileError) -> OpenFile {
        try openFolder(try parts(of: name)[...])
    }

    private func openFolder(_ parts: ArraySlice<String>) throws(FileError) -> OpenFile {
        #if !canImport(Darwin)
            if parts.count > 1 {
                let name = parts.joined(separator: "/")
                let descriptor = unsafe DescriptorReserve.admit(clinux_open_folder(handle.descriptor, name))
                if descriptor >= 0 { return OpenFile(owning: descriptor, path: fullPath(of: name)) }
            }
        #endif
        // Old kernels, and the exact error.
        var holder = try Self.openFolder(parts.first ?? ".", in: handle, path: fullPath(of: parts.first ?? ""))
        for part in parts.dropFirst() {
            let next = try Self.openFolder(part, in: holder, path: "\(holder.path)/\(part)")
            holder = next
        }
        return holder
    }

    /// Runs `body` with the parent folder of `name` and the last part of `name`.
    func atParent<Result: ~Copyable>(
        of name: String, _ body: (borrowing OpenFile, String) throws(FileError) -> Result
    ) throws(FileError) -> Result {
        // Fast path: a file directly in the folder needs no list of parts and no further descriptor.
        if Self.isPlain(name) { return try body(handle, name) }
        if let openSubfolder, name.utf8.starts(with: openSubfolder.prefix.utf8) {
            let last = String(Substring(name.utf8.dropFirst(openSubfolder.prefix.utf8.count)))
            if Self.isPlain(last) { return try body(openSubfolder.folder.handle, last) }
        }
        let parts = try parts(of: name)
        guard let last = parts.last else {
            throw FileError(code: EINVAL, operation: "open", path: fullPath(of: name), reason: "the name is empty")
        }
        if parts.count == 1 { return try body(handle, last) }
        return try body(try openFolder(parts.dropLast()), last)
    }

    /// Whether a name is a single, visible part that needs no further checks.
    private static func isPlain(_ name: String) -> Bool {
        let bytes = name.utf8
        return bytes.first.map { $0 != UInt8(ascii: ".") } == true
            && bytes.allSatisfy { $0 != UInt8(ascii: "/") && $0 != 0 }
    }

    private static func openFolder(
        _ part: String, in parent: borrowing OpenFile, path: String
    ) throws(FileError) -> OpenFile {
        let flags = O_RDONLY | O_DIRECTORY | O_NOFOLLOW | O_CLOEXEC
        let descriptor = unsafe DescriptorReserve.admit(openat(parent.descriptor, part, flags))
        guard descriptor < 0 else { return OpenFile(owning: descriptor, path: path) }
        throw openError(code: errno, operation: "open folder", of: part, in: parent, path: path)
    }

    /// Creates the error for a name that cannot be opened; for a symbolic link the system reports ELOOP or ENOTDIR.
    static func openError(
        code: Int32, operation: String, of part: String, in parent: borrowing OpenFile, path: String
    ) -> FileError {
        var status = stat()
        let isLink =
            unsafe (code == ELOOP || code == ENOTDIR)
            && fstatat(parent.descriptor, part, &status, AT_SYMLINK_NOFOLLOW) == 0
            && status.st_mode & S_IFMT == S_IFLNK
        guard isLink else { return FileError(code: code, operation: operation, path: path) }
        return FileError(code: ELOOP, operation: operation, path: path, reason: "symbolic links are not followed")
    }
}
