// SPDX-License-Identifier: MIT

internal import CMicrohttpd

/// A client's connection as libmicrohttpd passes it to callbacks.
///
/// libmicrohttpd owns the connection. Use it only in the callbacks of its own request, or to resume it while it is
/// suspended.
@safe struct ClientConnection: @unchecked Sendable {
    // Sendable because any thread may resume a connection or shut it down. `SuspendedConnections` resumes under its
    // lock, once per suspension and before the daemon stops. `ConnectionGuard` shuts down under its lock, before the
    // server closes the socket. Everything else happens on the connection's own thread.
    private let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }

    /// Identifies the connection as long as it is open.
    var id: UInt { unsafe UInt(bitPattern: pointer) }

    /// Identifies the client's network: an IPv4 address, or the first half of an IPv6 address.
    var network: UInt64 { unsafe cmhd_client_network(pointer) }

    /// Ends communication, after which the server closes the connection; the socket must still be open.
    func shutDown() { unsafe cmhd_shut_down(pointer) }

    /// Stops polling the connection until it is resumed.
    func suspend() { unsafe MHD_suspend_connection(pointer) }

    func resume() { unsafe MHD_resume_connection(pointer) }

    /// Whether the client has closed its side of the connection.
    var isAbandoned: Bool { unsafe cmhd_is_abandoned(pointer) }

    var headers: [OriginHeader] {
        var headers: [OriginHeader] = []
        unsafe withUnsafeMutablePointer(to: &headers) { headers in
            unsafe cmhd_headers(
                pointer,
                { cls, _, name, value in
                    guard let cls = unsafe cls, let name = unsafe name else { return cmhd_result(true) }
                    let value = unsafe value.map { unsafe String(cString: $0) } ?? ""
                    let header = unsafe OriginHeader(String(cString: name), value)
                    unsafe cls.assumingMemoryBound(to: [OriginHeader].self).pointee.append(header)
                    return cmhd_result(true)
                }, headers)
        }
        return headers
    }

    /// Queues the reply; the server then reads the body from `body`.
    ///
    /// - Returns: whether the server accepted the reply; if not, the connection closes.
    func send(status: Int, headers: [OriginHeader], _ body: OutgoingBody) -> Bool {
        let size = body.size.map(UInt64.init) ?? cmhd_size_unknown()
        let block = max(1, min(body.size ?? .max, 32 << 10))
        let owned = unsafe Unmanaged.passRetained(body).toOpaque()
        let response = unsafe MHD_create_response_from_callback(
            size, block,
            { cls, _, buffer, capacity in
                guard let cls = unsafe cls, let buffer = unsafe buffer else { return cmhd_end_with_error() }
                let body = unsafe Unmanaged<OutgoingBody>.fromOpaque(cls).takeUnretainedValue()
                return unsafe body.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: capacity))
            }, owned,
            { cls in if let cls = unsafe cls { unsafe Unmanaged<OutgoingBody>.fromOpaque(cls).release() } })
        guard let response = unsafe response else {
            unsafe Unmanaged<OutgoingBody>.fromOpaque(owned).release()
            return false
        }
        defer { unsafe MHD_destroy_response(response) }
        for header in headers {
            // libmicrohttpd refuses a field with a line break, for example. Close the connection rather than drop it.
            guard unsafe cmhd_is_good(MHD_add_response_header(response, header.name, header.value)) else {
                return false
            }
        }
        return unsafe cmhd_is_good(MHD_queue_response(pointer, UInt32(clamping: max(100, status)), response))
    }
}
