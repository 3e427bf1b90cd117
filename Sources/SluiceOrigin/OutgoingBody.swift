// SPDX-License-Identifier: MIT

internal import CMicrohttpd

/// The body of a reply that is being sent; used only on its connection's thread.
final class OutgoingBody {
    /// The length to announce; `nil` for a chunked body.
    let size: Int?
    private let body: [UInt8]
    private let stream: (any OriginStream)?
    private let connection: ClientConnection
    private let suspended: SuspendedConnections
    private let connections: ConnectionGuard?
    private let start = ContinuousClock.now
    private var schedule: BodyStateMachine
    private var hasStalled = false
    private let network: SimulatedNetwork
    private var packetLoss: PacketLoss?
    /// The total delay by packet loss, which the connection's bandwidth limit does not compensate for.
    private var lossDelay = Duration.zero
    /// The number of bytes whose bandwidth reservation has come due.
    private var reserved = 0

    init(
        _ reply: OriginReply, fault: OriginFault?, bandwidth: Int?, network: SimulatedNetwork, target: String,
        on connection: ClientConnection, suspended: SuspendedConnections, connections: ConnectionGuard?
    ) {
        body = reply.body
        stream = reply.stream
        schedule = BodyStateMachine(length: reply.length, fault: fault, bandwidth: bandwidth)
        size = reply.isChunked ? nil : schedule.length
        self.network = network
        packetLoss = network.packetLoss(bodyLength: schedule.length, seed: stableHash(target.utf8))
        self.connection = connection
        (self.suspended, self.connections) = (suspended, connections)
        if schedule.length == nil { connections?.didBeginStream(on: connection) }
    }

    /// The number of bytes sent.
    var sent: Int { schedule.sent }

    /// Fills the server's buffer with the next bytes.
    ///
    /// - Returns: a libmicrohttpd content-reader result: a byte count, 0 to be called again, or an end code.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        // The server asks for more when the client has taken the bytes before.
        connections?.didTakeBytes(connection)
        let from = schedule.sent
        let capacity = reserved > 0 ? min(reserved, buffer.count) : buffer.count
        switch schedule.next(capacity: capacity, after: ContinuousClock.now - start - lossDelay) {
        case .send(let count):
            if let wait = networkDelay(of: count) {
                schedule.takeBack(count)
                return suspended.suspend(connection, until: .elapsed(wait)) ? 0 : cmhd_end_with_error()
            }
            if let stream { return unsafe copy(stream.read(at: from, count: count), of: count, into: buffer) }
            unsafe copy(count, from: from, into: buffer)
            return count
        case .wait(let duration):
            return suspended.suspend(connection, until: .elapsed(duration)) ? 0 : cmhd_end_with_error()
        case .stall:
            // A second call after a stall means that the client disconnected or the server is stopping.
            guard !hasStalled, suspended.suspend(connection, until: .disconnected) else { return cmhd_end_with_error() }
            hasStalled = true
            return 0
        case .cut: return cmhd_end_with_error()
        case .end: return cmhd_end_of_stream()
        }
    }

    /// Returns how long the simulated network delays the next bytes; `nil` if they may be sent now.
    private func networkDelay(of count: Int) -> Duration? {
        if reserved > 0 {
            reserved -= count
            return nil
        }
        let pause = packetLoss?.pause(upTo: schedule.sent) ?? .zero
        lossDelay += pause
        let wait = max(network.reserve(count) ?? .zero, pause)
        guard wait > .zero else { return nil }
        reserved = count
        return wait
    }

    /// Copies the result of reading a stream, which may return fewer bytes than requested.
    private func copy(_ result: OriginReadResult, of count: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        switch result {
        case .bytes(let bytes):
            let available = min(count, bytes.count)
            schedule.takeBack(count - available)
            unsafe buffer.copyBytes(from: bytes.prefix(available))
            return available
        case .later(let gate):
            schedule.takeBack(count)
            // A connection that was shut down is resumed before the gate opens.
            if connection.isAbandoned { return cmhd_end_with_error() }
            return suspended.suspend(connection, until: .opened(gate)) ? 0 : cmhd_end_with_error()
        case .end:
            schedule.takeBack(count)
            return size == nil ? cmhd_end_of_stream() : cmhd_end_with_error()
        }
    }

    /// Copies bytes of the body; an endless body repeats it.
    private func copy(_ count: Int, from start: Int, into buffer: UnsafeMutableRawBufferPointer) {
        guard !body.isEmpty else {
            unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]).initializeMemory(
                as: UInt8.self, repeating: 0)
            return
        }
        var filled = 0
        while filled < count {
            let offset = (start + filled) % body.count
            let more = min(count - filled, body.count - offset)
            unsafe body.withUnsafeBytes { body in
                unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: body[offset..<offset + more]))
            }
            filled += more
        }
    }
}
