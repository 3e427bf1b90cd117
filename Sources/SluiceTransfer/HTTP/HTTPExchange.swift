// SPDX-License-Identifier: MIT

internal import CCurl
internal import SluiceFiles
internal import SluiceModel
internal import SluiceSystem

/// One request and its response, without redirects and retries.
///
/// It is Sendable because one thread at a time uses it: its creator until it is handed to the transfer loop, and then
/// only the loop's thread.
@safe final class HTTPExchange: @unchecked Sendable {
    /// Identifies an exchange in the loop; libcurl stores it as the handle's private pointer.
    typealias ID = UInt
    /// The most bytes of headers; some servers never stop sending them.
    private static let maxHeaderBytes = 300 << 10
    /// A body that expands by more than this factor is a decompression bomb...
    private static let maxExpansion = 100
    /// ...if it has at least this many bytes.
    private static let minBombBytes = 1 << 20
    /// libcurl gets a copy of request bodies up to this size.
    static let maxCopiedBody = 32 << 10
    /// The most bytes of a body that libcurl sends at a time.
    static let maxSentChunk = 256 << 10

    let id: ID
    var handle = EasyHandle()
    private var body: ResponseBody
    /// The number of bytes of the request's body that libcurl has taken.
    private var takenBytes = 0
    private var headers = HeaderFields()
    private(set) var status = 0
    private var headerBytes = 0
    private(set) var hasAllHeaders = false
    /// Whether the response is HTTP/1, whose connections carry one response at a time.
    private(set) var isHTTP1 = false
    /// OpenSSL's object of the connection; it exists as long as the connection.
    private(set) var tlsConnection: OpaquePointer?
    /// Whether libcurl has read and discarded bytes after the end of the response.
    private(set) var hasDiscardedBytes = false
    /// Whether bytes followed the end of the response.
    private var hasSurplus = false
    /// The framing of a body in chunks; `nil` for other bodies.
    private var chunks: ChunkFraming?
    /// The length of a body that is not in chunks, and the number of bytes of it that libcurl has read.
    private var (contentLength, rawBytes): (Int?, Int) = (nil, 0)
    /// Whether the server broke the connection or the protocol.
    private var isBrokenOff = false
    /// The heads of the request and the response; `nil` unless the exchange is recorded.
    private var heads: RecordedHeads?
    /// When the exchange began, in seconds since 1970, if it is recorded.
    private var startTime = 0
    /// Whether the body is the requested content and not, for example, an error page.
    private var carriesContent = false
    /// Whether the server cannot send a usable rest of the file.
    private var needsFullRequest = false
    /// The size of the whole body, if the server announced it.
    private(set) var announced: Int?
    private var failure: Failure?
    private let agent: String
    /// Checks each address before a socket is opened; `nil` where the user chose the address or a proxy.
    var addressGuard: AddressGuard?
    /// The reason why no connection was made: the guard refused the first address, or no descriptors are left.
    private var refusal: Failure?
    let spec: RequestSpec
    let minimumSpeed: Int
    let minimumSpeedTime: Int
    private let throttle: BandwidthThrottle?
    private let counter: ByteCounter
    private let begin = ContinuousClock.now
    private let answer: OneShot<ExchangeResult>

    init(
        _ spec: RequestSpec, id: ID, options: TransferOptions, throttle: BandwidthThrottle?, counter: ByteCounter,
        answer: OneShot<ExchangeResult>
    ) {
        (self.id, self.spec, self.throttle, self.counter) = (id, spec, throttle, counter)
        agent = options.product
        self.answer = answer
        self.body = ResponseBody(spec.target, limit: spec.limit)
        minimumSpeed = options.minimumSpeed
        minimumSpeedTime = max(1, options.minimumSpeedTime.milliseconds / 1000)
        if spec.isRecorded, options.recorder != nil { (heads, startTime) = (RecordedHeads(), time(nil)) }
        configure(options)
    }

    /// Whether the first byte of a response has arrived.
    var hasResponse: Bool { headerBytes > 0 }

    /// The number of body bytes received so far, including those of earlier exchanges.
    var received: Int { body.count }

    var easy: UnsafeMutableRawPointer { unsafe handle.pointer }

    /// Copies the next bytes of the request's body, and returns their number; 0 at the end.
    func takeBody(into buffer: UnsafeMutableRawBufferPointer) -> Int {
        guard let body = spec.body, takenBytes < body.count else { return 0 }
        let count = min(buffer.count, body.count - takenBytes)
        unsafe body.withUnsafeBytes { bytes in
            unsafe buffer.copyMemory(from: UnsafeRawBufferPointer(rebasing: bytes[takenBytes..<takenBytes + count]))
        }
        takenBytes += count
        return count
    }

    /// Makes ``takeBody(into:)`` continue at this offset.
    func rewindBody(to offset: Int) { takenBytes = max(0, offset) }

    /// Returns whether a socket to this address may be opened.
    func mayConnect(to number: NetworkAddress?) -> Bool {
        guard let addressGuard else { return true }
        guard let number, let refusal = addressGuard.refusal(of: number, for: spec.address) else {
            return number != nil
        }
        self.refusal = self.refusal ?? refusal
        return false
    }

    /// Records that no socket can be opened; too few descriptors affect all other items, too, so the run ends.
    func cannotOpenSocket(code: Int32) {
        let error = FileError(code: code, operation: "open", path: "a socket")
        if error.isOutOfDescriptors { refusal = refusal ?? Failure(.disk, error.description, scope: .run) }
    }

    /// Whether the heads of the exchange are recorded.
    var isRecorded: Bool { heads != nil }

    /// Records bytes of the request's head.
    func record(sent bytes: UnsafeRawBufferPointer) { unsafe heads?.add(sent: Array(bytes)) }

    /// Records a line of the response's head.
    func record(received line: UnsafeRawBufferPointer) {
        if headerBytes <= Self.maxHeaderBytes { unsafe heads?.add(received: Array(line)) }
    }

    /// Processes one header line; `false` ends the transfer.
    ///
    /// A status line starts a new set of headers, because interim responses such as `100 Continue` have their own.
    /// An empty line ends the set.
    func receive(header line: UnsafeRawBufferPointer) -> Bool {
        if !hasResponse { watchSpeed() }
        headerBytes += line.count
        guard headerBytes <= Self.maxHeaderBytes else {
            failure = Failure(.badHeaders, "more than \(Self.maxHeaderBytes) bytes of headers")
            return false
        }
        if unsafe line.starts(with: "HTTP/".utf8) {
            headers = HeaderFields()
            isHTTP1 = unsafe line.starts(with: "HTTP/1".utf8)
            status = unsafe Self.status(in: line)
            hasAllHeaders = false
        } else if unsafe line.allSatisfy(\.isSpace) {
            guard status != 101 else {
                failure = Failure(.unexpectedStatus, "101: the server switched to a protocol that was not requested")
                return false
            }
            // Fields after the body are trailers.
            guard !hasAllHeaders, status >= 200 else { return true }
            hasAllHeaders = true
            if isHTTP1 { watchEnd() }
            return processHeaders()
        } else {
            unsafe headers.add(line: line)
        }
        return true
    }

    /// Reads the status in the first line of a response; 0 if it has none.
    private static func status(in line: UnsafeRawBufferPointer) -> Int {
        // Some servers end the line behind the status, without a space and a reason.
        let rest = unsafe line.drop { !$0.isSpace }.drop(while: \.isSpace)
        return unsafe Int(String(decoding: rest.prefix { !$0.isSpace }, as: UTF8.self))?.within(Quantity.range) ?? 0
    }

    /// Prepares for finding bytes after the end of the response, and chunks without their end.
    private func watchEnd() {
        unsafe tlsConnection = handle.tlsConnection
        let isChunked = headers.all("transfer-encoding").contains { $0.lowercased().contains("chunked") }
        chunks = isChunked ? ChunkFraming() : nil
        contentLength = isChunked ? nil : headers["content-length"].flatMap { Int($0)?.within(Quantity.range) }
        // libcurl passes the bytes as they were sent to its log only.
        handle.set(CURLOPT_VERBOSE, 1)
    }

    /// Checks the framing of body bytes as the server sent them.
    func receive(raw bytes: UnsafeRawBufferPointer) {
        unsafe chunks?.receive(bytes)
        rawBytes += bytes.count
        if chunks?.hasSurplus ?? contentLength.map({ rawBytes > $0 }) ?? false { hasDiscardedBytes = true }
        if chunks?.isBroken == true { failure = failure ?? Failure(.badFraming, "a chunk does not end with CRLF") }
    }

    /// Processes an entry of libcurl's log, the only sign of bytes that it read after a response without a body.
    func receive(log entry: UnsafeRawBufferPointer) {
        // Compared as bytes, because libcurl writes several entries for each response.
        if unsafe rawBytes == 0 && entry.starts(with: "Excess found".utf8) { hasDiscardedBytes = true }
    }

    /// Validates the headers before any byte of the body is stored.
    private func processHeaders() -> Bool {
        carriesContent = status == 200 || status == 206 && spec.isRangeRequest
        do throws(Failure) {
            if carriesContent { return try beginBody() }
            if status == 416, spec.isRangeRequest, case .file(let sink) = spec.target {
                try sink.restart()
                needsFullRequest = true
                return false
            }
            body = ResponseBody(.memory, limit: ResponseBody.errorLimit)
            return true
        } catch {
            failure = error
            return false
        }
    }

    private func beginBody() throws(Failure) -> Bool {
        let lengths = TextSet(headers.all("content-length")).sorted()
        guard lengths.count < 2 else {
            throw Failure(.badFraming, "Content-Length is both \(lengths.joined(separator: " and "))")
        }
        let length = lengths.first.flatMap { text in
            text.utf8.allSatisfy(\.isDigit) ? Int(text)?.within(Quantity.range) : nil
        }
        if let text = lengths.first, length == nil { throw Failure(.badFraming, "Content-Length is \(text)") }
        if spec.respectsOptOut, let rule = RobotsTag.refusal(in: headers.all("x-robots-tag"), agent: agent) {
            throw Failure(.optedOut, "X-Robots-Tag: \(rule)")
        }
        let encoding = headers["content-encoding"]?.lowercased() ?? "identity"
        let isDecoded = spec.decodesBody && status == 200 && RequestSpec.decodedEncodings.contains(encoding)
        guard spec.acceptsCompression || isDecoded || encoding == "identity" else {
            throw Failure(.contentEncoding, "\(encoding) not requested")
        }
        guard case .file(let sink) = spec.target else {
            // Only a file is continued, so that its whole size counts.
            announced = length
            try body.check(announced: length)
            return true
        }
        announced = status == 206 ? ContentRange(headers["content-range"])?.total : isDecoded ? nil : length
        try body.check(announced: announced)
        needsFullRequest = try !sink.begin(status, headers, from: spec.address, announced: announced)
        return !needsFullRequest
    }

    /// Returns whether this many body bytes may arrive now; if not, libcurl holds them until ``resume()``.
    func mayReceive(_ bytes: Int) -> Bool { throttle?.admits(bytes, for: id) ?? true }

    /// Resumes an exchange that the bandwidth limit paused.
    func resume() { unsafe curl_easy_pause(easy, CURLPAUSE_CONT) }

    /// Processes body bytes; `false` ends the transfer, and `failure` then holds the reason, if it is a failure.
    func receive(body chunk: UnsafeRawBufferPointer) -> Bool {
        guard counter.admit(chunk.count, isDownload: isDownload) else {
            failure = Failure(.cancelled, "")
            return false
        }
        do throws(Failure) {
            guard
                !headers.isEncoded || body.count < Self.minBombBytes
                    || body.count < handle.wireBytes * Self.maxExpansion
            else {
                failure = bomb
                return false
            }
            return try unsafe body.receive(chunk, headers, announced: announced)
        } catch {
            // An oversized error page is not a separate failure: the status is reported.
            if carriesContent { failure = headers.isEncoded && error.cause == .tooLarge ? bomb : error }
            return false
        }
    }

    private var isDownload: Bool { if case .file = spec.target { true } else { false } }

    private var bomb: Failure {
        Failure(.encodingBomb, "\(handle.wireBytes) bytes expanded to more than \(body.count)")
    }

    /// Ends the exchange with libcurl's result; `hasSurplus` is whether bytes followed the end of the response.
    ///
    /// The first response on a connection answers the request, whatever follows it. On a reused connection, the
    /// response may belong to an earlier request, or follow one.
    func end(_ code: CURLcode, hasSurplus: Bool) {
        self.hasSurplus = code == CURLE_OK && hasSurplus
        let mayBeForeign = !handle.isNewConnection && !spec.needsNewConnection
        let needsNewConnection = mayBeForeign && (self.hasSurplus || isUnreadable(code))
        // The bytes of a foreign or broken body are not part of the file.
        if needsNewConnection || chunks?.isBroken == true, carriesContent, case .file(let sink) = spec.target {
            do throws(Failure) { try sink.restart() } catch { return end(error) }
        }
        if needsNewConnection { end(.success(response(needsNewConnection: true))) } else { end(code) }
    }

    /// Whether the received bytes are not an HTTP response.
    private func isUnreadable(_ code: CURLcode) -> Bool {
        let codes = [CURLE_WEIRD_SERVER_REPLY, CURLE_UNSUPPORTED_PROTOCOL, CURLE_OUT_OF_MEMORY, ccurl_too_large]
        return codes.contains(code) || [.badHeaders, .badFraming].contains(failure?.cause)
    }

    private func end(_ code: CURLcode) {
        isBrokenOff = [CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_GOT_NOTHING, CURLE_RECV_ERROR].contains(code)
        // libcurl tries every address of a host; the guard's refusal counts only if none of them connected.
        if code == CURLE_COULDNT_CONNECT, let refusal { return end(refusal) }
        if let failure { return end(failure) }
        // A callback that returns `false` stops the transfer, which libcurl reports as a write error.
        guard code == CURLE_OK || hasAllHeaders && code == CURLE_WRITE_ERROR else {
            return end(Failure(code, of: self))
        }
        guard hasAllHeaders else {
            return end(Failure(.truncated, "the connection ended within the headers of the response"))
        }
        if case .file(let sink) = spec.target, carriesContent, !needsFullRequest, sink.rejection == nil,
            sink.stopped == nil, !sink.isComplete
        {
            return end(Failure(.truncated, "\(body.count) of \(announced ?? 0) bytes"))
        }
        if status == 206, carriesContent, case .file(let sink) = spec.target { headers = sink.completed(headers) }
        var response = response(needsNewConnection: false)
        response.isCut = code != CURLE_OK
        end(.success(response))
    }

    private func response(needsNewConnection: Bool) -> RawResponse {
        // A proxy's address is not the server's.
        let server = addressGuard == nil ? nil : handle.serverAddress
        return RawResponse(
            status: status, headers: headers, body: body.bytes, bytes: body.count,
            isSuccess: carriesContent || status == 304 && spec.isConditional, needsFullRequest: needsFullRequest,
            needsNewConnection: needsNewConnection, hasSurplus: hasSurplus,
            record: heads.map { ($0, startTime, server) }, times: handle.times(since: begin))
    }

    /// Ends the exchange with a failure that Sluice detected.
    func end(_ failure: Failure) {
        var failure = failure
        failure.status = failure.status ?? (status == 0 ? nil : status)
        end(.failure(failure))
    }

    private func end(_ result: Result<RawResponse, Failure>) {
        handle.set(CURLOPT_VERBOSE, 0)
        answer.set(ExchangeResult(result: result, mayBlameHTTP2: spec.http != .http1 && isBrokenOff))
    }
}
