// SPDX-License-Identifier: MIT

internal import CSandbox

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// One end of the socket between a run and a worker: frames of bytes, each behind its length, and open files.
struct Channel: ~Copyable, Sendable {
    /// Why nothing was received.
    enum Break: Error {
        /// The other end is gone.
        case ended
        /// The time is over.
        case late
        /// What came is no frame.
        case malformed
    }

    let descriptor: Int32

    deinit { close(descriptor) }

    /// Sends a frame; `false` if the other end is gone.
    func send(_ frame: [UInt8]) -> Bool {
        var wire = Wire()
        var content = frame
        try? wire.carry(&content)
        let bytes = wire.bytes
        var sent = 0
        while sent < bytes.count {
            let count = unsafe bytes.withUnsafeBytes { buffer in
                unsafe csandbox_send(descriptor, buffer.baseAddress?.advanced(by: sent), bytes.count - sent)
            }
            if count < 0, errno == EINTR { continue }
            guard count > 0 else { return false }
            sent += count
        }
        return true
    }

    /// Sends an open file; `false` if the other end is gone.
    func send(fileAt file: Int32) -> Bool { csandbox_send_descriptor(descriptor, file) }

    /// Waits for a frame of at most so many bytes; without a deadline for as long as it takes.
    func receive(atMost most: Int, by deadline: ContinuousClock.Instant? = nil) throws(Break) -> [UInt8] {
        var count = 0
        var head = Wire(reading: try take(8, by: deadline))
        guard (try? head.carry(&count)) != nil, (0...most).contains(count) else { throw .malformed }
        return try take(count, by: deadline)
    }

    /// Waits for an open file, which is the caller's to close; `nil` if the other end is gone.
    func receiveFile() -> Int32? {
        let file = csandbox_receive_descriptor(descriptor)
        return file < 0 ? nil : file
    }

    /// Whether the other end is gone, or has said what nobody asked for.
    var isStirred: Bool {
        var question = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&question, 1, 0) != 0
    }

    private func take(_ count: Int, by deadline: ContinuousClock.Instant?) throws(Break) -> [UInt8] {
        var trouble: Break?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count, trouble == nil {
                guard wait(until: deadline) else {
                    trouble = .late
                    return
                }
                let got = unsafe recv(descriptor, buffer.baseAddress?.advanced(by: filled), count - filled, 0)
                if got < 0, errno == EINTR { continue }
                if got > 0 { filled += got } else { trouble = .ended }
            }
        }
        if let trouble { throw trouble }
        return bytes
    }

    /// Waits until there is something to receive; `false` if the deadline passes first.
    private func wait(until deadline: ContinuousClock.Instant?) -> Bool {
        guard let deadline else { return true }
        while true {
            let left = (deadline - .now) / .milliseconds(1)
            guard left > 0 else { return false }
            var question = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            if unsafe poll(&question, 1, Int32(min(left.rounded(.up), 1e9))) > 0 { return true }
        }
    }
}
