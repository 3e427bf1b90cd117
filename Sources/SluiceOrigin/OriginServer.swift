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
