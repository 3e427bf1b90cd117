// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceSystem

/// Writes standard output or standard error with write(2).
///
/// Stores the first error instead of throwing it.
final class Output: Sendable {
    let descriptor: Int32
    private let failure = Locked<Int32?>(nil)

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// Whether this process is in the foreground of the terminal; false while another job owns it.
    var isForeground: Bool {
        let owner = tcgetpgrp(descriptor)
        return owner == -1 || owner == getpgrp()
    }

    /// The width of the terminal; `nil` if the output is not a terminal or its width is unknown.
    var columns: Int? {
        // The numbers of `struct winsize`, whose module differs between versions of glibc: rows, columns and pixels.
        var size: [UInt16] = [0, 0, 0, 0]
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size[1] > 0 else { return nil }
        return Int(size[1])
    }

    /// Writes all of the text; returns false if this or an earlier write failed.
    @discardableResult func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    /// Writes all of the bytes; returns false if this or an earlier write failed.
    @discardableResult func write(_ bytes: [UInt8]) -> Bool {
        guard failure.withLock({ $0 }) == nil else { return false }
        guard let code = unsafe bytes.withUnsafeBytes({ unsafe writeAll($0) }) else { return true }
        failure.withLock { $0 = $0 ?? code }
        return false
    }

    /// The exit code to return if a write failed; a closed pipe is not a local problem.
    var exitCode: ExitCode? {
        failure.withLock { $0 }.map { $0 == EPIPE ? .brokenPipe : .local }
    }

    /// The reason for a failed write; `nil` for a closed pipe, which needs no message.
    var problem: String? {
        let code = failure.withLock { $0 }
        return code.flatMap { $0 == EPIPE ? nil : unsafe String(cString: strerror($0)) }
    }

    /// Writes the whole buffer; returns the error number if that fails.
    private func writeAll(_ buffer: UnsafeRawBufferPointer) -> Int32? {
        var written = 0
        while written < buffer.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written...])
            let count = unsafe SluiceSystem.write(descriptor, rest.baseAddress, rest.count)
            if count >= 0 {
                written += count
                continue
            }
            let code = errno
            if code == EAGAIN { waitUntilWritable() } else if code != EINTR { return code }
        }
        return nil
    }

    /// Waits for a slow reader: a non-blocking descriptor returns EAGAIN.
    private func waitUntilWritable() {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&wanted, 1, -1)
    }
}
