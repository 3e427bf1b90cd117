// SPDX-License-Identifier: MIT

internal import CZlib

extension OriginReply {
    /// Returns the reply compressed with gzip if the client accepts it and the body gets smaller.
    ///
    /// A compressed reply is another representation: its `ETag` differs, and it does not support ranges.
    public func compressed(for request: OriginRequest) -> OriginReply {
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
    guard unsafe czlib_init_gzip(&state) == Z_OK else { return nil }
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
