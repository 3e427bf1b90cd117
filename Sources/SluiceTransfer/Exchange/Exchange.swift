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
    /// No reply needs more, and some never end.
    private static let mostHeadBytes = 300 << 10
    /// Text of some use does not become this many times as long...
    private static let mostGrowth = 100
    /// ...above so many bytes.
    private static let harmless = 1 << 20

    let id: ID
    var handle = EasyHandle()
    private var body: Body
    private var headers = HeaderFields()
    private(set) var status = 0
    private var headBytes = 0
    private var isHeadOver = false
    /// Whether the host ended the exchange against the rules.
    private var isBrokenOff = false
    /// Whether the reply's body is what was asked for.
    private var isWanted = false
    /// Whether the host has no rest of the file that could be trusted.
    private var isNoRest = false
    /// How many bytes the whole body is said to have.
    private(set) var announced: Int?
    private var failure: Failure?
    private let agent: String
    /// Whom to ask before a socket is opened; nobody where the user's own word stands.
    var addressGuard: AddressGuard?
    /// Why the first address that was found was not connected to.
    private var refusal: Failure?
    let wish: Wish
    let leastSpeed: Int
    let leastSpeedTime: Int
    /// What all exchanges' bytes must pass.
    private let valve: Valve?
    private let traffic: Traffic
    private let begin = ContinuousClock.now
    private let answer: OneShot<Ending>

    init(
        _ wish: Wish, id: ID, options: TransferOptions, valve: Valve?, traffic: Traffic, answer: OneShot<Ending>
    ) {
        self.id = id
        self.wish = wish
        self.valve = valve
        self.traffic = traffic
        agent = options.product
        self.answer = answer
        self.body = Body(wish.target, limit: wish.limit)
        leastSpeed = options.leastSpeed
        leastSpeedTime = max(1, options.leastSpeedTime.milliseconds / 1000)
        configure(options)
    }

    /// Whether the first byte of a reply has arrived.
    var hasReply: Bool { headBytes > 0 }

    /// How many bytes of the body have arrived, in this exchange and before it.
    var received: Int { body.count }

    var easy: UnsafeMutableRawPointer { unsafe handle.pointer }

    /// Whether a socket to that address may be opened.
    func mayConnect(to number: NetworkAddress?) -> Bool {
        guard let addressGuard else { return true }
        guard let number, let refusal = addressGuard.refusal(of: number, for: wish.address) else {
            return number != nil
        }
        self.refusal = self.refusal ?? refusal
        return false
    }

    /// Takes up one header line; `false` ends the transfer.
    ///
    /// A status line (there are several behind `100 Continue`) begins anew, an empty line ends a head.
    func receive(header line: String) -> Bool {
        if !hasReply { watchSpeed() }
        headBytes += line.utf8.count
        guard headBytes <= Self.mostHeadBytes else {
            failure = Failure(.badHeaders, "more than \(Self.mostHeadBytes) bytes of headers")
            return false
        }
        if line.hasPrefix("HTTP/") {
            headers = HeaderFields()
            status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
            isHeadOver = false
        } else if line.utf8.allSatisfy(HeaderFields.isBlank) {
            // What follows a body are trailers.
            guard !isHeadOver, status >= 200 else { return true }
            isHeadOver = true
            return takeHead()
        } else {
            headers.add(line: line)
        }
        return true
    }

    /// Looks at what the headers alone can tell, before the first byte is kept.
    private func takeHead() -> Bool {
        isWanted = status == 200 || status == 206 && wish.asksForRest
        do throws(Failure) {
            if isWanted { return try beginBody() }
            if status == 416, wish.asksForRest, case .file(let landing) = wish.target {
                try landing.restart()
                isNoRest = true
                return false
            }
            body = Body(.memory, limit: Body.unwantedLimit)
            return true
        } catch {
            failure = error
            return false
        }
    }

    private func beginBody() throws(Failure) -> Bool {
        let lengths = Set(headers.all("content-length"))
        guard lengths.count < 2 else {
            throw Failure(.badFraming, "Content-Length is both \(lengths.sorted().joined(separator: " and "))")
        }
        let length = lengths.first.flatMap { text in
            text.utf8.allSatisfy { (0x30...0x39).contains($0) } ? Int(text) : nil
        }
        if let text = lengths.first, length == nil { throw Failure(.badFraming, "Content-Length is \(text)") }
        if wish.honoursOptOut, let rule = RobotsTag.refusal(in: headers.all("x-robots-tag"), agent: agent) {
            throw Failure(.optedOut, "X-Robots-Tag: \(rule)")
        }
        let encoding = headers["content-encoding"]?.lowercased() ?? "identity"
        guard wish.acceptsCompression || encoding == "identity" else {
            throw Failure(.contentEncoding, "\(encoding) not requested")
        }
        announced = status == 206 ? ContentRange(headers["content-range"])?.total : length
        try body.check(announced: announced)
        guard case .file(let landing) = wish.target else { return true }
        isNoRest = try !landing.begin(status, headers, from: wish.address, announced: announced)
        return !isNoRest
    }

    /// Whether so much of the body may arrive now; if not, libcurl keeps it until ``goOn()``.
    func mayReceive(_ bytes: Int) -> Bool { valve?.lets(bytes, of: id) ?? true }

    /// Lets what was held up arrive.
    func goOn() { unsafe curl_easy_pause(easy, CURLPAUSE_CONT) }

    /// Takes up some of the body; `false` ends the transfer, and `failure` then says why.
    func receive(body chunk: UnsafeRawBufferPointer) -> Bool {
        traffic.add(chunk.count)
        do throws(Failure) {
            guard !isCompressed || body.count < Self.harmless || body.count < handle.wireBytes * Self.mostGrowth else {
                failure = bomb
                return false
            }
            return try unsafe body.receive(chunk, headers, announced: announced)
        } catch {
            // Enough of an unwanted body is no failure: the status says what there is to say.
            if isWanted { failure = isCompressed && error.cause == .tooLarge ? bomb : error }
            return false
        }
    }

    private var isCompressed: Bool { headers["content-encoding"].map { $0.lowercased() != "identity" } ?? false }

    private var bomb: Failure {
        Failure(.encodingBomb, "\(handle.wireBytes) bytes became more than \(body.count)")
    }

    /// Ends the exchange with libcurl's result.
    func end(_ code: CURLcode) {
        isBrokenOff = [CURLE_HTTP2, CURLE_HTTP2_STREAM, CURLE_GOT_NOTHING, CURLE_RECV_ERROR].contains(code)
        // A host may have several addresses: refused is one that has no other.
        if code == CURLE_COULDNT_CONNECT, let refusal { return end(refusal) }
        if let failure { return end(failure) }
        // Whoever wants no more of a body ends the transfer by an error of libcurl's.
        guard code == CURLE_OK || isHeadOver && code == CURLE_WRITE_ERROR else { return end(Failure(code, of: self)) }
        if case .file(let landing) = wish.target, isWanted, !isNoRest, landing.declined == nil, !landing.isWhole {
            return end(Failure(.truncated, "\(body.count) of \(announced ?? 0) bytes"))
        }
        if status == 206, isWanted, case .file(let landing) = wish.target { headers = landing.completed(headers) }
        end(
            .success(
                Reply(
                    status: status, headers: headers, body: body.bytes, bytes: body.count,
                    isGood: isWanted || status == 304 && wish.isConditional, isNoRest: isNoRest,
                    times: handle.times(since: begin))))
    }

    /// Ends the exchange with a failure of our own finding.
    func end(_ failure: Failure) {
        var failure = failure
        failure.status = failure.status ?? (status == 0 ? nil : status)
        end(.failure(failure))
    }

    private func end(_ result: Result<Reply, Failure>) {
        answer.give(Ending(result: result, mayBlameHTTP2: wish.http != .one && isBrokenOff))
    }
}
