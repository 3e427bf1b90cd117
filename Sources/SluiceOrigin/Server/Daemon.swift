// SPDX-License-Identifier: MIT

internal import CMicrohttpd

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// The owner of a running libmicrohttpd daemon, and the callbacks that lead from C into the origin.
///
/// Going, it resumes whoever waits, ends all connections and joins the server's threads.
@safe struct Daemon: ~Copyable {
    /// The port it listens on.
    let port: UInt16
    private let pointer: OpaquePointer
    private let core: Unmanaged<OriginCore>

    init(_ core: OriginCore, _ options: OriginOptions) throws(OriginError) {
        let address = "\(options.hostInAddresses):\(options.port)"
        guard options.isPublic || options.isLoopback else {
            throw OriginError(code: .notLoopback, address: address, errno: 0)
        }
        let owned = unsafe Unmanaged.passRetained(core)
        var callbacks = unsafe cmhd_callbacks(
            handle: Self.handle, begin: Self.begin, complete: Self.complete, connection: Self.connection,
            cls: owned.toOpaque())
        errno = 0
        let threads = UInt32(clamping: max(1, options.threads))
        let limit = UInt32(clamping: max(options.threads, options.connectionLimit))
        let started = unsafe cmhd_start(options.host, options.port, threads, limit, &callbacks)
        let code = errno
        guard let started = unsafe started else {
            unsafe owned.release()
            throw OriginError(code: .cannotListen, address: address, errno: code)
        }
        unsafe pointer = started
        unsafe self.core = owned
        port = unsafe cmhd_port(started)
    }

    deinit {
        // The library must not be stopped while a connection is suspended.
        unsafe core.takeUnretainedValue().room.close()
        unsafe MHD_stop_daemon(pointer)
        unsafe core.release()
    }

    private static func core(_ cls: UnsafeMutableRawPointer?) -> OriginCore? {
        guard let cls = unsafe cls else { return nil }
        return unsafe Unmanaged<OriginCore>.fromOpaque(cls).takeUnretainedValue()
    }

    private static func exchange(_ slot: UnsafeMutablePointer<UnsafeMutableRawPointer?>?) -> Exchange? {
        guard let pointer = unsafe slot?.pointee else { return nil }
        return unsafe Unmanaged<Exchange>.fromOpaque(pointer).takeUnretainedValue()
    }

    /// A request line was read: the exchange begins, and the library keeps it.
    private static let begin:
        @convention(c) (UnsafeMutableRawPointer?, UnsafePointer<CChar>, OpaquePointer) -> UnsafeMutableRawPointer? = {
            cls, target, _ in
            guard let exchange = unsafe core(cls)?.began(target: String(cString: target)) else { return nil }
            return unsafe Unmanaged.passRetained(exchange).toOpaque()
        }

    /// The request is over, however it ended: the library gives the exchange back.
    private static let complete: MHD_RequestCompletedCallback = { cls, _, slot, _ in
        guard let pointer = unsafe slot?.pointee else { return }
        let exchange = unsafe Unmanaged<Exchange>.fromOpaque(pointer).takeRetainedValue()
        unsafe slot?.pointee = nil
        unsafe core(cls)?.ended(exchange)
    }

    private static let connection: MHD_NotifyConnectionCallback = { cls, _, _, code in
        if cmhd_is_start(code) {
            unsafe core(cls)?.connected()
        } else {
            unsafe core(cls)?.disconnected()
        }
    }

    /// Called with the head, with each part of the body, at the request's end, and after each wait.
    private static let handle: MHD_AccessHandlerCallback = { cls, connection, _, method, _, body, bodySize, slot in
        guard let core = unsafe core(cls), let exchange = unsafe exchange(slot), let pointer = unsafe connection else {
            return cmhd_result(false)
        }
        if !exchange.hasHead {
            exchange.hasHead = true
            return cmhd_result(true)
        }
        if let count = unsafe bodySize?.pointee, count > 0 {
            unsafe exchange.receive(UnsafeRawBufferPointer(start: body, count: count))
            unsafe bodySize?.pointee = 0
            return cmhd_result(true)
        }
        let connection = unsafe Connection(pointer)
        guard case .arriving = exchange.phase else { return cmhd_result(core.goOn(exchange, on: connection)) }
        let request = unsafe OriginRequest(
            method: method.map { unsafe String(cString: $0) } ?? "", target: exchange.target,
            headers: connection.headers, body: exchange.body)
        return cmhd_result(core.arrived(exchange, request, on: connection))
    }
}
