// SPDX-License-Identifier: MIT
internal import SluiceSystem

/// The owner of an open file or folder; the descriptor is closed on release and not inherited by child processes.
package struct OpenFile: ~Copyable, Sendable {
    /// The file descriptor, valid as long as this value exists.
    package let descriptor: Int32
    /// The path used to open the file, for messages.
    package let path: String

    init(owning descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    /// Opens a regular file for reading, by a path given by the user, or by its text of ``PathText``.
    ///
    /// Without `followsLink` it throws if the last component of the path is a symbolic link.
    package static func reading(_ path: String, followsLink: Bool) throws(FileError) -> OpenFile {
        // Opening a pipe, even briefly, would show its writer a reader that then disappears.
        var status = stat()
        if unsafe stat(PathText.systemPath(path), &status) == 0, status.st_mode & S_IFMT == S_IFIFO {
            throw FileError(code: EINVAL, operation: "open", path: path, reason: FileError.notRegular)
        }
        let file = try opening(path, followsLink: followsLink)
        try file.checkRegular()
        return file
    }

    /// Opens a file that was a regular one when its folder was listed, and is not checked again.
    package static func listed(_ path: String) throws(FileError) -> OpenFile {
        try opening(path, followsLink: false)
    }

    private static func opening(_ path: String, followsLink: Bool) throws(FileError) -> OpenFile {
        // Without O_NONBLOCK, opening a file that was just replaced by a pipe would block forever.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLink ? 0 : O_NOFOLLOW)
        let descriptor = unsafe DescriptorReserve.admit(open(PathText.systemPath(path), flags))
        guard descriptor >= 0 else { throw FileError(code: errno, operation: "open", path: path) }
        return OpenFile(owning: descriptor, path: path)
    }

    /// Returns the ``stamp`` of the file at a path without opening it; `nil` if there is no regular file.
    package static func stamp(ofFileAt path: String, followsLink: Bool) -> String? {
        var status = stat()
        let flags = followsLink ? 0 : AT_SYMLINK_NOFOLLOW
        guard unsafe fstatat(AT_FDCWD, PathText.systemPath(path), &status, flags) == 0,
            status.st_mode & S_IFMT == S_IFREG
        else { return nil }
        return stamp(status)
    }

    deinit { close(descriptor) }

    /// A string that changes whenever the file's content may have changed; it is valid on this machine only.
    ///
    /// A user can change the content and restore size and modification time, but cannot set the inode's change time.
    /// The inode number distinguishes the file from a replacement with the same name.
    package var stamp: String {
        get throws(FileError) { Self.stamp(try status()) }
    }

    /// The ``stamp`` and the size in bytes of the same moment; throws if this is not a regular file.
    package var version: (stamp: String, size: Int) {
        get throws(FileError) {
            let status = try status()
            try check(status)
            return (Self.stamp(status), Int(status.st_size))
        }
    }

    static func stamp(_ status: stat) -> String {
        #if canImport(Darwin)
            let (modified, changed) = (status.st_mtimespec, status.st_ctimespec)
        #else
            let (modified, changed) = (status.st_mtim, status.st_ctim)
        #endif
        return [
            Int(status.st_size), modified.tv_sec, modified.tv_nsec, changed.tv_sec, changed.tv_nsec,
            Int(truncatingIfNeeded: status.st_ino),
        ].map { String($0, radix: 36) }.joined(separator: ".")
    }

    /// The HTTP entity tag, made of the size and the modification time; unlike ``stamp`` it survives a faithful copy.
    package var entityTag: String {
        get throws(FileError) {
            let status = try status()
            #if canImport(Darwin)
                let modified = status.st_mtimespec
            #else
                let modified = status.st_mtim
            #endif
            let parts = [Int(status.st_size), modified.tv_sec, modified.tv_nsec].map { String($0, radix: 16) }
            return "\"\(parts.joined(separator: "-"))\""
        }
    }

    package var size: Int {
        get throws(FileError) { Int(try status().st_size) }
    }

    /// Reads up to `count` bytes at `offset`; returns fewer only at the end of the file.
    package func read(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
        // All empty arrays share one buffer, and the standard library would write the count into it: a data race.
        guard count > 0 else { return [] }
        var code: Int32 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count {
                let rest = unsafe UnsafeMutableRawBufferPointer(
                    rebasing: UnsafeMutableRawBufferPointer(buffer)[filled...])
                let got = unsafe pread(descriptor, rest.baseAddress, rest.count, off_t(offset + filled))
                if got < 0, errno == EINTR { continue }
                if got < 0 { code = errno }
                if got <= 0 { return }
                filled += got
            }
        }
        guard code == 0 else { throw FileError(code: code, operation: "read", path: path) }
        return bytes
    }

    /// Reads the whole file; throws if it is longer than `limit` bytes.
    package func readAll(limit: Int) throws(FileError) -> [UInt8] {
        // Reads one byte more than allowed, because the file may grow after its size was read.
        let bytes = try read(at: 0, count: min(try size, limit) + 1)
        guard bytes.count <= limit else {
            throw FileError(code: EFBIG, operation: "read", path: path, reason: "more than \(limit) bytes")
        }
        return bytes
    }

    /// Appends all of the bytes; handles interrupted and partial writes.
    borrowing func append(_ bytes: borrowing Span<UInt8>) throws(FileError) {
        var written = 0
        while written < bytes.count {
            let rest = bytes.extracting(droppingFirst: written)
            let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            // A write of zero bytes without an error would loop forever.
            guard count > 0 else { throw FileError(code: count < 0 ? errno : EIO, operation: "write", path: path) }
            written += count
        }
    }

    /// Writes all of the bytes at an offset, without moving the end that ``append(_:)`` writes to.
    borrowing func overwrite(_ bytes: borrowing Span<UInt8>, at offset: Int) throws(FileError) {
        var written = 0
        while written < bytes.count {
            let rest = bytes.extracting(droppingFirst: written)
            let place = off_t(offset + written)
            let count = unsafe rest.withUnsafeBytes { unsafe pwrite(descriptor, $0.baseAddress, $0.count, place) }
            if count < 0 && errno == EINTR { continue }
            guard count > 0 else { throw FileError(code: count < 0 ? errno : EIO, operation: "write", path: path) }
            written += count
        }
    }

    /// Truncates the file to `length` bytes.
    borrowing func truncate(to length: Int) throws(FileError) {
        while ftruncate(descriptor, off_t(length)) != 0 {
            guard errno == EINTR else { throw FileError(code: errno, operation: "truncate", path: path) }
        }
    }

    /// Flushes the file's bytes or the folder's entries to disk; do not retry after a failure.
    borrowing func flush() throws(FileError) {
        #if canImport(Darwin)
            // On Darwin, fsync() leaves the bytes in the drive's cache. Not every file system supports F_FULLFSYNC.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        guard fsync(descriptor) != 0 else { return }
        // Some file systems cannot flush a folder and report EINVAL.
        if errno == EINVAL, try status().st_mode & S_IFMT == S_IFDIR { return }
        throw FileError(code: errno, operation: "flush", path: path)
    }

    /// Throws if this is not a regular file, but a folder, a pipe or a device.
    borrowing func checkRegular() throws(FileError) { try check(status()) }

    private borrowing func check(_ status: stat) throws(FileError) {
        guard status.st_mode & S_IFMT != S_IFREG else { return }
        throw FileError(code: EINVAL, operation: "open", path: path, reason: FileError.notRegular)
    }

    borrowing func status() throws(FileError) -> stat {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw FileError(code: errno, operation: "inspect", path: path)
        }
        return status
    }
}
