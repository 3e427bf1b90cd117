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
    var handle = EasyHandle()
    private var body: Body
    private var headers = HeaderFields()
    private var status = 0
    private var failure: Failure?
    private let agent: String
    /// Whom to ask before a socket is opened; nobody where the user's own word stands.
    var addressGuard: AddressGuard?
    /// Why the last address that was found was not connected to.
    private var refusal: Failure?
    let wish: Wish
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

    /// Whether a socket to that address may be opened.
    func mayConnect(to number: NetworkAddress?) -> Bool {
        guard let addressGuard else { return true }
        guard let number, let refusal = addressGuard.refusal(of: number, for: wish.address) else {
            return number != nil
        }
        self.refusal = refusal
        return false
    }

    /// Takes up one header line; a status line (there are several behind `100 Continue`) begins anew.
    func receive(header line: String) {
        if line.hasPrefix("HTTP/") {
            headers = HeaderFields()
            status = line.split(separator: " ").dropFirst().first.flatMap { Int($0) } ?? 0
        } else {
            headers.add(line: line)
        }
    }

    /// Takes up some of the body; `false` ends the transfer, and `failure` then says why.
    func receive(body chunk: UnsafeRawBufferPointer) -> Bool {
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
        // A host may have several addresses: refused is one that has no other.
        if code == CURLE_COULDNT_CONNECT, let refusal { return end(refusal) }
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
