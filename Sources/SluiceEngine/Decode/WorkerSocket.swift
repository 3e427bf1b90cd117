// SPDX-License-Identifier: MIT

internal import CSandbox
internal import SluiceSystem

/// One end of the socket between a run and a decode worker.
///
/// It carries length-prefixed frames and open files.
struct WorkerSocket: ~Copyable, Sendable {
    /// The reason why nothing was received.
    enum ReceiveError: Error {
        /// The other end has closed the socket.
        case closed
        /// The other end has closed the socket without reading all bytes.
        case unread
        case timedOut
        /// The bytes are not a valid frame or reply.
        case malformed
    }

    let descriptor: Int32

    deinit { close(descriptor) }

    /// Sends a frame.
    ///
    /// Returns `false` if the other end has closed the socket.
    func send(_ frame: [UInt8]) -> Bool {
        var coder = WorkerCoder()
        var content = frame
        try? coder.code(&content)
        let bytes = coder.bytes
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

    /// Sends an open file.
    ///
    /// Returns `false` if the other end has closed the socket.
    func send(descriptor file: Int32) -> Bool { csandbox_send_descriptor(descriptor, file) }

    /// Waits for a frame of at most `limit` bytes.
    ///
    /// Without a deadline it waits indefinitely.
    func receive(limit: Int, by deadline: ContinuousClock.Instant? = nil) throws(ReceiveError) -> [UInt8] {
        var count = 0
        var header = WorkerCoder(reading: try read(8, by: deadline))
        guard (try? header.code(&count)) != nil, (0...limit).contains(count) else { throw .malformed }
        return try read(count, by: deadline)
    }

    /// Waits for an open file, which the caller must close.
    ///
    /// Returns `nil` if the other end has closed the socket.
    func receiveDescriptor() -> Int32? {
        let file = csandbox_receive_descriptor(descriptor)
        return file < 0 ? nil : file
    }

    /// Whether the socket is closed or has unread input.
    ///
    /// Neither is expected while no request is pending.
    var hasPendingInput: Bool {
        var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        return unsafe poll(&request, 1, 0) != 0
    }

    private func read(_ count: Int, by deadline: ContinuousClock.Instant?) throws(ReceiveError) -> [UInt8] {
        var failure: ReceiveError?
        let bytes = unsafe [UInt8](unsafeUninitializedCapacity: count) { buffer, filled in
            while filled < count, failure == nil {
                guard waitForInput(until: deadline) else {
                    failure = .timedOut
                    return
                }
                let received = unsafe recv(descriptor, buffer.baseAddress?.advanced(by: filled), count - filled, 0)
                if received < 0, errno == EINTR { continue }
                // Linux reports a reset if the other end is closed while it has unread input.
                let end: ReceiveError = received < 0 && errno == ECONNRESET ? .unread : .closed
                if received > 0 { filled += received } else { failure = end }
            }
        }
        if let failure { throw failure }
        return bytes
    }

    /// Waits until there is something to receive.
    ///
    /// Returns `false` if the deadline passes first.
    private func waitForInput(until deadline: ContinuousClock.Instant?) -> Bool {
        guard let deadline else { return true }
        while true {
            let remaining = (deadline - .now) / .milliseconds(1)
            guard remaining > 0 else { return false }
            var request = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
            if unsafe poll(&request, 1, Int32(min(remaining.rounded(.up), 1e9))) > 0 { return true }
        }
    }
}
