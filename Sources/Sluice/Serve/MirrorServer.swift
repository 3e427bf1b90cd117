// SPDX-License-Identifier: MIT

internal import SluiceOrigin

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// A mirror over HTTP: its gallery, its photos and its manifest, and what arrives while a run fills it.
///
/// It only reads, and holds no lock: a run may be under way in another process.
public final class MirrorServer: Sendable {
    /// Where it is to be reached.
    public struct Options: Sendable, Hashable {
        /// The address to listen on; one beside loopback's takes ``isPublic``.
        public var host = "127.0.0.1"
        /// The port; 0 takes a free one.
        public var port: UInt16 = 8000
        /// Whether other machines are served.
        public var isPublic = false

        /// Makes the options of a server for this machine alone.
        public init() {}
    }

    /// `http://127.0.0.1:8000/`.
    public let address: String
    private let origin: Origin
    private let news: LiveNews

    /// Begins to serve the mirror in `folder`.
    public init(_ folder: String, options: Options = Options()) throws(MirrorError) {
        let held = try MirrorFolder.find(folder)
        var listening = OriginOptions()
        listening.host = options.host
        listening.port = options.port
        listening.isPublic = options.isPublic
        guard options.isPublic || listening.isLoopback else {
            throw MirrorError(.usage, "\(options.host) is open to other machines: say --public if that is meant")
        }
        news = LiveNews(of: MirrorSite.front, in: held)
        do throws(OriginError) {
            origin = try Origin(
                MirrorSite(folder: held, news: news, isPublic: options.isPublic), options: listening)
        } catch {
            let isPort = [EADDRINUSE, EACCES].contains(error.errno)
            let advice =
                isPort ? "give another port with --port" : "give an address of this machine with --host, in figures"
            throw MirrorError(.local, "\(error): \(advice)")
        }
        address = origin.address + "/"
    }

    /// Ends all connections.
    public func stop() {
        news.stop()
        origin.stop()
    }
}
