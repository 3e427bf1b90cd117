// SPDX-License-Identifier: MIT

extension OriginReply {
    /// Returns the reply after applying the request's conditional and range headers, as a file server would.
    ///
    /// The validators are the reply's own `ETag` and `Last-Modified`; dates are compared as text. A single range gives
    /// 206 and one past the end 416. Several ranges give the whole body, as the standard allows.
    public func applyingConditions(of request: OriginRequest) -> OriginReply {
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
        guard parts.count == 2, parts.allSatisfy({ $0.utf8.allSatisfy { (0x30...0x39).contains($0) } }) else {
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
