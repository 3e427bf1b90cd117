// SPDX-License-Identifier: MIT

internal import CZlib
internal import SluiceModel

/// A reply that an ``OriginService`` returns.
package struct OriginReply: Sendable {
    package var status: Int
    /// The header fields; the server adds `Content-Length`, `Date` and `Connection`.
    package var headers: [OriginHeader]
    package var body: [UInt8]
    /// The source of the body if it is read while it is sent; replaces ``body``.
    package var stream: (any OriginStream)?
    /// Whether the body is sent in chunks, without `Content-Length`.
    package var isChunked = false
    /// The gate that holds the reply back, if any; it occupies no thread.
    package var gate: OriginGate?

    package init(status: Int = 200, headers: [OriginHeader] = [], body: [UInt8] = []) {
        (self.status, self.headers, self.body) = (status, headers, body)
    }

    /// Creates a reply with a body of the given content type.
    package init(status: Int = 200, type: String, _ body: [UInt8], headers: [OriginHeader] = []) {
        self.init(status: status, headers: [OriginHeader("Content-Type", type)] + headers, body: body)
    }

    /// The body's length in bytes, if it is known.
    var length: Int? { stream.map(\.length) ?? body.count }

    /// Creates a reply of JSON text.
    package static func json(_ text: String, status: Int = 200, headers: [OriginHeader] = []) -> OriginReply {
        OriginReply(status: status, type: "application/json", Array(text.utf8), headers: headers)
    }

    /// Creates a reply of plain text.
    package static func text(_ text: String, status: Int = 200, headers: [OriginHeader] = []) -> OriginReply {
        OriginReply(status: status, type: "text/plain; charset=utf-8", Array(text.utf8), headers: headers)
    }

    /// Returns the value of the first header field with this name, ignoring case.
    package func header(_ name: String) -> String? {
        let name = name.lowercased()
        return headers.first { $0.name.lowercased() == name }?.value
    }
}

extension OriginReply {
    /// Returns the reply compressed with gzip if the client accepts it and the body gets smaller.
    ///
    /// A compressed reply is another representation: its `ETag` differs, and it does not support ranges.
    package func compressed(for request: OriginRequest) -> OriginReply {
        var reply = self
        reply.headers.append(OriginHeader("Vary", "Accept-Encoding"))
        guard stream == nil, Self.acceptsGzip(request.header("Accept-Encoding") ?? ""), let bytes = gzip(body),
            bytes.count < body.count
        else { return reply }
        reply.body = bytes
        reply.headers = reply.headers.map { header in
            guard header.name == "ETag", header.value.hasSuffix("\"") else { return header }
            return OriginHeader("ETag", header.value.dropLast() + "-gzip\"")
        }
        reply.headers.append(OriginHeader("Content-Encoding", "gzip"))
        return reply
    }

    /// Whether an `Accept-Encoding` field allows gzip; `q=0` excludes it.
    static func acceptsGzip(_ field: String) -> Bool {
        field.lowercased().split(separator: ",").contains { part in
            let words = part.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            let quality = words.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            return words.first == "gzip" && quality > 0
        }
    }
}

/// Compresses bytes into a gzip file; returns `nil` if zlib cannot allocate memory.
private func gzip(_ bytes: [UInt8]) -> [UInt8]? {
    var state = unsafe z_stream()
    guard unsafe czlib_init_gzip(&state, Z_DEFAULT_COMPRESSION) == Z_OK else { return nil }
    defer { unsafe deflateEnd(&state) }
    let bound = unsafe Int(deflateBound(&state, UInt(bytes.count)))
    var code = Z_OK
    let compressed = unsafe [UInt8](unsafeUninitializedCapacity: bound) { output, count in
        unsafe bytes.withUnsafeBufferPointer { input in
            // zlib does not write to its input; the type predates const.
            unsafe state.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            unsafe state.avail_in = UInt32(input.count)
            unsafe state.next_out = output.baseAddress
            unsafe state.avail_out = UInt32(output.count)
            code = unsafe deflate(&state, Z_FINISH)
            count = unsafe output.count - Int(state.avail_out)
        }
    }
    return code == Z_STREAM_END ? compressed : nil
}

extension OriginReply {
    /// Returns the reply after applying the request's conditional and range headers, as a file server would.
    ///
    /// The validators are the reply's own `ETag` and `Last-Modified`; dates are compared as text. A single range gives
    /// 206 and one past the end 416. Several ranges give the whole body, as the standard allows.
    package func applyingConditions(of request: OriginRequest) -> OriginReply {
        guard status == 200, request.method == "GET" || request.method == "HEAD" else { return self }
        if isUnchanged(for: request) { return OriginReply(status: 304, headers: validators) }
        var whole = self
        whole.headers.append(OriginHeader("Accept-Ranges", "bytes"))
        guard let text = request.header("Range"), matches(ifRange: request.header("If-Range")), let length else {
            return whole
        }
        switch Self.range(text, of: length) {
        case .none: return whole
        case .some(.none):
            let range = OriginHeader("Content-Range", "bytes */\(length)")
            return OriginReply(status: 416, headers: validators + [range])
        case .some(.some(let range)):
            whole.status = 206
            whole.stream = stream.map { StreamPart(whole: $0, range: range) }
            whole.body = stream == nil ? Array(body[range]) : []
            let contentRange = "bytes \(range.lowerBound)-\(range.upperBound - 1)/\(length)"
            whole.headers.append(OriginHeader("Content-Range", contentRange))
            return whole
        }
    }

    private var validators: [OriginHeader] {
        headers.filter { ["etag", "last-modified"].contains($0.name.lowercased()) }
    }

    private func isUnchanged(for request: OriginRequest) -> Bool {
        if let known = request.header("If-None-Match") {
            guard let tag = header("ETag") else { return false }
            // Weak comparison: ignore `W/`.
            let tags = known.split(separator: ",").map { Self.opaque($0) }
            return tags.contains("*") || tags.contains(Self.opaque(tag[...]))
        }
        guard let date = request.header("If-Modified-Since") else { return false }
        return date == header("Last-Modified")
    }

    private static func opaque(_ tag: Substring) -> Substring {
        let tag = tag.drop { $0 == " " }
        let bare = tag.hasPrefix("W/") ? tag.dropFirst(2) : tag
        return bare.lastIndex { $0 != " " }.map { bare[...$0] } ?? bare
    }

    /// Whether an `If-Range` validator allows a range: it equals the reply's own and is not a weak tag.
    private func matches(ifRange validator: String?) -> Bool {
        guard let validator else { return true }
        if validator.hasPrefix("W/") { return false }
        return validator == header("ETag") || validator == header("Last-Modified")
    }

    /// Parses a `Range` field: `nil` if it must be ignored, an inner `nil` if it lies past the end.
    private static func range(_ text: String, of count: Int) -> Range<Int>?? {
        guard text.hasPrefix("bytes=") else { return nil }
        let parts = text.dropFirst(6).split(separator: "-", maxSplits: 1, omittingEmptySubsequences: false)
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.allSatisfy(\.isDigit) }) else {
            return nil
        }
        if parts[0].isEmpty {
            guard let length = Int(parts[1]) else { return nil }
            return .some(length > 0 && count > 0 ? max(0, count - length)..<count : nil)
        }
        guard let first = Int(parts[0]) else { return nil }
        let last = parts[1].isEmpty ? Int.max : Int(parts[1])
        guard let last, last >= first else { return nil }
        return .some(first < count ? first..<min(last, count - 1) + 1 : nil)
    }
}

/// A body that is read while it is sent, such as a large file or a stream of events.
///
/// The server reads it on its threads, for one reply and never concurrently. Reading must not block.
package protocol OriginStream: Sendable {
    /// The number of bytes; `nil` if it is unknown, and the body is then sent in chunks.
    var length: Int? { get }

    /// Reads at most `count` bytes from `offset`.
    func read(at offset: Int, count: Int) -> OriginReadResult
}

/// The result of reading from a stream.
package enum OriginReadResult: Sendable {
    case bytes([UInt8])
    /// No bytes yet; the server reads again when the gate opens.
    case later(OriginGate)
    /// The end of the stream; before the announced length it closes the connection.
    case end
}

/// A byte range of a stream.
struct StreamPart: OriginStream {
    let whole: any OriginStream
    let range: Range<Int>

    var length: Int? { range.count }

    func read(at offset: Int, count: Int) -> OriginReadResult {
        whole.read(at: range.lowerBound + offset, count: min(count, range.count - offset))
    }
}
