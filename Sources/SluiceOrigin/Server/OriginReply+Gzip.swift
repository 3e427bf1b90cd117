// SPDX-License-Identifier: MIT

internal import CZlib

extension OriginReply {
    /// This whole reply packed for a client that takes gzip; one that would not get smaller stays as it is.
    ///
    /// What is packed is another representation: its `ETag` tells it from the plain one. It has no ranges.
    public func packed(for request: OriginRequest) -> OriginReply {
        var reply = self
        reply.headers.append(OriginHeader("Vary", "Accept-Encoding"))
        guard stream == nil, Self.takesGzip(request.header("Accept-Encoding") ?? ""), let bytes = gzip(body),
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

    /// Whether gzip is among the encodings that are taken, and not ruled out with `q=0`.
    static func takesGzip(_ field: String) -> Bool {
        field.lowercased().split(separator: ",").contains { part in
            let words = part.split(separator: ";").map { $0.filter { $0 != " " && $0 != "\t" } }
            let quality = words.dropFirst().first { $0.hasPrefix("q=") }.flatMap { Double($0.dropFirst(2)) } ?? 1
            return words.first == "gzip" && quality > 0
        }
    }
}

/// The bytes as a gzip file; `nil` if zlib has no memory for it.
private func gzip(_ bytes: [UInt8]) -> [UInt8]? {
    var state = unsafe z_stream()
    guard unsafe czlib_begin_gzip(&state) == Z_OK else { return nil }
    defer { unsafe deflateEnd(&state) }
    let bound = unsafe Int(deflateBound(&state, UInt(bytes.count)))
    var code = Z_OK
    let packed = unsafe [UInt8](unsafeUninitializedCapacity: bound) { output, count in
        unsafe bytes.withUnsafeBufferPointer { input in
            // zlib does not write to its input; its type is older than const.
            unsafe state.next_in = UnsafeMutablePointer(mutating: input.baseAddress)
            unsafe state.avail_in = UInt32(input.count)
            unsafe state.next_out = output.baseAddress
            unsafe state.avail_out = UInt32(output.count)
            code = unsafe deflate(&state, Z_FINISH)
            count = unsafe output.count - Int(state.avail_out)
        }
    }
    return code == Z_STREAM_END ? packed : nil
}
