// SPDX-License-Identifier: MIT

internal import CMicrohttpd

/// A client's connection, as libmicrohttpd lends it to its callbacks.
///
/// It is lent, not owned: it may be used in the callbacks of its own request, and, while suspended, be resumed.
@safe struct Connection: @unchecked Sendable {
    // Sendable because resuming is allowed from every thread, and the waiting room does it under its lock, once for each
    // suspension and before the daemon stops; everything else happens on the connection's own thread.
    private let pointer: OpaquePointer

    init(_ pointer: OpaquePointer) { unsafe self.pointer = pointer }

    /// Stops polling it, until it is resumed.
    func suspend() { unsafe MHD_suspend_connection(pointer) }

    /// Goes on with it.
    func resume() { unsafe MHD_resume_connection(pointer) }

    /// Whether the client has closed its side.
    var isAbandoned: Bool { unsafe cmhd_is_abandoned(pointer) }

    /// The request's header fields.
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

    /// Hands the reply to the server, which then reads the body from `outflow`.
    ///
    /// - Returns: whether the server took it; if not, the connection ends.
    func send(status: Int, headers: [OriginHeader], _ outflow: Outflow) -> Bool {
        let size = outflow.size.map(UInt64.init) ?? cmhd_size_unknown()
        let block = max(1, min(outflow.size ?? .max, 32 << 10))
        let owned = unsafe Unmanaged.passRetained(outflow).toOpaque()
        let response = unsafe MHD_create_response_from_callback(
            size, block,
            { cls, _, buffer, room in
                guard let cls = unsafe cls, let buffer = unsafe buffer else { return cmhd_end_with_error() }
                let outflow = unsafe Unmanaged<Outflow>.fromOpaque(cls).takeUnretainedValue()
                return unsafe outflow.read(into: UnsafeMutableRawBufferPointer(start: buffer, count: room))
            }, owned,
            { cls in if let cls = unsafe cls { unsafe Unmanaged<Outflow>.fromOpaque(cls).release() } })
        guard let response = unsafe response else {
            unsafe Unmanaged<Outflow>.fromOpaque(owned).release()
            return false
        }
        defer { unsafe MHD_destroy_response(response) }
        for header in headers {
            // A field that the library refuses (a line break in it, say) would go missing unseen: break off instead.
            guard unsafe cmhd_is_good(MHD_add_response_header(response, header.name, header.value)) else {
                return false
            }
        }
        return unsafe cmhd_is_good(MHD_queue_response(pointer, UInt32(clamping: max(100, status)), response))
    }
}
