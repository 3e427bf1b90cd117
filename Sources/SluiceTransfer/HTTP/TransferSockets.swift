// SPDX-License-Identifier: MIT

internal import CCrypto
internal import CCurl
internal import SluiceSystem

/// The sockets of the transfer loop: those that libcurl waits for, and those of idle HTTP/1 connections.
///
/// libcurl gives an idle connection with unread bytes to the next request, and takes the bytes for its response. So
/// this class closes every connection that sends bytes which no request asked for. Only the loop's thread uses it.
final class TransferSockets {
    /// The origins are cleared when they are more than this.
    private static let maxOrigins = 10_000

    private var sockets: SocketTable
    /// The sockets that were ready after the last wait.
    private var ready: [(socket: curl_socket_t, events: Int32)] = []
    private var idle: [curl_socket_t: IdleConnection] = [:]
    private let idleTime: Duration
    /// When connections were last checked for their age.
    private var lastExpiry = ContinuousClock.now
    /// Origins that have sent such bytes; each of their exchanges gets a connection of its own.
    private var distrusted: Set<String> = []

    private struct IdleConnection {
        /// The address that was requested last.
        var address: WebAddress
        var since: ContinuousClock.Instant
    }

    /// The state of an idle connection's receive buffer.
    private enum Arrival {
        case nothing
        /// The end of the connection, or a TLS message without content.
        case ending
        case bytes
    }

    /// Returns `nil` if the process has no file descriptors left.
    init?(wakeup: Int32, idleTime: Duration) {
        guard let sockets = SocketTable(wakeup: wakeup) else { return nil }
        self.sockets = sockets
        self.idleTime = idleTime
    }

    /// Sets the events that libcurl waits for on a socket, which is then no longer idle.
    func watch(_ socket: curl_socket_t, for events: Int32) {
        if events == CURL_POLL_REMOVE, idle[socket] != nil { return }
        idle[socket] = nil
        sockets.watch(socket, for: events)
    }

    /// Forgets a socket that is closed.
    func remove(_ socket: curl_socket_t) {
        idle[socket] = nil
        sockets.forget(socket)
    }

    /// Waits until a socket is ready, for at most this many milliseconds.
    func wait(milliseconds: Int32) { ready = sockets.wait(milliseconds: milliseconds) }

    /// Removes and returns the events of sockets that libcurl waits for, and checks the idle connections with an event.
    func takeEvents() -> [(socket: curl_socket_t, events: Int32)] {
        defer { ready = [] }
        for (socket, _) in ready { check(socket) }
        return ready
    }

    /// Whether libcurl waits for the socket.
    func isWatched(_ socket: curl_socket_t) -> Bool { idle[socket] == nil && sockets.isWatched(socket) }

    /// Whether the address's origin has sent bytes that no request asked for.
    func isDistrusted(_ address: WebAddress) -> Bool { distrusted.contains(Self.origin(of: address)) }

    /// Checks all idle connections; called before libcurl may choose one for a new exchange.
    func checkIdle() {
        guard !idle.isEmpty else { return }
        closeOld(now: .now)
        // One system call for all of them, because an exchange starts every few hundred microseconds. The other sockets
        // will be reported again.
        for (socket, _) in sockets.wait(milliseconds: 0) { check(socket) }
    }

    /// Closes connections that have been idle for too long; libcurl would keep them as long as its cache has room.
    private func closeOld(now: ContinuousClock.Instant) {
        guard now - lastExpiry >= min(idleTime, .seconds(1)) else { return }
        lastExpiry = now
        for (socket, connection) in idle where now - connection.since >= idleTime {
            remove(socket)
            shut(socket)
        }
    }

    /// Examines the connection of a finished exchange, and returns whether bytes followed the end of the response.
    ///
    /// The connection is then closed, and idle otherwise.
    func examine(after exchange: HTTPExchange) -> Bool {
        guard exchange.isHTTP1 else { return false }
        var hasSurplus = exchange.hasDiscardedBytes
        if let socket = exchange.handle.socket, isWatched(socket) {
            // Another exchange has already started to use the connection; without it, libcurl starts that one again.
            if hasSurplus { shut(socket) }
        } else if let socket = exchange.handle.socket {
            let address = exchange.spec.address
            var arrival = Self.arrival(on: socket, of: address)
            if let connection = unsafe exchange.tlsConnection {
                if unsafe SSL_pending(connection) > 0 { arrival = .bytes }
            } else if address.scheme == "https" {
                // Another TLS library may hold bytes that cannot be seen here.
                arrival = arrival == .nothing ? .ending : arrival
            }
            if arrival == .bytes { hasSurplus = true }
            if arrival == .nothing, !hasSurplus {
                sockets.watchIdle(socket)
                idle[socket] = IdleConnection(address: address, since: .now)
            } else {
                shut(socket)
            }
        }
        if hasSurplus { distrust(exchange.spec.address) }
        return hasSurplus
    }

    /// Closes an idle connection that has received anything.
    private func check(_ socket: curl_socket_t) {
        guard let address = idle[socket]?.address else { return }
        let arrival = Self.arrival(on: socket, of: address)
        guard arrival != .nothing else { return }
        if arrival == .bytes { distrust(address) }
        remove(socket)
        shut(socket)
    }

    /// Ends a connection and discards its received bytes, so that libcurl does not reuse it.
    private func shut(_ socket: curl_socket_t) {
        shutdown(socket, Int32(SHUT_RDWR))
        var buffer = [UInt8](repeating: 0, count: 16 << 10)
        while unsafe recv(socket, &buffer, buffer.count, Int32(MSG_DONTWAIT)) > 0 {}
    }

    private func distrust(_ address: WebAddress) {
        if distrusted.count >= Self.maxOrigins { distrusted = [] }
        distrusted.insert(Self.origin(of: address))
    }

    private static func origin(of address: WebAddress) -> String { "\(address.scheme)://\(address.authority)" }

    /// Peeks at the socket's receive buffer; the bytes stay in it.
    private static func arrival(on socket: curl_socket_t, of address: WebAddress) -> Arrival {
        var start: [UInt8] = [0, 0, 0, 0, 0]
        let count = unsafe recv(socket, &start, start.count, Int32(MSG_PEEK) | Int32(MSG_DONTWAIT))
        guard count >= 0 else { return [EAGAIN, EWOULDBLOCK, EINTR].contains(errno) ? .nothing : .ending }
        guard count > 0 else { return .ending }
        guard address.scheme == "https" else { return .bytes }
        // A TLS record starts with its type and length. With TLS 1.3, a closing message looks like content of 19 bytes.
        let (contentType, closingLength) = (UInt8(23), 19)
        return start[0] == contentType && Int(start[3]) << 8 | Int(start[4]) != closingLength ? .bytes : .ending
    }
}
