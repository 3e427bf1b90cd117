// SPDX-License-Identifier: MIT

internal import CCurl

/// Owns a libcurl easy handle and the lists that it refers to.
@safe struct EasyHandle: ~Copyable {
    let pointer: UnsafeMutableRawPointer
    private var lists: [UnsafeMutablePointer<curl_slist>] = unsafe []
    private let message: UnsafeMutablePointer<CChar>

    init() {
        guard let pointer = unsafe curl_easy_init() else { preconditionFailure("libcurl cannot allocate a handle") }
        unsafe self.pointer = pointer
        unsafe message = .allocate(capacity: Int(CURL_ERROR_SIZE))
        unsafe message.initialize(repeating: 0, count: Int(CURL_ERROR_SIZE))
        check(unsafe ccurl_set_pointer(pointer, CURLOPT_ERRORBUFFER, message), CURLOPT_ERRORBUFFER)
    }

    /// libcurl's message for its last failure, with the host, sizes and times that belong to it.
    var errorMessage: String { unsafe String(cString: message) }

    /// The number of body bytes received, before decompression.
    var wireBytes: Int {
        var bytes: curl_off_t = 0
        _ = unsafe ccurl_get_offset(pointer, CURLINFO_SIZE_DOWNLOAD_T, &bytes)
        return Int(bytes)
    }

    /// The numeric address of the host or proxy that the transfer is connected to; `nil` before.
    var serverAddress: String? {
        var text: UnsafeMutableRawPointer?
        guard unsafe ccurl_get_pointer(pointer, CURLINFO_PRIMARY_IP, &text) == CURLE_OK, let text = unsafe text else {
            return nil
        }
        let address = unsafe String(cString: text.assumingMemoryBound(to: CChar.self))
        return address.isEmpty ? nil : address
    }

    /// The system's error of the last connection attempt; 0 without one.
    var systemError: Int32 {
        var result = 0
        _ = unsafe ccurl_get_long(pointer, CURLINFO_OS_ERRNO, &result)
        return Int32(truncatingIfNeeded: result)
    }

    /// OpenSSL's result code for the server's certificate; 0 means that no fault was found.
    var certificateVerifyResult: Int {
        var result = 0
        _ = unsafe ccurl_get_long(pointer, CURLINFO_SSL_VERIFYRESULT, &result)
        return result
    }

    deinit {
        unsafe curl_easy_cleanup(pointer)
        unsafe message.deallocate()
        unsafe lists.forEach { unsafe curl_slist_free_all($0) }
    }

    // These calls end the process if libcurl refuses an option: that is a bug in Sluice, or a libcurl that was built
    // with fewer features. libcurl only copies addresses and headers here, so no feed or user can cause it.

    private borrowing func check(_ code: CURLcode, _ option: CURLoption) {
        guard code != CURLE_OK else { return }
        let version = unsafe String(cString: ccurl_version_info().pointee.version)
        fatalError("libcurl \(version) refuses its option \(option.rawValue): use the distribution's libcurl")
    }

    borrowing func set(_ option: CURLoption, _ value: Int) {
        check(unsafe ccurl_set_long(pointer, option, value), option)
    }

    borrowing func set(_ option: CURLoption, _ value: String?) {
        check(unsafe ccurl_set_string(pointer, option, value), option)
    }

    mutating func set(_ option: CURLoption, _ values: [String]) {
        var list: UnsafeMutablePointer<curl_slist>?
        for value in values {
            guard let longer = unsafe curl_slist_append(list, value) else { preconditionFailure("out of memory") }
            unsafe list = longer
        }
        guard let list = unsafe list else { return }
        unsafe lists.append(list)
        check(unsafe ccurl_set_list(pointer, option, list), option)
    }

    /// Creates the transfer send these bytes, of which libcurl keeps a copy.
    borrowing func setBody(_ bytes: [UInt8]) {
        set(CURLOPT_POSTFIELDSIZE, bytes.count)
        // An empty array may have no address, and libcurl would then ask for the body.
        let bytes = bytes.isEmpty ? [0] : bytes
        let code = unsafe bytes.withUnsafeBytes { body in
            unsafe ccurl_set_pointer(
                pointer, CURLOPT_COPYPOSTFIELDS, UnsafeMutableRawPointer(mutating: body.baseAddress))
        }
        check(code, CURLOPT_COPYPOSTFIELDS)
    }

    /// Makes libcurl call `callback` with `context` to send the request's body from another offset.
    borrowing func setSeeker(_ callback: ccurl_seek_callback, _ context: UnsafeMutableRawPointer) {
        check(unsafe ccurl_set_seek_callback(pointer, callback), CURLOPT_SEEKFUNCTION)
        check(unsafe ccurl_set_pointer(pointer, CURLOPT_SEEKDATA, context), CURLOPT_SEEKDATA)
    }

    /// Refuses every scheme except http and https.
    borrowing func restrictToHTTP() {
        check(unsafe ccurl_restrict_to_http(pointer), ccurl_protocols)
    }

    /// Makes libcurl call `callback` with `context` instead of `socket`.
    borrowing func setSocketOpener(_ callback: ccurl_open_socket_callback, _ context: UnsafeMutableRawPointer) {
        check(unsafe ccurl_set_open_socket_callback(pointer, callback), CURLOPT_OPENSOCKETFUNCTION)
        check(unsafe ccurl_set_pointer(pointer, CURLOPT_OPENSOCKETDATA, context), CURLOPT_OPENSOCKETDATA)
    }

    /// Makes libcurl call `callback` with `context` instead of `close`, also for later users of the connection.
    borrowing func setSocketCloser(_ callback: ccurl_close_socket_callback, _ context: UnsafeMutableRawPointer) {
        check(unsafe ccurl_set_close_socket_callback(pointer, callback), CURLOPT_CLOSESOCKETFUNCTION)
        check(unsafe ccurl_set_pointer(pointer, CURLOPT_CLOSESOCKETDATA, context), CURLOPT_CLOSESOCKETDATA)
    }

    /// Makes libcurl call `callback` with its log and `context` while `CURLOPT_VERBOSE` is on.
    borrowing func setLog(_ callback: ccurl_debug_callback, _ context: UnsafeMutableRawPointer) {
        check(unsafe ccurl_set_debug_callback(pointer, callback), CURLOPT_DEBUGFUNCTION)
        check(unsafe ccurl_set_pointer(pointer, CURLOPT_DEBUGDATA, context), CURLOPT_DEBUGDATA)
    }

    /// Sets the number that identifies the handle in libcurl's messages.
    borrowing func setPrivate(_ number: UInt) {
        let value = unsafe UnsafeMutableRawPointer(bitPattern: number)
        check(unsafe ccurl_set_pointer(pointer, CURLOPT_PRIVATE, value), CURLOPT_PRIVATE)
    }

    /// Makes libcurl call `callback` with received data and `context`.
    borrowing func set(
        _ functionOption: CURLoption, _ callback: ccurl_data_callback, _ contextOption: CURLoption,
        _ context: UnsafeMutableRawPointer
    ) {
        check(unsafe ccurl_set_data_callback(pointer, functionOption, callback), functionOption)
        check(unsafe ccurl_set_pointer(pointer, contextOption, context), contextOption)
    }
}

// MARK: Connections

extension EasyHandle {
    /// Whether libcurl accepts the options that the address guard depends on.
    var acceptsGuard: Bool {
        let refuseAll: ccurl_open_socket_callback = { _, _, _ in CURL_SOCKET_BAD }
        return unsafe ccurl_restrict_to_http(pointer) == CURLE_OK
            && ccurl_set_open_socket_callback(pointer, refuseAll) == CURLE_OK
            && ccurl_set_list(pointer, CURLOPT_RESOLVE, nil) == CURLE_OK
    }

    /// Whether the transfer opened a connection, and did not reuse an idle one.
    var isNewConnection: Bool {
        var count = 0
        _ = unsafe ccurl_get_long(pointer, CURLINFO_NUM_CONNECTS, &count)
        return count > 0
    }

    /// The socket of the finished transfer's connection; `nil` if the connection is closed.
    var socket: curl_socket_t? {
        let socket = unsafe ccurl_active_socket(pointer)
        return socket == CURL_SOCKET_BAD ? nil : socket
    }

    private static let usesOpenSSL = ccurl_uses_openssl() != 0

    /// OpenSSL's object of the running transfer's connection; it exists as long as the connection.
    ///
    /// It is `nil` without TLS, and if libcurl uses another TLS library.
    var tlsConnection: OpaquePointer? {
        Self.usesOpenSSL ? unsafe ccurl_openssl_connection(pointer).map(OpaquePointer.init) : nil
    }
}

// MARK: Times

extension EasyHandle {
    /// The durations of the transfer's phases, as libcurl measured them; `begin` is when the transfer began.
    ///
    /// On a reused connection, all time before the request counts as waiting for the first byte.
    borrowing func times(since begin: ContinuousClock.Instant) -> TransferTimes {
        var times = TransferTimes(begin: begin)
        let firstByte = time(CURLINFO_STARTTRANSFER_TIME_T)
        var ready = Duration.zero
        if isNewConnection {
            let (resolved, connected) = (time(CURLINFO_NAMELOOKUP_TIME_T), time(CURLINFO_CONNECT_TIME_T))
            ready = max(connected, time(CURLINFO_APPCONNECT_TIME_T))
            times.dns = resolved
            times.connect = max(.zero, connected - resolved)
            times.tls = ready - connected
        }
        times.firstByte = max(.zero, firstByte - ready)
        times.body = max(.zero, time(CURLINFO_TOTAL_TIME_T) - firstByte)
        return times
    }

    private borrowing func time(_ info: CURLINFO) -> Duration {
        var microseconds: curl_off_t = 0
        _ = unsafe ccurl_get_offset(pointer, info, &microseconds)
        return .microseconds(Int64(microseconds))
    }
}
