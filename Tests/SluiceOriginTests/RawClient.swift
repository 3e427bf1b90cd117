// SPDX-License-Identifier: MIT

import Foundation
import SluiceDemo
import SluiceModel
import SluiceOrigin
import TestSupport

#if canImport(Darwin)
    import Darwin
#else
    import Glibc
#endif

/// A minimal HTTP client that reports replies exactly as they were sent.
final class RawClient {
    struct Reply {
        var status = 0
        var headers: [OriginHeader] = []
        var body: [UInt8] = []
        /// Whether the message is complete according to its framing.
        var isWhole = false
        /// Whether the server closed the connection.
        var isClosed = false

        func header(_ name: String) -> String? {
            headers.first { $0.name.lowercased() == name.lowercased() }?.value
        }

        var text: String { String(decoding: body, as: UTF8.self) }
    }

    private let descriptor: Int32
    private var buffer: [UInt8] = []
    private var isClosed = false

    /// Connects to a numeric address as written in a URL: IPv6 addresses are in brackets.
    init(port: UInt16, host: String = "127.0.0.1") throws {
        var hints = unsafe addrinfo()
        #if canImport(Darwin)
            unsafe hints.ai_socktype = SOCK_STREAM
        #else
            unsafe hints.ai_socktype = Int32(SOCK_STREAM.rawValue)
        #endif
        unsafe hints.ai_flags = AI_NUMERICHOST
        var found: UnsafeMutablePointer<addrinfo>?
        let numericHost = host.trimmingPrefix("[").prefix { $0 != "]" }
        guard unsafe getaddrinfo(String(numericHost), "\(port)", &hints, &found) == 0, let first = unsafe found else {
            throw POSIXError(.EINVAL)
        }
        defer { unsafe freeaddrinfo(first) }
        descriptor = unsafe socket(first.pointee.ai_family, first.pointee.ai_socktype, 0)
        let code = unsafe connect(descriptor, first.pointee.ai_addr, first.pointee.ai_addrlen)
        if code != 0 { throw POSIXError(.init(rawValue: errno) ?? .EIO) }
    }

    deinit { close(descriptor) }

    /// Sends a request and reads its reply for at most `seconds`, or until the body has `enough` bytes.
    static func fetch(
        _ target: String, from origin: OriginServer, method: String = "GET", headers: [OriginHeader] = [],
        seconds: Double = 60, enough: Int = .max
    ) throws -> Reply {
        let client = try RawClient(port: origin.port, host: origin.host)
        client.send(target, method: method, headers: headers)
        return client.read(hasBody: method != "HEAD", seconds: seconds, enough: enough)
    }

    func send(_ target: String, method: String = "GET", headers: [OriginHeader] = [], body: String = "") {
        var text = "\(method) \(target) HTTP/1.1\r\nHost: photos.sluice.test\r\n"
        for header in headers { text += "\(header.name): \(header.value)\r\n" }
        if !body.isEmpty { text += "Content-Length: \(body.utf8.count)\r\n" }
        send(raw: text + "\r\n" + body)
    }

    func send(raw text: String) {
        let bytes = Array(text.utf8)
        _ = unsafe sendto(descriptor, bytes, bytes.count, Int32(MSG_NOSIGNAL), nil, 0)
    }

    /// Reads one reply until it is complete, the server closes the connection, or the time is over.
    func read(hasBody: Bool = true, seconds: Double = 60, enough: Int = .max) -> Reply {
        let end = ContinuousClock.now + .seconds(seconds)
        while true {
            if let reply = parsed(hasBody: hasBody), reply.isWhole || isClosed || reply.body.count >= enough {
                return reply
            }
            if isClosed { return Reply(isClosed: true) }
            let left = (end - .now) / .milliseconds(1)
            guard left > 0, receive(waiting: Int32(left.rounded(.up))) else {
                return parsed(hasBody: hasBody) ?? Reply()
            }
            // Read all available bytes before parsing again; otherwise a long body is parsed a thousand times.
            let twice = buffer.count * 2
            while buffer.count < twice, !isClosed, receive(waiting: 0) {}
        }
    }

    /// Waits up to `time` milliseconds for more bytes; returns `false` if none arrive.
    private func receive(waiting time: Int32) -> Bool {
        var state = pollfd(fd: descriptor, events: Int16(POLLIN), revents: 0)
        guard unsafe poll(&state, 1, time) > 0 else { return false }
        var chunk = [UInt8](repeating: 0, count: 65536)
        let count = unsafe recv(descriptor, &chunk, chunk.count, 0)
        if count > 0 { buffer += chunk[..<count] } else { isClosed = true }
        return true
    }

    private func parsed(hasBody: Bool) -> Reply? {
        guard let end = buffer.firstRange(of: Array("\r\n\r\n".utf8)) else { return nil }
        let lines = String(decoding: buffer[..<end.lowerBound], as: UTF8.self).components(separatedBy: "\r\n")
        var reply = Reply(status: Int(lines[0].split(separator: " ")[1]) ?? 0, isClosed: isClosed)
        for line in lines.dropFirst() {
            let parts = line.split(separator: ":", maxSplits: 1)
            reply.headers.append(OriginHeader(String(parts[0]), parts[1].trimmingCharacters(in: .whitespaces)))
        }
        let rest = Array(buffer[end.upperBound...])
        var used = rest.count
        if !hasBody || reply.status == 304 {
            (reply.isWhole, used) = (true, 0)
        } else if reply.header("Transfer-Encoding") == "chunked" {
            (reply.body, reply.isWhole, used) = Self.unchunked(rest)
        } else if let length = reply.header("Content-Length").flatMap(Int.init) {
            used = min(length, rest.count)
            reply.body = Array(rest[..<used])
            reply.isWhole = used == length
        } else {
            reply.body = rest
            reply.isWhole = isClosed
        }
        if reply.isWhole { buffer = Array(rest[used...]) }
        return reply
    }

    private static func unchunked(_ bytes: [UInt8]) -> (body: [UInt8], isWhole: Bool, used: Int) {
        var body: [UInt8] = []
        var at = 0
        while let line = bytes[at...].firstRange(of: [13, 10]) {
            let size = Int(String(decoding: bytes[at..<line.lowerBound], as: UTF8.self), radix: 16) ?? 0
            let end = line.upperBound + size
            if size == 0 { return (body, true, min(bytes.count, end + 2)) }
            guard bytes.count >= end + 2 else { break }
            body += bytes[line.upperBound..<end]
            at = end + 2
        }
        return (body, false, at)
    }
}

/// A service that calls a closure.
struct ClosureService: OriginService {
    let body: @Sendable (OriginRequest) -> OriginReply

    init(_ body: @escaping @Sendable (OriginRequest) -> OriginReply) { self.body = body }

    func reply(to request: OriginRequest) -> OriginReply { body(request) }
}

/// A thousand bytes of different values.
let thousandBytes = (0..<1000).map { UInt8($0 % 251) }

/// Answers every request with ``thousandBytes``.
let thousand = ClosureService { _ in OriginReply(type: "image/png", thousandBytes) }

/// An encoder that writes the bitmap's properties as text, followed by its raw pixels.
let plainEncode: BitmapEncoder = { picture, format in
    let head =
        "\(format.kind.name) \(format.exifOrientation) \(format.isProgressive) \(picture.width) \(picture.height)\n"
    return Array(head.utf8) + picture.rgba
}

/// Decodes the output of ``plainEncode``.
struct PlainPicture {
    let words: [String]
    let picture: Bitmap

    init?(_ bytes: [UInt8]) {
        guard let end = bytes.firstIndex(of: 10) else { return nil }
        words = String(decoding: bytes[..<end], as: UTF8.self).components(separatedBy: " ")
        guard words.count == 5, let width = Int(words[3]), let height = Int(words[4]) else { return nil }
        guard bytes.count - end - 1 == width * height * 4 else { return nil }
        picture = Bitmap(width: width, height: height, rgba: Array(bytes[(end + 1)...]))
    }
}

extension OriginReply {
    var json: JSON? { try? JSON(parsing: body) }
}

/// Waits until the server makes the condition true.
func until(_ condition: () -> Bool) async throws {
    try await wait(for: "the server", until: condition)
}
