// SPDX-License-Identifier: MIT

public import SluiceEngine
internal import SluiceFiles
public import SluiceModel
internal import SluiceOrigin
internal import SluiceStore
internal import SluiceSystem

/// Serves a mirror over HTTP: its gallery, photos and manifest, with live updates while a run fills it.
///
/// It only reads and holds no lock, so another process may run in the mirror at the same time.
public final class MirrorServer: Sendable {
    /// The address to listen on, and who may connect.
    public struct Options: Sendable, Hashable {
        /// The address to listen on.
        ///
        /// Any address other than loopback requires ``isPublic``.
        public var host = "127.0.0.1"
        /// The port; 0 chooses a free one.
        public var port: UInt16 = 8000
        /// Whether other machines may connect.
        public var isPublic = false

        /// Creates the options of a server that only this machine can reach.
        public init() {}
    }

    /// The mirror's URL, such as `http://0123456789abcdef.localhost:8000/`.
    ///
    /// A browser that opens it at `127.0.0.1` or `localhost` is sent there.
    public let address: String
    private let origin: OriginServer
    private let updates: GalleryUpdates

    /// Starts to serve the mirror in `folder`.
    public init(
        _ folder: String, options: Options = Options(), buckets: S3Options = S3Options()
    ) throws(MirrorError) {
        let bucket = try BucketMirror(folder, buckets)
        let store: any Store
        let identity: String
        if let bucket {
            (store, identity) = (try bucket.servedStore(), folder)
        } else {
            let local = try MirrorFolder.find(folder)
            (store, identity) = (LocalStore(local), try MirrorError.onDisk(local.identity()))
        }
        let names = SiteNames(identity: identity, listeningOn: options.host, isPublic: options.isPublic)
        var listening = OriginOptions()
        listening.host = options.host
        listening.port = options.port
        listening.isPublic = options.isPublic
        guard options.isPublic || listening.isLoopback else {
            throw MirrorError(
                .usage, "cannot serve on \(options.host): other machines could connect", hint: .servePublicly)
        }
        // A connection needs descriptors for its socket, for the file that it sends, and for its successor's socket.
        let descriptors = DescriptorLimit.raised()
        try descriptors.check()
        listening.connectionLimit = max(4, min(512, (descriptors.maximum - DescriptorLimit.minimum) / 3))
        listening.protection = OriginOptions.ConnectionProtection()
        updates = GalleryUpdates(of: SiteRouter.frontPage, in: store, isLocal: bucket == nil)
        let server: OriginServer
        do throws(FileError) {
            server = try OriginServer(
                SiteRouter(store: store, updates: updates, names: names), options: listening)
        } catch {
            let isPort = [EADDRINUSE, EACCES].contains(error.code)
            throw MirrorError(.local, error.description, hint: isPort ? .choosePort : .chooseHost)
        }
        origin = server
        address = names.own.map { "http://\($0):\(server.port)/" } ?? server.address + "/"
    }

    /// Stops the server and closes all connections.
    public func stop() {
        updates.stop()
        origin.stop()
    }
}
