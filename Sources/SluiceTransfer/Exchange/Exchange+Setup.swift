// SPDX-License-Identifier: MIT

internal import CCurl
internal import SluiceModel

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

extension Exchange {
    /// Tells libcurl all that it must know; called once, before the exchange is in the loop.
    func configure(_ options: TransferOptions) {
        handle.setPrivate(id)
        handle.set(CURLOPT_URL, wish.address.text)
        handle.allowWebAlone()
        handle.set(CURLOPT_FOLLOWLOCATION, 0)
        handle.set(CURLOPT_NOSIGNAL, 1)
        handle.set(CURLOPT_SUPPRESS_CONNECT_HEADERS, 1)
        // Worth waiting for where TLS tells whether the host speaks HTTP/2; without TLS only the first reply would.
        handle.set(CURLOPT_PIPEWAIT, wish.address.scheme == "https" ? 1 : 0)
        handle.set(CURLOPT_BUFFERSIZE, options.chunk)
        handle.set(CURLOPT_USERAGENT, options.userAgent)
        handle.set(CURLOPT_CONNECTTIMEOUT_MS, options.connectTimeout.milliseconds)
        handle.set(CURLOPT_TIMEOUT_MS, wish.timeout.milliseconds)
        configureProtocol(options)
        handle.set(CURLOPT_HTTPHEADER, wish.headers)
        if let form = wish.form { handle.set(CURLOPT_COPYPOSTFIELDS, form) }
        if wish.acceptsCompression { handle.set(CURLOPT_ACCEPT_ENCODING, "") }
        configureWay(options)
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe handle.setOpener(openSocket, context)
        unsafe handle.set(CURLOPT_WRITEFUNCTION, receiveBody, CURLOPT_WRITEDATA, context)
        unsafe handle.set(CURLOPT_HEADERFUNCTION, receiveHeader, CURLOPT_HEADERDATA, context)
    }

    /// Tells libcurl what it would look up; a `+` lets its cache forget it again.
    private func resolve(to addresses: [NetworkAddress]) {
        let list = addresses.map { $0.bytes.count == 16 ? "[\($0)]" : "\($0)" }.joined(separator: ",")
        // It may or may not know a host by its last dot.
        let names = [wish.address.hostName, wish.address.hostName + "."]
        handle.set(CURLOPT_RESOLVE, names.map { "+\($0):\(wish.address.port):\(list)" })
    }

    private func configureProtocol(_ options: TransferOptions) {
        switch wish.http {
        case .auto: handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_2TLS))
        case .one: handle.set(CURLOPT_HTTP_VERSION, Int(CURL_HTTP_VERSION_1_1))
        case .two:
            let isSecure = wish.address.scheme == "https"
            let version = isSecure ? CURL_HTTP_VERSION_2TLS : CURL_HTTP_VERSION_2_PRIOR_KNOWLEDGE
            handle.set(CURLOPT_HTTP_VERSION, Int(version))
        }
        handle.set(CURLOPT_SSLVERSION, Int(CURL_SSLVERSION_TLSv1_2))
        if let certificates = options.certificates { handle.set(CURLOPT_CAINFO, certificates) }
        if !options.nameServers.isEmpty {
            // Where libcurl cannot, the caller was told to have known.
            _ = unsafe ccurl_set_string(handle.pointer, CURLOPT_DNS_SERVERS, options.nameServers.joined(separator: ","))
        }
    }

    /// From a reply's first byte on, a transfer must not be too slow.
    func watchSpeed() {
        handle.set(CURLOPT_LOW_SPEED_LIMIT, leastSpeed)
        handle.set(CURLOPT_LOW_SPEED_TIME, leastSpeedTime)
    }

    /// Says where to connect, and whom to be there.
    private func configureWay(_ options: TransferOptions) {
        // Else libcurl would read the environment, which was read before.
        handle.set(CURLOPT_PROXY, "")
        if let port = options.loopback[wish.address.host] {
            handle.set(CURLOPT_CONNECT_TO, ["\(wish.address.host):\(wish.address.port):127.0.0.1:\(port)"])
        } else if let proxy = options.proxies.proxy(for: wish.address) {
            // Whom a proxy connects to is its own decision; how the host is spelled was looked at before.
            handle.set(CURLOPT_PROXY, proxy)
        } else {
            addressGuard = options.addressGuard
            if let addresses = wish.addresses { resolve(to: addresses) }
        }
        handle.set(CURLOPT_NETRC, options.readsNetrc ? Int(CURL_NETRC_OPTIONAL.rawValue) : 0)
        if let credentials = wish.credentials {
            handle.set(CURLOPT_USERNAME, credentials.user)
            handle.set(CURLOPT_PASSWORD, credentials.password)
        }
    }
}

// libcurl calls these on the loop's thread, with the exchange that `configure` gave it.

private let receiveBody: ccurl_receiver = { bytes, _, count, context in
    guard let context = unsafe context else { return 0 }
    let exchange = unsafe Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
    guard exchange.mayReceive(count) else { return Int(CURL_WRITEFUNC_PAUSE) }
    return unsafe exchange.receive(body: UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
}

private let receiveHeader: ccurl_receiver = { bytes, _, count, context in
    guard let context = unsafe context else { return 0 }
    let exchange = unsafe Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
    let line = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
    return exchange.receive(header: unsafe String(decoding: line, as: UTF8.self)) ? count : 0
}

private let openSocket: ccurl_opener = { context, _, address in
    guard let context = unsafe context, let place = MemoryLayout<curl_sockaddr>.offset(of: \.addr) else {
        return CURL_SOCKET_BAD
    }
    let exchange = unsafe Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
    guard unsafe exchange.mayConnect(to: NetworkAddress(UnsafeRawPointer(address) + place)) else {
        return CURL_SOCKET_BAD
    }
    let wanted = unsafe address.pointee
    // No child process inherits it.
    let descriptor = socket(wanted.family, wanted.socktype, wanted.protocol)
    if descriptor >= 0 { _ = fcntl(descriptor, F_SETFD, FD_CLOEXEC) }
    return descriptor
}
