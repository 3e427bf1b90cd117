// SPDX-License-Identifier: MIT

internal import CCurl
internal import SluiceFiles
internal import SluiceModel
internal import SluiceSystem

extension HTTPExchange {
    /// Sets all libcurl options; called once, before the exchange is added to the loop.
    func configure(_ options: TransferOptions) {
        handle.setPrivate(id)
        handle.set(CURLOPT_URL, spec.url)
        handle.restrictToHTTP()
        handle.set(CURLOPT_FOLLOWLOCATION, 0)
        handle.set(CURLOPT_NOSIGNAL, 1)
        handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        // With TLS the handshake shows whether the host supports HTTP/2, so waiting for a connection to share pays off.
        handle.set(CURLOPT_PIPEWAIT, spec.address.scheme == "https" ? 1 : 0)
        handle.set(CURLOPT_BUFFERSIZE, min(options.chunkSize, spec.target.maxChunkSize))
        handle.set(CURLOPT_USERAGENT, options.userAgent)
        handle.set(CURLOPT_CONNECTTIMEOUT_MS, options.connectTimeout.milliseconds)
        handle.set(CURLOPT_TIMEOUT_MS, spec.timeout.milliseconds)
        handle.set(CURLOPT_MAXAGE_CONN, Int(options.idleTime.components.seconds))
        configureProtocol(options)
        // Without its value, libcurl does not send the header.
        handle.set(CURLOPT_HTTPHEADER, spec.headers + (spec.decodesBody ? ["Accept-Encoding:"] : []))
        if let form = spec.form { handle.set(CURLOPT_COPYPOSTFIELDS, form) }
        if let body = spec.body { configureBody(body) }
        if spec.method == "HEAD" {
            handle.set(CURLOPT_NOBODY, 1)
        } else if let method = spec.method {
            handle.set(CURLOPT_CUSTOMREQUEST, method)
        }
        if spec.acceptsCompression {
            handle.set(CURLOPT_ACCEPT_ENCODING, "")
        } else if spec.decodesBody {
            handle.set(CURLOPT_ACCEPT_ENCODING, "gzip, deflate")
        }
        configureRoute(options)
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe handle.setSocketOpener(openSocket, context)
        unsafe handle.setLog(receiveLog, context)
        // libcurl reports the request's head only in its log.
        if isRecorded { handle.set(CURLOPT_VERBOSE, 1) }
        if spec.needsNewConnection { handle.set(CURLOPT_FRESH_CONNECT, 1) }
        unsafe handle.set(CURLOPT_WRITEFUNCTION, receiveBody, CURLOPT_WRITEDATA, context)
        unsafe handle.set(CURLOPT_HEADERFUNCTION, receiveHeader, CURLOPT_HEADERDATA, context)
    }

    /// libcurl sends a small body together with the headers, and reads a large one from memory as it is sent.
    private func configureBody(_ body: [UInt8]) {
        guard body.count > Self.maxCopiedBody else { return handle.setBody(body) }
        handle.set(CURLOPT_POST, 1)
        handle.set(CURLOPT_POSTFIELDSIZE, body.count)
        handle.set(CURLOPT_UPLOAD_BUFFERSIZE, min(body.count, Self.maxSentChunk))
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe handle.set(CURLOPT_READFUNCTION, sendBody, CURLOPT_READDATA, context)
        unsafe handle.setSeeker(seekBody, context)
    }

    /// Creates the exchange neither use an idle connection nor leave one.
    func useOwnConnection() {
        handle.set(CURLOPT_FRESH_CONNECT, 1)
        handle.set(CURLOPT_FORBID_REUSE, 1)
    }

    /// Puts resolved addresses into libcurl's DNS cache, and removes those of other hosts.
    ///
    /// libcurl would visit all of its entries at the end of each transfer to find those that are old.
    func resolve(forgetting old: [String]) {
        guard let resolvedName, let addresses = spec.addresses else { return }
        let list = addresses.map { $0.bytes.count == 16 ? "[\($0)]" : "\($0)" }.joined(separator: ",")
        // Some libcurl versions look a host up with its trailing dot, others without.
        let (host, port) = (spec.address.hostName, spec.address.port)
        let forgotten = old.flatMap { name in
            let host = name.prefix { $0 != ":" }
            return ["-\(name)", "-\(host).\(name.dropFirst(host.count))"]
        }
        handle.set(CURLOPT_RESOLVE, forgotten + ["+\(resolvedName):\(list)", "+\(host).:\(port):\(list)"])
        handle.set(CURLOPT_DNS_CACHE_TIMEOUT, -1)
    }

    /// The host and port for libcurl's DNS cache; `nil` if libcurl or a proxy resolves the host.
    var resolvedName: String? {
        addressGuard == nil || spec.addresses == nil ? nil : "\(spec.address.hostName):\(spec.address.port)"
    }

    private func configureProtocol(_ options: TransferOptions) {
        switch spec.http {
        case _ where !Transfers.hasHTTP2: handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        case .auto: handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        case .http1: handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        case .http2:
            let isSecure = spec.address.scheme == "https"
            let version = isSecure ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE
            handle.set(CURLOPT_HTTP_VERSION, Int(version))
            if !isSecure, Self.losesHTTP2Connections { useOwnConnection() }
        }
        handle.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        let trusted = options.certificates
        if !trusted.isDefault {
            // Both, because libcurl would also trust the authorities in the folder that it was built with.
            handle.set(CURLOPT_CAINFO, trusted.file)
            handle.set(CURLOPT_CAPATH, trusted.folder)
        }
        if !options.nameServers.isEmpty {
            // Without c-ares libcurl rejects the option; callers check `Transfers.canChooseNameServers` first.
            _ = unsafe ccurl_set_string(handle.pointer, CURLOPT_DNS_SERVERS, options.nameServers.joined(separator: ","))
        }
    }

    /// Whether this libcurl fails the second request on a connection that began with HTTP/2 without TLS.
    ///
    /// Version 7.88, which Debian 12 has, sets HTTP/2 up again on such a connection (curl's issue 10634).
    private static let losesHTTP2Connections = unsafe (0x075800..<0x080000).contains(
        ccurl_version_info().pointee.version_num)

    /// Turns on the minimum speed; it applies from the first byte of the response on.
    func watchSpeed() {
        handle.set(CURLOPT_LOW_SPEED_LIMIT, minimumSpeed)
        handle.set(CURLOPT_LOW_SPEED_TIME, minimumSpeedTime)
    }

    /// Chooses the connection target, the proxy and the password.
    private func configureRoute(_ options: TransferOptions) {
        // Without this, libcurl would read the proxy variables, which `ProxyRules` has read already.
        handle.set(CURLOPT_PROXY, "")
        if let port = options.loopbackPorts[spec.address.host] {
            handle.set(CURLOPT_CONNECT_TO, ["\(spec.address.host):\(spec.address.port):127.0.0.1:\(port)"])
        } else if let proxy = options.proxies.proxy(for: spec.address) {
            // The proxy resolves the host, so the guard can check only the address as written; it did so before.
            handle.set(CURLOPT_PROXY, proxy)
        } else {
            addressGuard = options.addressGuard
        }
        handle.set(CURLOPT_NETRC, spec.readsNetrc ? ccurl_netrc_optional : 0)
        if let file = options.netrcFile { handle.set(CURLOPT_NETRC_FILE, file) }
        if let credentials = spec.credentials {
            handle.set(CURLOPT_USERNAME, credentials.user)
            handle.set(CURLOPT_PASSWORD, credentials.password)
        }
    }
}

// libcurl calls these on the loop's thread; the context is the exchange that `configure` set.

private let receiveBody: ccurl_data_callback = { bytes, _, count, context in
    guard let context = unsafe context else { return 0 }
    let exchange = unsafe Unmanaged<HTTPExchange>.fromOpaque(context).takeUnretainedValue()
    guard exchange.mayReceive(count) else { return Int(CURL_WRITEFUNC_PAUSE) }
    return unsafe exchange.receive(body: UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
}

private let sendBody: ccurl_data_callback = { buffer, _, capacity, context in
    guard let context = unsafe context else { return 0 }
    let exchange = unsafe Unmanaged<HTTPExchange>.fromOpaque(context).takeUnretainedValue()
    return unsafe exchange.takeBody(into: UnsafeMutableRawBufferPointer(start: buffer, count: capacity))
}

// libcurl sends the body again if the server has closed an idle connection meanwhile.
private let seekBody: ccurl_seek_callback = { context, offset, origin in
    guard let context = unsafe context, origin == SEEK_SET else { return CURL_SEEKFUNC_CANTSEEK }
    unsafe Unmanaged<HTTPExchange>.fromOpaque(context).takeUnretainedValue().rewindBody(to: Int(offset))
    return CURL_SEEKFUNC_OK
}

private let receiveHeader: ccurl_data_callback = { bytes, _, count, context in
    guard let context = unsafe context else { return 0 }
    let exchange = unsafe Unmanaged<HTTPExchange>.fromOpaque(context).takeUnretainedValue()
    let line = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
    if exchange.isRecorded { unsafe exchange.record(received: line) }
    return unsafe exchange.receive(header: line) ? count : 0
}

private let receiveLog: ccurl_debug_callback = { _, kind, text, count, context in
    guard let context = unsafe context else { return 0 }
    let exchange = unsafe Unmanaged<HTTPExchange>.fromOpaque(context).takeUnretainedValue()
    let bytes = unsafe UnsafeRawBufferPointer(start: text, count: count)
    switch kind {
    case CURLINFO_TEXT: unsafe exchange.receive(log: bytes)
    case CURLINFO_DATA_IN: unsafe exchange.receive(raw: bytes)
    case CURLINFO_HEADER_OUT where exchange.isRecorded: unsafe exchange.record(sent: bytes)
    default: break
    }
    return 0
}

private let openSocket: ccurl_open_socket_callback = { context, _, address in
    guard let context = unsafe context, let addressOffset = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else {
        return CURL_SOCKET_BAD
    }
    let exchange = unsafe Unmanaged<HTTPExchange>.fromOpaque(context).takeUnretainedValue()
    guard unsafe exchange.mayConnect(to: NetworkAddress(UnsafeRawPointer(address) + addressOffset)) else {
        return CURL_SOCKET_BAD
    }
    let wanted = unsafe address.pointee
    // Child processes must not inherit the socket.
    let descriptor = DescriptorReserve.admit(socket(wanted.family, wanted.socktype, wanted.protocol))
    guard descriptor >= 0 else {
        exchange.cannotOpenSocket(code: errno)
        return CURL_SOCKET_BAD
    }
    _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC)
    return descriptor
}
