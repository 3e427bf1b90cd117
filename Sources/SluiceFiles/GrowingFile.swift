// SPDX-License-Identifier: MIT

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A file of the user's own that is whole at every moment while it grows: each piece is written over the end that the
/// last one left.
public struct GrowingFile: ~Copyable, Sendable {
    private let file: OpenFile
    private let end: [UInt8]

    /// Makes the file, or replaces what stands there, with a begin and an end.
    public init(_ path: String, begin: [UInt8], end: [UInt8]) throws(FileError) {
        self.end = end
        file = try Self.make(path, begin + end)
    }

    /// Puts a piece behind the `length` bytes that stand before the end; one at a time.
    public borrowing func write(_ piece: [UInt8], at length: Int) throws(FileError) {
        // In one call: whoever kills the process finds the old end or the new one.
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
        let descriptor = unsafe open(path, O_WRONLY | O_CREAT | O_TRUNC | O_CLOEXEC, 0o666)
        guard descriptor >= 0 else { throw FileError(code: errno, operation: "create", path: path) }
        let file = OpenFile(owning: descriptor, path: path)
        try file.append(bytes.span)
        return file
    }
}
