// SPDX-License-Identifier: MIT

internal import CMicrohttpd

/// A body on its way out; used on its connection's thread alone.
final class Outflow {
    /// The length to announce; `nil` sends chunks.
    let size: Int?
    private let body: [UInt8]
    private let stream: (any OriginStream)?
    private let connection: Connection
    private let room: WaitingRoom
    private let start = ContinuousClock.now
    private var flow: BodyFlow
    private var hasStalled = false
    private let traffic: Traffic
    private var losses: PacketLoss?
    /// What losses took: a connection's bandwidth does not make up for it.
    private var lost = Duration.zero
    /// Bytes that have waited for their turn on the line.
    private var reserved = 0

    init(
        _ reply: OriginReply, fault: OriginFault?, bandwidth: Int?, traffic: Traffic, target: String,
        on connection: Connection, room: WaitingRoom
    ) {
        body = reply.body
        stream = reply.stream
        flow = BodyFlow(length: reply.length, fault: fault, bandwidth: bandwidth)
        size = reply.isChunked ? nil : flow.length
        self.traffic = traffic
        losses = traffic.losses(of: flow.length, seed: fingerprint(target.utf8))
        self.connection = connection
        self.room = room
    }

    /// How many bytes went out.
    var sent: Int { flow.sent }

    /// The server's question for more bytes, and the answer in its terms: a count, 0 for "ask again", or an end.
    func read(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        let from = flow.sent
        let most = reserved > 0 ? min(reserved, buffer.count) : buffer.count
        switch flow.next(room: most, after: ContinuousClock.now - start - lost) {
        case .send(let count):
            if let wait = hold(count) {
                flow.takeBack(count)
                return room.wait(connection, for: .time(wait)) ? 0 : cmhd_end_with_error()
            }
            if let stream { return unsafe copy(stream.read(at: from, count: count), of: count, into: buffer) }
            unsafe copy(count, from: from, into: buffer)
            return count
        case .wait(let duration): return room.wait(connection, for: .time(duration)) ? 0 : cmhd_end_with_error()
        case .stall:
            // Asked again after a stall, the client is gone or the server stops.
            guard !hasStalled, room.wait(connection, for: .nothing) else { return cmhd_end_with_error() }
            hasStalled = true
            return 0
        case .cut: return cmhd_end_with_error()
        case .end: return cmhd_end_of_stream()
        }
    }

    /// How long the next bytes are held up by what lies between; `nil` if they may go.
    private func hold(_ count: Int) -> Duration? {
        if reserved > 0 {
            reserved -= count
            return nil
        }
        let pause = losses?.pause(upTo: flow.sent) ?? .zero
        lost += pause
        let wait = max(traffic.reserve(count) ?? .zero, pause)
        guard wait > .zero else { return nil }
        reserved = count
        return wait
    }

    /// What a stream gives may be less than it was asked for.
    private func copy(_ piece: OriginPiece, of count: Int, into buffer: UnsafeMutableRawBufferPointer) -> Int {
        switch piece {
        case .bytes(let bytes):
            let given = min(count, bytes.count)
            flow.takeBack(count - given)
            unsafe buffer.copyBytes(from: bytes.prefix(given))
            return given
        case .later(let gate):
            flow.takeBack(count)
            return room.wait(connection, for: .gate(gate)) ? 0 : cmhd_end_with_error()
        case .end:
            flow.takeBack(count)
            return size == nil ? cmhd_end_of_stream() : cmhd_end_with_error()
        }
    }

    /// A body without end goes round and round.
    private func copy(_ count: Int, from start: Int, into buffer: UnsafeMutableRawBufferPointer) {
        guard !body.isEmpty else {
            unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[..<count]).initializeMemory(
                as: UInt8.self, repeating: 0)
            return
        }
        var filled = 0
        while filled < count {
            let place = (start + filled) % body.count
            let more = min(count - filled, body.count - place)
            unsafe body.withUnsafeBytes { body in
                unsafe UnsafeMutableRawBufferPointer(rebasing: buffer[filled...])
                    .copyMemory(from: UnsafeRawBufferPointer(rebasing: body[place..<place + more]))
            }
            filled += more
        }
    }
}
