// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// An open file's or folder's one owner: the descriptor is closed when it goes, and no child process inherits it.
public struct OpenFile: ~Copyable, Sendable {
    /// The system's number for it; good for as long as this value lives.
    public let descriptor: Int32
    /// The path that it was opened by, for messages.
    public let path: String

    init(owning descriptor: Int32, path: String) {
        self.descriptor = descriptor
        self.path = path
    }

    /// Opens a regular file for reading, by a path of the user's own.
    ///
    /// Without `followsLink` a symbolic link in the path's last place is refused.
    public static func reading(_ path: String, followsLink: Bool) throws(FileError) -> OpenFile {
        // O_NONBLOCK, or a pipe of that name would hold the open for ever.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK | (followsLink ? 0 : O_NOFOLLOW)
        let descriptor = unsafe open(path, flags)
        guard descriptor >= 0 else { throw FileError(code: errno, operation: "open", path: path) }
        let file = OpenFile(owning: descriptor, path: path)
        try file.checkRegular()
        return file
    }

    deinit { close(descriptor) }

    /// A word that changes whenever the file's content may have changed; it is good on this machine only.
    ///
    /// Size and times alone can be kept over a change. The time of the last change to the inode cannot be set by a user,
    /// and the inode's number tells a file from one that took its name.
    public var stamp: String {
        get throws(FileError) { Self.stamp(try status()) }
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

    /// The version as web servers name it, by the size and the time of the last write; unlike the ``stamp`` it goes along
    /// with a faithful copy.
    public var tag: String {
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

    /// The size in bytes.
    public var size: Int {
        get throws(FileError) { Int(try status().st_size) }
    }

    /// Up to `count` bytes from `offset` on; fewer only at the file's end.
    public func read(at offset: Int, count: Int) throws(FileError) -> [UInt8] {
        // All empty arrays are one, and the standard library would write into it how many bytes there are: none, on
        // whatever thread.
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

    /// Appends all of the bytes: `write` may write less, and be interrupted.
    borrowing func append(_ bytes: borrowing Span<UInt8>) throws(FileError) {
        var written = 0
        while written < bytes.count {
            let rest = bytes.extracting(droppingFirst: written)
            let count = unsafe rest.withUnsafeBytes { unsafe write(descriptor, $0.baseAddress, $0.count) }
            if count < 0 && errno == EINTR { continue }
            // A file that takes nothing and names no error would be asked for ever.
            guard count > 0 else { throw FileError(code: count < 0 ? errno : EIO, operation: "write", path: path) }
            written += count
        }
    }

    /// Forgets what stands behind the first `length` bytes.
    borrowing func truncate(to length: Int) throws(FileError) {
        while ftruncate(descriptor, off_t(length)) != 0 {
            guard errno == EINTR else { throw FileError(code: errno, operation: "truncate", path: path) }
        }
    }

    /// Brings the file's bytes, or the folder's names, to the disk; never to be tried again after it failed.
    borrowing func flush() throws(FileError) {
        #if canImport(Darwin)
            // There fsync() leaves the bytes in the drive's own memory; not every file system can do more.
            if fcntl(descriptor, F_FULLFSYNC) == 0 { return }
        #endif
        guard fsync(descriptor) != 0 else { return }
        // Some file systems cannot flush a folder, and say so with EINVAL.
        if errno == EINVAL, try status().st_mode & S_IFMT == S_IFDIR { return }
        throw FileError(code: errno, operation: "flush", path: path)
    }

    /// Refuses what is no regular file: a folder, a pipe, a device.
    borrowing func checkRegular() throws(FileError) {
        guard try status().st_mode & S_IFMT != S_IFREG else { return }
        throw FileError(code: EINVAL, operation: "open", path: path, reason: "not a regular file")
    }

    borrowing func status() throws(FileError) -> stat {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0 else {
            throw FileError(code: errno, operation: "look at", path: path)
        }
        return status
    }
}
