// SPDX-License-Identifier: MIT
internal import SluiceSystem

/// A growing file that is well-formed after every write.
///
/// The file always ends with the same bytes, for example closing brackets. Each piece overwrites them and writes them
/// again after itself.
package struct GrowingFile: ~Copyable, Sendable {
    private let file: OpenFile
    private let end: [UInt8]

    /// Creates or truncates the file and writes its first and last bytes.
    package init(_ path: String, begin: [UInt8], end: [UInt8]) throws(FileError) {
        self.end = end
        file = try Self.make(path, begin + end)
    }

    /// Throws if the file could not be created or truncated; changes nothing.
    package static func check(_ path: String) throws(FileError) {
        let descriptor = unsafe DescriptorReserve.admit(open(path, O_WRONLY | O_NOFOLLOW | O_NONBLOCK | O_CLOEXEC))
        if descriptor >= 0 {
            _ = OpenFile(owning: descriptor, path: path)
            return
        }
        var code = errno
        if code == ENOENT {
            let parent = path.utf8.lastIndex(of: UInt8(ascii: "/")).map { String(path[...$0]) } ?? "."
            if unsafe access(parent, W_OK | X_OK) == 0 { return }
            code = errno
        }
        // A pipe without a reader can be written later.
        if code != ENXIO { throw creationError(code, of: path) }
    }

    /// Inserts a piece after the first `length` bytes, before the end; not safe for concurrent calls.
    package borrowing func write(_ piece: [UInt8], at length: Int) throws(FileError) {
        // A single call, so that a killed process leaves either the old or the new end.
        let bytes = piece + end
        var written = 0
        while written < bytes.count {
            let count = unsafe bytes[written...].withUnsafeBytes { rest in
                unsafe pwrite(file.descriptor, rest.baseAddress, rest.count, off_t(length + written))
            }
            if count < 0 {
                if errno == EINTR { continue }
                throw FileError(code: errno, operation: "write", path: file.path)
            }
            written += count
        }
    }

    private static func make(_ path: String, _ bytes: [UInt8]) throws(FileError) -> OpenFile {
        // Another user may have planted a link, for example in a folder for temporary files.
        let flags = O_WRONLY | O_CREAT | O_TRUNC | O_NOFOLLOW | O_CLOEXEC
        let descriptor = unsafe DescriptorReserve.admit(open(path, flags, 0o666))
        guard descriptor >= 0 else {
            throw creationError(errno, of: path)
        }
        let file = OpenFile(owning: descriptor, path: path)
        try file.append(bytes.span)
        return file
    }

    private static func creationError(_ code: Int32, of path: String) -> FileError {
        FileError(
            code: code, operation: "create", path: path, reason: code == ELOOP ? "symbolic links are not followed" : nil
        )
    }
}
