// SPDX-License-Identifier: MIT

/// How a body goes out, decided byte by byte: a pure state machine with no clock and no socket of its own.
struct BodyFlow {
    /// What to do next.
    enum Step: Equatable {
        /// Hand out so many more bytes.
        case send(Int)
        /// Ask again after this time.
        case wait(Duration)
        /// Say nothing more, and keep the connection.
        case stall
        /// Break the connection off.
        case cut
        /// The body is whole.
        case end
    }

    /// At most so many bytes in a second, a few at a time.
    struct Pace: Equatable {
        let bytesPerSecond: Double
        let chunk: Int

        init?(bandwidth: Int?) {
            guard let bandwidth, bandwidth > 0 else { return nil }
            bytesPerSecond = Double(bandwidth)
            // Fifty sips a second are smooth enough, and few enough for thousands of connections.
            chunk = max(1, bandwidth / 50)
        }

        init(bytes: Int, every interval: Duration) {
            chunk = max(1, bytes)
            bytesPerSecond = Double(chunk) / max(0.000_001, interval.seconds)
        }
    }

    /// The body's length; `nil` for one without end.
    let length: Int?
    /// After how many bytes something happens, and what.
    let breaking: (at: Int, step: Step)?
    let pace: Pace?
    private(set) var sent = 0

    init(length: Int?, fault: OriginFault?, bandwidth: Int?) {
        switch fault {
        case .drip(let bytes, let interval): pace = Pace(bytes: bytes, every: interval)
        default: pace = Pace(bandwidth: bandwidth)
        }
        switch fault {
        case .cut(let bytes): breaking = (max(0, bytes), .cut)
        case .stall(let bytes): breaking = (max(0, bytes), .stall)
        default: breaking = nil
        }
        if case .endless = fault { self.length = nil } else { self.length = length }
    }

    /// So many of the bytes that were to be sent were not there.
    mutating func takeBack(_ count: Int) { sent -= count }

    /// What to do with `room` bytes of space, so long after the body's start.
    mutating func next(room: Int, after elapsed: Duration) -> Step {
        var most = min(room, (length ?? .max) - sent)
        if let breaking {
            if sent >= breaking.at { return breaking.step }
            most = min(most, breaking.at - sent)
        }
        guard most > 0 else { return .end }
        if let pace {
            let wanted = min(most, pace.chunk)
            let allowed = Int(min(1e15, pace.bytesPerSecond * elapsed.seconds + 0.000_001)) - sent
            if allowed < wanted {
                return .wait(.seconds(Double(sent + wanted) / pace.bytesPerSecond - elapsed.seconds + 0.000_1))
            }
            most = min(most, allowed)
        }
        sent += most
        return .send(most)
    }
}

extension Duration {
    /// The duration as a number of seconds.
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
