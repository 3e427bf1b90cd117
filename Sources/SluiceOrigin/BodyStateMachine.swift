// SPDX-License-Identifier: MIT

/// Decides how a reply's body is sent: pacing, stalls and cuts.
///
/// It is a pure state machine without a clock or a socket.
struct BodyStateMachine {
    enum Step: Equatable {
        /// Send this many bytes.
        case send(Int)
        /// Call ``next(capacity:after:)`` again after this time.
        case wait(Duration)
        /// Send nothing more, but keep the connection open.
        case stall
        case cut
        case end
    }

    /// A bandwidth limit and the size of the pieces that are sent.
    struct Pace: Equatable {
        let bytesPerSecond: Double
        let chunk: Int

        init?(bandwidth: Int?) {
            guard let bandwidth, bandwidth > 0 else { return nil }
            bytesPerSecond = Double(bandwidth)
            // Fifty pieces per second are smooth enough, and cheap enough for thousands of connections.
            chunk = max(1, bandwidth / 50)
        }

        init(bytes: Int, every interval: Duration) {
            chunk = max(1, bytes)
            bytesPerSecond = Double(chunk) / max(0.000_001, interval.seconds)
        }
    }

    /// The body's length in bytes; `nil` if it is endless.
    let length: Int?
    /// The step that ends the body early, and the number of bytes before it.
    let interruption: (at: Int, step: Step)?
    let pace: Pace?
    private(set) var sent = 0

    init(length: Int?, fault: OriginFault?, bandwidth: Int?) {
        switch fault {
        case .drip(let bytes, let interval): pace = Pace(bytes: bytes, every: interval)
        default: pace = Pace(bandwidth: bandwidth)
        }
        switch fault {
        case .cut(let bytes): interruption = (max(0, bytes), .cut)
        case .stall(let bytes): interruption = (max(0, bytes), .stall)
        default: interruption = nil
        }
        if case .endless = fault { self.length = nil } else { self.length = length }
    }

    /// Corrects ``sent`` for `count` bytes of the last step that were not sent.
    mutating func takeBack(_ count: Int) { sent -= count }

    /// Returns the next step, given `capacity` bytes of buffer space and the time since the body's start.
    mutating func next(capacity: Int, after elapsed: Duration) -> Step {
        var limit = min(capacity, (length ?? .max) - sent)
        if let interruption {
            if sent >= interruption.at { return interruption.step }
            limit = min(limit, interruption.at - sent)
        }
        guard limit > 0 else { return .end }
        if let pace {
            let wanted = min(limit, pace.chunk)
            let allowed = Int(min(1e15, pace.bytesPerSecond * elapsed.seconds + 0.000_001)) - sent
            if allowed < wanted {
                return .wait(.seconds(Double(sent + wanted) / pace.bytesPerSecond - elapsed.seconds + 0.000_1))
            }
            limit = min(limit, allowed)
        }
        sent += limit
        return .send(limit)
    }
}

extension Duration {
    /// The duration as a number of seconds.
    var seconds: Double { Double(components.seconds) + Double(components.attoseconds) * 1e-18 }
}
