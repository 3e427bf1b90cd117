// SPDX-License-Identifier: MIT

internal import CCurl
internal import SluiceModel

/// One request and its reply, without redirects and retries: what the transfer loop carries.
///
/// The loop's thread alone touches it between its start and its end; before and after, only its maker does.
final class Exchange: @unchecked Sendable {
    // Sendable because it is handed over whole: to the loop's thread with `start`, and never touched by the maker again.
    /// Its number in the loop; libcurl carries it along as the handle's private pointer.
    typealias ID = UInt

    let id: ID
    private var handle = EasyHandle()
    private var body: Body
    private var headers = HeaderFields()
    private var status = 0
    private var failure: Failure?
    private let wish: Wish
    private let agent: String
    private let answer: OneShot<Result<Reply, Failure>>

    init(_ wish: Wish, id: ID, options: TransferOptions, answer: OneShot<Result<Reply, Failure>>) {
        self.id = id
        self.wish = wish
        agent = options.product
        self.answer = answer
        self.body = Body(wish.target, limit: wish.limit)
        configure(options)
    }

    var easy: UnsafeMutableRawPointer { unsafe handle.pointer }

    private func configure(_ options: TransferOptions) {
        handle.setPrivate(id)
        handle.set(CURLOPT_URL, wish.address.text)
        handle.allowWebAlone()
        handle.set(CURLOPT_FOLLOWLOCATION, 0)
        handle.set(CURLOPT_NOSIGNAL, 1)
        // Worth waiting for where TLS tells whether the host speaks HTTP/2; without TLS only the first reply would.
        handle.set(CURLOPT_PIPEWAIT, wish.address.scheme == "https" ? 1 : 0)
        handle.set(CURLOPT_USERAGENT, options.userAgent)
        handle.set(CURLOPT_CONNECTTIMEOUT_MS, options.connectTimeout.milliseconds)
        handle.set(CURLOPT_TIMEOUT_MS, wish.timeout.milliseconds)
        handle.set(CURLOPT_LOW_SPEED_LIMIT, options.leastSpeed)
        handle.set(CURLOPT_LOW_SPEED_TIME, max(1, options.leastSpeedTime.milliseconds / 1000))
        handle.set(CURLOPT_HTTPHEADER, wish.headers)
        if wish.acceptsCompression { handle.set(CURLOPT_ACCEPT_ENCODING, "") }
        if let port = options.loopback[wish.address.host] {
            handle.set(CURLOPT_CONNECT_TO, ["\(wish.address.host):\(wish.address.port):127.0.0.1:\(port)"])
            handle.set(CURLOPT_PROXY, "")
        }
        let context = unsafe Unmanaged.passUnretained(self).toOpaque()
        unsafe handle.set(CURLOPT_WRITEFUNCTION, receiveBody, CURLOPT_WRITEDATA, context)
        unsafe handle.set(CURLOPT_HEADERFUNCTION, receiveHeader, CURLOPT_HEADERDATA, context)
    }

    /// Takes up one header line; a status line (there are several behind `100 Continue`) begins anew.
    fileprivate func receive(header line: String) {
        if line.hasPrefix("HTTP/") {
            headers = HeaderFields()
            status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        } else {
            headers.add(line: line)
        }
    }

    /// Takes up some of the body; `false` ends the transfer, and `failure` then says why.
    fileprivate func receive(body chunk: UnsafeRawBufferPointer) -> Bool {
        do throws(Failure) {
            if body.count == 0 { try checkHead() }
            try unsafe body.receive(chunk)
            return true
        } catch {
            // Enough of an unwanted body is no failure: the status says what there is to say.
            if status == 200 { failure = error }
            return false
        }
    }

    /// What the headers alone can tell, before the first byte is kept.
    private func checkHead() throws(Failure) {
        let lengths = Set(headers.all("content-length"))
        guard lengths.count < 2 else {
            throw Failure(.badFraming, "Content-Length is both \(lengths.sorted().joined(separator: " and "))")
        }
        guard status == 200 else {
            body = Body(.memory, limit: Body.unwantedLimit)
            return
        }
        if wish.honoursOptOut, let rule = RobotsTag.refusal(in: headers.all("x-robots-tag"), agent: agent) {
            throw Failure(.optedOut, "X-Robots-Tag: \(rule)")
        }
        let encoding = headers["content-encoding"]?.lowercased() ?? "identity"
        guard wish.acceptsCompression || encoding == "identity" else {
            throw Failure(.contentEncoding, "\(encoding) not requested")
        }
    }

    /// Ends the exchange with libcurl's result.
    func end(_ code: CURLcode) {
        let isAnswer = code == CURLE_OK || status != 0 && status != 200 && code == CURLE_WRITE_ERROR
        guard isAnswer, failure == nil else { return end(failure ?? Failure(code, status: status, bytes: body.count)) }
        let reply = Reply(
            status: status, headers: headers, body: body.bytes, bytes: body.count, sha256: body.sha256())
        answer.give(.success(reply))
    }

    /// Ends the exchange with a failure of our own finding.
    func end(_ failure: Failure) {
        var failure = failure
        failure.status = failure.status ?? (status == 0 ? nil : status)
        answer.give(.failure(failure))
    }
}

// libcurl calls these on the loop's thread, with the exchange that `configure` gave it.

private let receiveBody: ccurl_receiver = { bytes, _, count, context in
    guard let context = unsafe context else { return 0 }
    let exchange = unsafe Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
    return unsafe exchange.receive(body: UnsafeRawBufferPointer(start: bytes, count: count)) ? count : 0
}

private let receiveHeader: ccurl_receiver = { bytes, _, count, context in
    guard let context = unsafe context else { return 0 }
    let exchange = unsafe Unmanaged<Exchange>.fromOpaque(context).takeUnretainedValue()
    let line = unsafe UnsafeRawBufferPointer(start: bytes, count: count)
    exchange.receive(header: unsafe String(decoding: line, as: UTF8.self))
    return count
}
