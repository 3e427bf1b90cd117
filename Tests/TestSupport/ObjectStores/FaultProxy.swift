// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel

/// A proxy in front of an object store that injects faults into requests and responses.
///
/// It forwards all other bytes unchanged, also the host that clients sign.
public final class FaultProxy: Sendable {
    /// The treatment of a request.
    public enum Fault: Sendable, CaseIterable {
        /// The service is overloaded: status 503. The request does not reach it.
        case slowDown
        /// The connection is reset in the middle of the request's body. The request does not reach the service.
        case resetRequest
        /// The service performs the request, but the connection is reset before its response.
        case lostResponse
        /// The connection is reset in the middle of the response's body.
        case resetResponse
        /// The connection is closed in the middle of the response's body.
        case truncatedResponse
        /// The response has the checksum of other bytes.
        case wrongChecksum
        /// A byte of the response's body is changed.
        case changedByte
        /// The status is 200, but the body states an error. The request does not reach the service.
        case errorWithStatus200
        /// A listing has its first key twice.
        case repeatedKey
        /// A listing has another page after it, always with the same token.
        case repeatedToken
    }

    /// A request of the client.
    public struct Request: Sendable {
        /// The method.
        public let method: String
        /// The path and the query.
        public let target: String
        /// The number of the request, beginning with 1.
        public let number: Int
        /// The number of the request among those with the same method and target, beginning with 1.
        public let attempt: Int
    }

    private let listener: LoopbackListener
    private let pass: Pass

    /// Starts the proxy of a service on this machine; `fault` decides what happens to each request.
    public init(of endpoint: String, fault: @escaping @Sendable (Request) -> Fault?) throws {
        guard let port = URL(string: endpoint)?.port else { throw WaitError(description: "no port: \(endpoint)") }
        pass = Pass(to: port, fault: fault)
        listener = try LoopbackListener()
        listener.start { [pass] in pass.serve($0) }
    }

    deinit { listener.stop() }

    /// The address for clients.
    public var endpoint: String { "http://\(listener.host):\(listener.port)" }

    /// The number of injected faults.
    public var faults: Int { pass.counts.withLock { $0.faults } }
}

/// Passes requests on to a service, with faults.
private final class Pass: Sendable {
    typealias Fault = FaultProxy.Fault

    private let upstream: Int
    private let fault: @Sendable (FaultProxy.Request) -> Fault?
    let counts = Locked((all: 0, attempts: [String: Int](), faults: 0))

    init(to upstream: Int, fault: @escaping @Sendable (FaultProxy.Request) -> Fault?) {
        (self.upstream, self.fault) = (upstream, fault)
    }

    func serve(_ client: LoopbackConnection) {
        while let head = client.readHead(), pass(on: HTTPMessage(head: head), from: client) {}
    }

    /// Passes on a request and its response; returns whether the connection can be used for another one.
    private func pass(on request: HTTPMessage, from client: LoopbackConnection) -> Bool {
        let fault = nextFault(for: request)
        let length = Int(request["content-length"] ?? "") ?? 0
        if fault == .resetRequest {
            _ = client.read(length / 2)
            client.resetWhenClosed()
            return false
        }
        let body = client.read(length)
        switch fault {
        case .slowDown: return client.write(HTTPMessage.error("SlowDown", status: "503 Slow Down").bytes)
        case .errorWithStatus200: return client.write(HTTPMessage.error("InternalError", status: "200 OK").bytes)
        default: break
        }
        guard var response = response(to: request, body) else { return false }
        if fault == .lostResponse {
            client.resetWhenClosed()
            return false
        }
        response.apply(fault)
        guard fault == .resetResponse || fault == .truncatedResponse else { return client.write(response.bytes) }
        _ = client.write(response.bytes.dropLast((response.body.count + 1) / 2))
        // A reset discards bytes that the client has not read yet.
        if fault == .resetResponse { client.resetWhenClosed() } else { client.finish() }
        return false
    }

    private func nextFault(for request: HTTPMessage) -> Fault? {
        let words = request.start.split(separator: " ").map(String.init)
        let (method, target) = (words.first ?? "", words.dropFirst().first ?? "")
        let (number, attempt) = counts.withLock { counts in
            counts.all += 1
            counts.attempts["\(method) \(target)", default: 0] += 1
            return (counts.all, counts.attempts["\(method) \(target)"] ?? 1)
        }
        let fault = fault(FaultProxy.Request(method: method, target: target, number: number, attempt: attempt))
        if fault != nil { counts.withLock { $0.faults += 1 } }
        return fault
    }

    /// Sends the request to the service, in the version of HTTP whose responses end with the connection.
    private func response(to request: HTTPMessage, _ body: [UInt8]) -> HTTPMessage? {
        guard let service = LoopbackConnection(to: upstream) else { return nil }
        defer { service.disconnect() }
        var request = request
        request.start = request.start.replacing("HTTP/1.1", with: "HTTP/1.0")
        request.body = body
        guard service.write(request.bytes), let head = service.readHead() else { return nil }
        var response = HTTPMessage(head: head)
        response.start = response.start.replacing("HTTP/1.0", with: "HTTP/1.1")
        response["connection"] = nil
        response.body = service.read(.max)
        let hasBody = !request.start.hasPrefix("HEAD ") && !response.start.contains(" 304 ")
        if hasBody { response["content-length"] = "\(response.body.count)" }
        return response
    }
}

/// A request or a response.
private struct HTTPMessage {
    var start: String
    private var headers: [(name: String, value: String)]
    var body: [UInt8] = []

    init(head: String) {
        let lines = head.components(separatedBy: "\r\n")
        start = lines[0]
        headers = lines.dropFirst().filter { !$0.isEmpty }.map { line in
            let parts = line.split(separator: ":", maxSplits: 1)
            return (String(parts[0]), parts.count > 1 ? parts[1].trimmingCharacters(in: .whitespaces) : "")
        }
    }

    /// A response that reports an error as S3 does.
    static func error(_ code: String, status: String) -> HTTPMessage {
        var message = HTTPMessage(head: "HTTP/1.1 \(status)\r\n")
        message.body = Array("<Error><Code>\(code)</Code><Message>injected</Message></Error>".utf8)
        message["content-length"] = "\(message.body.count)"
        return message
    }

    subscript(name: String) -> String? {
        get { headers.first { $0.name.lowercased() == name }?.value }
        set {
            headers.removeAll { $0.name.lowercased() == name }
            if let newValue { headers.append((name, newValue)) }
        }
    }

    var bytes: [UInt8] {
        Array(([start] + headers.map { "\($0.name): \($0.value)" } + ["", ""]).joined(separator: "\r\n").utf8) + body
    }

    mutating func apply(_ fault: FaultProxy.Fault?) {
        switch fault {
        case .wrongChecksum:
            self["x-amz-checksum-crc64nvme"] = nil
            self["x-amz-checksum-sha256"] = Data(repeating: 0, count: 32).base64EncodedString()
        case .changedByte: if !body.isEmpty { body[body.count / 2] ^= 1 }
        case .repeatedKey:
            changeText { text in
                guard let entry = text.firstMatch(of: /<Contents>.*?<\/Contents>/) else { return }
                text.insert(contentsOf: String(entry.output), at: entry.range.upperBound)
            }
        case .repeatedToken:
            changeText { text in
                text.replace(/<IsTruncated>.*?<\/IsTruncated>/, with: "")
                text.replace(/<NextContinuationToken>.*?<\/NextContinuationToken>/, with: "")
                text.replace(
                    "</ListBucketResult>",
                    with: "<IsTruncated>true</IsTruncated><NextContinuationToken>again</NextContinuationToken>"
                        + "</ListBucketResult>")
            }
        default: break
        }
    }

    private mutating func changeText(_ change: (inout String) -> Void) {
        var text = String(decoding: body, as: UTF8.self)
        change(&text)
        body = Array(text.utf8)
        self["content-length"] = "\(body.count)"
    }
}
