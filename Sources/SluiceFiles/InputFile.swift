// SPDX-License-Identifier: MIT
internal import SluiceSystem

/// A sequential input given by the user: a file, a pipe or standard input.
package struct InputFile: ~Copyable, Sendable {
    private let descriptor: Int32
    private let path: String
    /// The number of bytes read so far.
    package private(set) var bytesRead = 0

    /// Opens a path given by the user; `-` is standard input.
    ///
    /// It does not wait for the writer of a pipe.
    package init(_ path: String) throws(FileError) {
        // Duplicates standard input, so that closing this descriptor does not close it. Opening a pipe without
        // O_NONBLOCK would block until it has a writer.
        let flags = O_RDONLY | O_CLOEXEC | O_NONBLOCK
        let descriptor = unsafe path == "-" ? fcntl(0, F_DUPFD_CLOEXEC, 3) : open(path, flags)
        let admitted = DescriptorReserve.admit(descriptor)
        guard admitted >= 0 else { throw FileError(code: errno, operation: "open", path: path) }
        self.descriptor = descriptor
        self.path = path
    }

    deinit { close(descriptor) }

    /// Whether the path exists and is not a folder.
    package static func exists(_ path: String) -> Bool {
        var status = stat()
        return unsafe stat(path, &status) == 0 && status.st_mode & S_IFMT != S_IFDIR
    }

    /// The size of a regular file; `nil` for a pipe.
    package var size: Int? {
        var status = stat()
        guard unsafe fstat(descriptor, &status) == 0, status.st_mode & S_IFMT == S_IFREG else { return nil }
        return Int(status.st_size)
    }

    /// Waits until bytes or the end of the input are available; returns false after the timeout.
    package func isReady(within milliseconds: Int32) -> Bool {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&wanted, 1, milliseconds) != 0
    }

    /// Reads up to `count` bytes; blocks until some are available, and returns none at the end.
    ///
    /// Code that can be cancelled calls ``isReady(within:)`` before, and checks its token in between.
    package mutating func read(_ count: Int) throws(FileError) -> [UInt8] {
        var code: Int32 = 0
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            var got = -1
            repeat {
                // Without this wait, a pipe that has no writer yet would seem to be at its end.
                _ = isReady(within: -1)
                got = unsafe SluiceSystem.read(descriptor, buffer.baseAddress, count)
            } while got < 0 && (errno == EINTR || errno == EAGAIN)
            if got < 0 { code = errno }
            filled = max(0, got)
        }
        guard code == 0 else { throw FileError(code: code, operation: "read", path: path) }
        bytesRead += bytes.count
        return bytes
    }

    /// Reads the rest, but not much more than `limit` bytes; a longer result is longer than the limit.
    package mutating func readRest(limit: Int) throws(FileError) -> [UInt8] {
        var bytes: [UInt8] = []
        while bytes.count <= limit {
            let more = try read(1 << 16)
            if more.isEmpty { break }
            bytes += more
        }
        return bytes
    }
}
