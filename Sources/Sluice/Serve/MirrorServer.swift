// SPDX-License-Identifier: MIT

public import SluiceEngine
internal import SluiceFiles
public import SluiceModel
internal import SluiceOrigin
internal import SluiceStore
internal import SluiceSystem

/// Serves a mirror over HTTP: its gallery, photos and manifest, with live updates while a run fills it.
///
/// It holds no lock, so another process may run in the mirror at the same time. Unless it is editable, it only reads.
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
        /// Whether the gallery may mark photos: rate, reject, tag and caption them.
        ///
        /// Only pages that were opened by ``MirrorServer/address`` can do so.
        public var isEditable = false

        /// Creates the options of a server that only this machine can reach.
        public init() {}
    }

    /// The mirror's URL, such as `http://0123456789abcdef.localhost:8000/`.
    ///
    /// A browser that opens it at `127.0.0.1` or `localhost` is sent there. If the server is editable, it contains a
    /// secret.
    public let address: String
    private let origin: OriginServer
    private let updates: GalleryUpdates
    private let editor: GalleryEditor?

    /// Starts to serve the mirror in `folder`.
    ///
    /// `log` gets a line for each change that a page makes.
    public init(
        _ folder: String, options: Options = Options(), buckets: S3Options = S3Options(),
        log: @escaping @Sendable (String) -> Void = { _ in }
    ) throws(MirrorError) {
        let bucket = try BucketMirror(folder, buckets)
        let store: any Store
        let identity: String
        guard !options.isEditable || !options.isPublic && bucket == nil else {
            let reason = bucket == nil ? "other machines could read the secret in its address" : "it is in a bucket"
            throw MirrorError(.usage, "cannot edit '\(folder)': \(reason)")
        }
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
        editor =
            options.isEditable ? try GalleryEditor(of: folder, in: MirrorFolder.find(folder), log: log) : nil
        let server: OriginServer
        do throws(FileError) {
            server = try OriginServer(
                SiteRouter(store: store, updates: updates, names: names, editor: editor), options: listening)
        } catch {
            let isPort = [EADDRINUSE, EACCES].contains(error.code)
            throw MirrorError(.local, error.description, hint: isPort ? .choosePort : .chooseHost)
        }
        origin = server
        let home = names.own.map { "http://\($0):\(server.port)/" } ?? server.address + "/"
        address = editor.map { "\(home)?edit=\($0.token)" } ?? home
    }

    /// Stops the server and closes all connections.
    public func stop() {
        updates.stop()
        origin.stop()
        editor?.stop()
    }
}
