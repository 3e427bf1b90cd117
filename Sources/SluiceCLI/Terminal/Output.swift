// SPDX-License-Identifier: MIT

internal import Sluice

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Standard output or standard error, by write(2); what cannot be written is remembered, never a crash.
final class Output: Sendable {
    let descriptor: Int32
    private let trouble = Locked<Int32?>(nil)

    init(descriptor: Int32) {
        self.descriptor = descriptor
    }

    /// Whether somebody looks at it directly.
    var isTerminal: Bool { isatty(descriptor) == 1 }

    /// False while the terminal belongs to another job: a shell, when this process was put in the background.
    var isForeground: Bool {
        let owner = tcgetpgrp(descriptor)
        return owner == -1 || owner == getpgrp()
    }

    /// How many columns the terminal has; `nil` if it is none or does not tell.
    var columns: Int? {
        var size = winsize()
        guard unsafe ioctl(descriptor, UInt(TIOCGWINSZ), &size) == 0, size.ws_col > 0 else { return nil }
        return Int(size.ws_col)
    }

    /// Writes all of the text; false if that cannot be done any more.
    @discardableResult func write(_ text: String) -> Bool { write(Array(text.utf8)) }

    /// Writes all of the bytes; false if that cannot be done any more.
    @discardableResult func write(_ bytes: [UInt8]) -> Bool {
        guard trouble.withLock({ $0 }) == nil else { return false }
        guard let code = unsafe bytes.withUnsafeBytes({ unsafe writeAll($0) }) else { return true }
        trouble.withLock { $0 = $0 ?? code }
        return false
    }

    /// What the command must end with, if something could not be written: quietly where the reader went away.
    var exitCode: ExitCode? {
        trouble.withLock { $0 }.map { $0 == EPIPE ? .brokenPipe : .local }
    }

    /// Why something could not be written, where that is worth a sentence.
    var problem: String? {
        let code = trouble.withLock { $0 }
        return code.flatMap { $0 == EPIPE ? nil : unsafe String(cString: strerror($0)) }
    }

    /// The error number that ended it, if one did.
    private func writeAll(_ buffer: UnsafeRawBufferPointer) -> Int32? {
        var written = 0
        while written < buffer.count {
            let rest = unsafe UnsafeRawBufferPointer(rebasing: buffer[written...])
            #if canImport(Darwin)
                let count = unsafe Darwin.write(descriptor, rest.baseAddress, rest.count)
            #else
                let count = unsafe Glibc.write(descriptor, rest.baseAddress, rest.count)
            #endif
            if count >= 0 {
                written += count
                continue
            }
            let code = errno
            if code == EAGAIN { waitForRoom() } else if code != EINTR { return code }
        }
        return nil
    }

    /// A descriptor that somebody set not to block says EAGAIN when its reader is slow.
    private func waitForRoom() {
        var wanted = pollfd(fd: descriptor, events: Int16(POLLOUT), revents: 0)
        _ = unsafe poll(&wanted, 1, -1)
    }
}
