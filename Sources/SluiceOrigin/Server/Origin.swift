// SPDX-License-Identifier: MIT

internal import SluiceModel

/// An HTTP server on a loopback port, inside this process.
///
/// It runs on libmicrohttpd's threads until ``stop()`` or its own end. Latency, bandwidth and faults are its own
/// business; what it serves is the service's.
public final class Origin: Sendable {
    /// A slot, so that the daemon, which cannot be copied, can go before the origin does.
    private final class Slot {
        var daemon: Daemon?

        init(_ daemon: consuming Daemon) { self.daemon = consume daemon }
    }

    /// The port it listens on.
    public let port: UInt16
    /// The loopback address it listens on, as it stands in addresses.
    public let host: String
    private let core: OriginCore
    private let slot: Locked<Slot>

    /// Starts to serve.
    public init(_ service: any OriginService, options: OriginOptions = OriginOptions()) throws(OriginError) {
        core = OriginCore(service, options)
        host = options.hostInAddresses
        let daemon = try Daemon(core, options)
        port = daemon.port
        slot = Locked(Slot(daemon))
    }

    /// `http://127.0.0.1:PORT`, to which a target is appended.
    public var address: String { "http://\(host):\(port)" }

    /// The last requests, the oldest first; ``OriginOptions/logLimit`` bounds them.
    public var requests: [OriginRequest] { core.requests }

    /// What was counted since the start.
    public var statistics: OriginStatistics { core.statistics }

    /// Ends all connections and joins the server's threads; a second call does nothing.
    ///
    /// Do not call it from within a service's reply: it waits for those.
    public func stop() {
        // The lock is held while the daemon goes, so that a second caller returns after the end and not before.
        slot.withLock { $0.daemon = nil }
    }
}
