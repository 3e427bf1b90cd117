// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Processes requests: logs them, picks a fault, applies delays, and asks the service for a reply.
///
/// The daemon calls it on its threads.
final class OriginRequestHandler: Sendable {
    private struct State {
        var log: RequestLog
        var faults: FaultPicker
        var jitter = SeededRandom(seed: 1, 0x0716_17E5)
    }

    let suspended = SuspendedConnections()
    let connections: ConnectionGuard?
    private let service: any OriginService
    private let options: OriginOptions
    private let network: SimulatedNetwork
    private let state: Locked<State>

    init(_ service: any OriginService, _ options: OriginOptions) {
        self.service = service
        self.options = options
        network = SimulatedNetwork(options)
        connections = options.protection.map { [suspended] protection in
            ConnectionGuard(
                ConnectionTable(
                    requestTime: protection.requestTime, perNetwork: protection.perNetwork,
                    total: options.connectionLimit), suspended)
        }
        state = Locked(State(log: RequestLog(limit: options.logLimit), faults: FaultPicker(options.faults)))
    }

    /// The most recent requests, oldest first.
    var requests: [OriginRequest] { state.withLock { $0.log.requests } }

    var statistics: OriginStatistics { state.withLock { $0.log.statistics } }

    func didConnect() { state.withLock { $0.log.didConnect() } }

    func didDisconnect() { state.withLock { $0.log.didDisconnect() } }

    /// Called when a request line has arrived.
    func didBegin(target: String) -> RequestContext {
        state.withLock { $0.log.didBegin() }
        return RequestContext(target: target)
    }

    /// Called when a request is over, whether or not it succeeded.
    func didEnd(_ context: RequestContext) {
        let sent = context.outgoingBody?.sent ?? 0
        state.withLock { $0.log.didEnd(bodyBytes: sent) }
    }

    /// Called when the whole request has arrived.
    ///
    /// - Returns: `false` to close the connection.
    func didReceive(
        _ request: OriginRequest, in context: RequestContext, on connection: ClientConnection
    ) -> Bool {
        let (fault, delay) = state.withLock { state -> (OriginFault?, Duration) in
            state.log.didReceive(request)
            let fault = state.faults.fault(for: request)
            if fault != nil { state.log.didFault() }
            var delay = options.latency
            if options.jitter > .zero { delay += options.jitter * Double(state.jitter.fraction()) }
            if case .late(let more) = fault { delay += more }
            return (fault, delay)
        }
        context.phase = .received(request, fault)
        return delay > .zero ? suspended.suspend(connection, until: .elapsed(delay)) : resume(context, on: connection)
    }

    /// Advances the request until it must wait or has ended.
    ///
    /// - Returns: `false` to close the connection.
    func resume(_ context: RequestContext, on connection: ClientConnection) -> Bool {
        // Connections that were resumed because the server is stopping get no reply.
        if suspended.isClosed { return false }
        switch context.phase {
        case .received(_, .close), .finished, .receiving: return false
        case .received(_, .hang):
            context.phase = .finished
            return suspended.suspend(connection, until: .disconnected)
        case .received(let request, let fault): return answer(request, fault, context, on: connection)
        case .answered(let reply, let fault):
            if let gate = reply.gate, !gate.isOpen { return suspended.suspend(connection, until: .opened(gate)) }
            return send(reply, fault, context, on: connection)
        }
    }

    private func answer(
        _ request: OriginRequest, _ fault: OriginFault?, _ context: RequestContext, on connection: ClientConnection
    ) -> Bool {
        let needsReply = fault?.needsReply ?? true
        let correct = needsReply ? service.reply(to: request) : OriginReply()
        let reply = fault?.applied(to: correct) ?? correct
        context.phase = .answered(reply, fault)
        return resume(context, on: connection)
    }

    private func send(
        _ reply: OriginReply, _ fault: OriginFault?, _ context: RequestContext, on connection: ClientConnection
    ) -> Bool {
        context.phase = .finished
        let body = OutgoingBody(
            reply, fault: fault, bandwidth: options.bandwidth, network: network, target: context.target,
            on: connection, suspended: suspended, connections: connections)
        context.outgoingBody = body
        return connection.send(status: reply.status, headers: reply.headers, body)
    }
}

/// The state of one request and its reply; used only on its connection's thread.
final class RequestContext {
    /// The progress of a request.
    enum Phase {
        /// The head or the body is still arriving.
        case receiving
        /// The request is complete, and its fault and latency are chosen.
        case received(OriginRequest, OriginFault?)
        /// The service has returned a reply.
        case answered(OriginReply, OriginFault?)
        /// Nothing remains to be done; the connection closes if the server asks again.
        case finished
    }

    /// The request target as the client wrote it.
    let target: String
    var phase = Phase.receiving
    /// Whether the server has reported the request's head.
    var hasHead = false
    /// The received part of the request's body, at most 64 KiB.
    private(set) var body: [UInt8] = []
    /// The reply's body, once it is being sent.
    var outgoingBody: OutgoingBody?

    private static let bodyLimit = 64 << 10

    init(target: String) { self.target = target }

    /// Appends a part of the request's body and drops bytes beyond the limit.
    func receive(_ bytes: UnsafeRawBufferPointer) {
        unsafe body.append(contentsOf: bytes.prefix(max(0, Self.bodyLimit - body.count)))
    }
}
