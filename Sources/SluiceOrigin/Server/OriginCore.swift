// SPDX-License-Identifier: MIT

internal import SluiceModel

/// What an origin decides: which fault, how late, what reply; the daemon calls it on its threads.
final class OriginCore: Sendable {
    private struct State {
        var log: RequestLog
        var picker: FaultPicker
        var chances = Dice(seed: 1, 0x0716_17E5)
    }

    let room = WaitingRoom()
    private let service: any OriginService
    private let options: OriginOptions
    private let traffic: Traffic
    private let state: Locked<State>

    init(_ service: any OriginService, _ options: OriginOptions) {
        self.service = service
        self.options = options
        traffic = Traffic(options)
        state = Locked(State(log: RequestLog(limit: options.logLimit), picker: FaultPicker(options.faults)))
    }

    /// The last requests, the oldest first.
    var requests: [OriginRequest] { state.withLock { $0.log.requests } }

    /// The counts.
    var statistics: OriginStatistics { state.withLock { $0.log.statistics } }

    func connected() { state.withLock { $0.log.connected() } }

    func disconnected() { state.withLock { $0.log.disconnected() } }

    /// A request line arrived.
    func began(target: String) -> Exchange {
        state.withLock { $0.log.began() }
        return Exchange(target: target)
    }

    /// A request is over, however it ended.
    func ended(_ exchange: Exchange) {
        let sent = exchange.outflow?.sent ?? 0
        state.withLock { $0.log.ended(bodyBytes: sent) }
    }

    /// The whole request is here.
    func arrived(_ exchange: Exchange, _ request: OriginRequest, on connection: Connection) -> Bool {
        let (fault, delay) = state.withLock { state -> (OriginFault?, Duration) in
            state.log.arrived(request)
            let fault = state.picker.fault(for: request)
            if fault != nil { state.log.gotFault() }
            var delay = options.latency
            if options.jitter > .zero { delay += options.jitter * Double(state.chances.unit()) }
            if case .late(let more) = fault { delay += more }
            return (fault, delay)
        }
        exchange.phase = .decided(request, fault)
        return delay > .zero ? room.wait(connection, for: .time(delay)) : goOn(exchange, on: connection)
    }

    /// Takes the exchange as far as it can go now.
    ///
    /// - Returns: `false` to end the connection.
    func goOn(_ exchange: Exchange, on connection: Connection) -> Bool {
        // Those who were woken because the server stops are not answered.
        if room.isClosed { return false }
        switch exchange.phase {
        case .decided(_, .close), .over, .arriving: return false
        case .decided(_, .hang):
            exchange.phase = .over
            return room.wait(connection, for: .nothing)
        case .decided(let request, let fault): return answer(request, fault, exchange, on: connection)
        case .answered(let reply, let fault):
            if let gate = reply.gate, !gate.isOpen { return room.wait(connection, for: .gate(gate)) }
            return send(reply, fault, exchange, on: connection)
        }
    }

    private func answer(
        _ request: OriginRequest, _ fault: OriginFault?, _ exchange: Exchange, on connection: Connection
    ) -> Bool {
        let asks = fault?.needsReply ?? true
        let right = asks ? service.reply(to: request) : OriginReply()
        let reply = fault?.applied(to: right) ?? right
        exchange.phase = .answered(reply, fault)
        return reply.delay > .zero ? room.wait(connection, for: .time(reply.delay)) : goOn(exchange, on: connection)
    }

    private func send(
        _ reply: OriginReply, _ fault: OriginFault?, _ exchange: Exchange, on connection: Connection
    ) -> Bool {
        exchange.phase = .over
        let outflow = Outflow(
            reply, fault: fault, bandwidth: reply.bandwidth ?? options.bandwidth, traffic: traffic,
            target: exchange.target,
            on: connection, room: room)
        exchange.outflow = outflow
        return connection.send(status: reply.status, headers: reply.headers, outflow)
    }
}
