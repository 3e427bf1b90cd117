// SPDX-License-Identifier: MIT

internal import CMicrohttpd
internal import SluiceFiles
internal import SluiceSystem

/// Owns a running libmicrohttpd daemon and routes its C callbacks to the request handler.
///
/// Releasing it resumes suspended connections, closes all connections and joins the server's threads.
@safe struct MicrohttpdDaemon: ~Copyable {
    /// The port it listens on.
    let port: UInt16
    private let pointer: OpaquePointer
    private let handler: Unmanaged<OriginRequestHandler>

    init(_ handler: OriginRequestHandler, _ options: OriginOptions) throws(FileError) {
        let address = "\(options.urlHost):\(options.port)"
        guard options.isPublic || options.isLoopback else {
            throw FileError(
                code: EADDRNOTAVAIL, operation: "serve on", path: address,
                reason: "not a loopback address (use 127.0.0.1)")
        }
        let owned = unsafe Unmanaged.passRetained(handler)
        var callbacks = unsafe cmhd_callbacks(
            handle: Self.handle, begin: Self.begin, complete: Self.complete, connection: Self.connection,
            cls: owned.toOpaque())
        errno = 0
        let threads = UInt32(clamping: max(1, options.threads))
        // The guard closes a connection when it accepts another one, so there is room for those that are being closed.
        let extra = options.protection == nil ? 0 : 2 * Int(threads)
        let limit = UInt32(clamping: max(options.threads, options.connectionLimit) + extra)
        let idle = UInt32(clamping: Int((options.protection?.idleTime ?? .zero) / .seconds(1)))
        let started = unsafe cmhd_start(options.host, options.port, threads, limit, idle, &callbacks)
        let code = errno
        guard let started = unsafe started else {
            unsafe owned.release()
            throw FileError(
                code: code, operation: "serve on", path: address,
                reason: code == 0 ? "the server did not start" : nil)
        }
        unsafe pointer = started
        unsafe self.handler = owned
        port = unsafe cmhd_port(started)
    }

    deinit {
        // libmicrohttpd must not be stopped while a connection is suspended.
        unsafe handler.takeUnretainedValue().suspended.close()
        unsafe MHD_stop_daemon(pointer)
        unsafe handler.release()
    }

    private static func handler(_ cls: UnsafeMutableRawPointer?) -> OriginRequestHandler? {
        guard let cls = unsafe cls else { return nil }
        return unsafe Unmanaged<OriginRequestHandler>.fromOpaque(cls).takeUnretainedValue()
    }

    private static func context(_ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?) -> RequestContext? {
        guard let pointer = unsafe slot?.pointee else { return nil }
        return unsafe Unmanaged<RequestContext>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// Called when a request line was read; libmicrohttpd keeps the returned context.
    private static let begin:
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>, OpaquePointer) -> UnsafeMutableRawPointer? = {
            cls, target, _ in
            guard let context = unsafe handler(cls)?.didBegin(target: String(cString: target)) else { return nil }
            return unsafe Unmanaged.passRetained(context).toOpaque()
        }

    /// Called when a request is over, whether or not it succeeded; releases the context.
    private static let complete: MHD_RequestCompletedCallback = { cls, connection, slot, _ in
        if let connection = unsafe connection {
            unsafe handler(cls)?.connections?.didFinishReply(on: ClientConnection(connection))
        }
        guard let pointer = unsafe slot?.pointee else { return }
        let context = unsafe Unmanaged<RequestContext>.fromOpaque(pointer).takeRetainedValue()
        unsafe slot?.pointee = nil
        unsafe handler(cls)?.didEnd(context)
    }

    private static let connection: MHD_NotifyConnectionCallback = { cls, connection, _, code in
        guard let handler = unsafe handler(cls), let connection = unsafe connection else { return }
        if cmhd_is_start(code) {
            handler.didConnect()
            unsafe handler.connections?.didConnect(ClientConnection(connection))
        } else {
            unsafe handler.connections?.didDisconnect(ClientConnection(connection))
            handler.didDisconnect()
        }
    }

    /// Called with the head, with each part of the body, at the request's end, and after each suspension.
    private static let handle: MHD_AccessHandlerCallback = { cls, connection, _, method, _, body, bodySize, slot in
        guard let handler = unsafe handler(cls), let context = unsafe context(slot), let pointer = unsafe connection
        else {
            return cmhd_result(false)
        }
        if !context.hasHead {
            context.hasHead = true
            return cmhd_result(true)
        }
        if let count = unsafe bodySize?.pointee, count > 0 {
            unsafe context.receive(UnsafeRawBufferPointer(start: body, count: count))
            unsafe bodySize?.pointee = 0
            return cmhd_result(true)
        }
        let connection = unsafe ClientConnection(pointer)
        guard case .receiving = context.phase else { return cmhd_result(handler.resume(context, on: connection)) }
        handler.connections?.didReceiveRequest(on: connection)
        let request = unsafe OriginRequest(
            method: method.map { unsafe String(cString: $0) } ?? "", target: context.target,
            headers: connection.headers, body: context.body)
        return cmhd_result(handler.didReceive(request, in: context, on: connection))
    }
}
