// SPDX-License-Identifier: MIT

internal import CLibraries
internal import CMicrohttpd
package import SluiceFiles
package import SluiceModel
internal import SluiceSystem

/// Answers the requests that an ``OriginServer`` receives.
///
/// A test can implement one in five lines; ``DemoService`` is the built-in implementation.
package protocol OriginService: Sendable {
    /// Returns the reply to a request.
    ///
    /// The server calls this concurrently on its own threads. It must not block: give the reply a gate
    /// instead. The server applies latency, bandwidth and faults, and omits the body for `HEAD`.
    func reply(to request: OriginRequest) -> OriginReply
}

/// An HTTP server inside this process that listens on a loopback port.
///
/// It runs on libmicrohttpd's threads until ``stop()`` is called or the instance is released. The server simulates
/// latency, bandwidth and faults; the ``OriginService`` supplies the content.
package final class OriginServer: Sendable {
    /// Holds the noncopyable daemon so that ``stop()`` can release it before the server itself is released.
    private final class Slot {
        var daemon: MicrohttpdDaemon?

        init(_ daemon: consuming MicrohttpdDaemon) { self.daemon = consume daemon }
    }

    /// The port it listens on.
    package let port: UInt16
    /// The host it listens on, as written in a URL: IPv6 addresses are in brackets.
    package let host: String
    private let handler: OriginRequestHandler
    private let slot: Locked<Slot>

    package init(_ service: any OriginService, options: OriginOptions = OriginOptions()) throws(FileError) {
        handler = OriginRequestHandler(service, options)
        host = options.urlHost
        let daemon = try MicrohttpdDaemon(handler, options)
        port = daemon.port
        slot = Locked(Slot(daemon))
    }

    /// The base URL, for example `http://127.0.0.1:8080`; append a request target to it.
    package var address: String { "http://\(host):\(port)" }

    /// The most recent requests, oldest first; ``OriginOptions/logLimit`` bounds them.
    package var requests: [OriginRequest] { handler.requests }

    /// The counters since the start.
    package var statistics: OriginStatistics { handler.statistics }

    /// Closes all connections and joins the server's threads; a second call does nothing.
    ///
    /// Do not call it from ``OriginService/reply(to:)``: it waits for those calls to return.
    package func stop() {
        // The lock is held while the daemon stops, so that a concurrent second caller also returns only afterwards.
        slot.withLock { $0.daemon = nil }
    }

    /// The version of libmicrohttpd, if this process has loaded it.
    package static var loadedLibraries: [LibraryVersion] {
        guard clibraries_is_loaded(clibraries_microhttpd) else { return [] }
        return [LibraryVersion("libmicrohttpd", unsafe String(cString: MHD_get_version()))]
    }
}

/// The behaviour of an origin server; by default it is fast and has no faults.
package struct OriginOptions: Sendable {
    /// The address to listen on: `::1` or any in 127.0.0.0/8; others require ``isPublic``.
    package var host = "127.0.0.1"
    /// Whether addresses that other machines can reach are allowed.
    package var isPublic = false
    /// The port; 0 selects a free one.
    package var port: UInt16 = 0
    /// The delay before each reply's first byte; it occupies no thread.
    package var latency = Duration.zero
    /// The largest additional random delay; the sequence of delays is the same in every run.
    package var jitter = Duration.zero
    /// The bandwidth limit of each connection in body bytes per second; `nil` for no limit.
    package var bandwidth: Int?
    /// The bandwidth limit of all connections together in body bytes per second; `nil` for no limit.
    package var sharedBandwidth: Int?
    /// The share of a body's packets that are lost and sent again, 0 to 1; the same for the same request.
    package var loss = 0.0
    /// The faults to inject; the first rule that applies to a request wins.
    package var faults: [OriginFaultRule] = []
    /// The number of recent requests that the log keeps.
    package var logLimit = 4096
    /// The highest number of concurrent connections.
    package var connectionLimit = 8192
    /// The protection against clients that occupy connections; `nil` if all clients are trusted.
    package var protection: ConnectionProtection?
    /// The number of server threads, at least 1.
    package var threads = 4

    package init() {}

    /// Limits for clients that are not trusted.
    ///
    /// When there are too many connections, the oldest one without a complete request is closed, or else the one whose
    /// reply made no progress for the longest time. A quarter of a network's connections may have endless replies.
    package struct ConnectionProtection: Sendable, Hashable {
        /// The time for a request to arrive completely, from the connection's start or the end of the last reply.
        package var requestTime = Duration.seconds(10)
        /// The time after which a connection that makes no progress is closed.
        package var idleTime = Duration.seconds(60)
        /// The highest number of concurrent connections of an IPv4 address, or of the first half of an IPv6 address.
        package var perNetwork = 64

        package init() {}
    }

    /// Whether the address to listen on is a loopback address.
    package var isLoopback: Bool { host.hasPrefix("127.") || host == "::1" }

    /// The host as written in a URL, with brackets around an IPv6 address.
    var urlHost: String { host.contains(":") ? "[\(host)]" : host }
}

/// A gate that holds replies back until a test opens it; an open gate stays open.
package final class OriginGate: Sendable {
    private struct State {
        var isOpen = false
        var callbacks: [@Sendable () -> Void] = []
    }

    private let state = Locked(State())

    package init() {}

    /// Whether the gate is open.
    package var isOpen: Bool { state.withLock { $0.isOpen } }

    /// The number of replies that wait at the gate.
    package var waiting: Int { state.withLock { $0.callbacks.count } }

    /// Releases the waiting replies and lets all later ones pass.
    package func open() {
        let callbacks = state.withLock { state in
            state.isOpen = true
            defer { state.callbacks = [] }
            return state.callbacks
        }
        for callback in callbacks { callback() }
    }

    /// Calls `callback` when the gate opens, or immediately if it is open.
    func whenOpen(_ callback: @escaping @Sendable () -> Void) {
        let isOpen = state.withLock { state in
            if !state.isOpen { state.callbacks.append(callback) }
            return state.isOpen
        }
        if isOpen { callback() }
    }
}
