// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The data needed to resume a download: the version of the file that the received bytes belong to.
struct ResumePoint: Sendable, Hashable {
    /// The version of the file.
    var validator: CacheValidator
    /// The address that sent the bytes; a validator has no meaning for another file.
    var sender: WebAddress
    /// The size of the whole file in bytes, if the server announced it.
    var total: Int?
    /// The first response's `Last-Modified`; a 206 response may omit it.
    var lastModified: String?

    /// The meaning of a response to a range request.
    enum RangeResponse: Sendable, Hashable {
        /// The body is the rest of the file.
        case rest
        /// The body is the whole file.
        case whole
        /// The body cannot be used; the whole file must be requested.
        case unusable
        /// The response is a redirect or an error.
        case other
    }

    /// Classifies the response to a request for the bytes from `offset` on.
    func classify(status: Int, headers: HeaderFields, offset: Int) -> RangeResponse {
        switch status {
        case 200: return .whole
        case 416: return .unusable
        case 206:
            let ranges = headers.all("content-range")
            let isRest = ContentRange(ranges.first)?.isRest(from: offset, of: total) ?? false
            return isRest && ranges.count == 1 && validator.isRepeated(in: headers) ? .rest : .unusable
        default: return .other
        }
    }

    /// Adds the header that a 206 response may omit, so that the headers match a response with the whole file.
    func completed(_ headers: HeaderFields) -> HeaderFields {
        var headers = headers
        if headers["last-modified"] == nil, let lastModified { headers.add(line: "Last-Modified: \(lastModified)") }
        return headers
    }

    /// The headers that request the bytes from `offset` on, or the whole file if the version has changed.
    func headers(from offset: Int) -> [String] { ["Range: bytes=\(offset)-", "If-Range: \(validator)"] }
}

/// The note beside a partial file with which a later run resumes the download.
struct ResumeNote: Sendable, Hashable {
    var url: String
    var point: ResumePoint
    /// The number of bytes of the partial file that the note covers.
    var bytes: Int
    /// Their SHA-256; a file that a crash damaged is not resumed.
    var sha256: String

    init(url: String, point: ResumePoint, bytes: Int, sha256: String) {
        (self.url, self.point, self.bytes, self.sha256) = (url, point, bytes, sha256)
    }

    /// Parses a note; `nil` if it is invalid.
    init?(_ text: [UInt8]) {
        guard let json = try? JSON(parsing: text), let url = json["url"]?.text,
            let validator = json["validator"]?.text.flatMap({ CacheValidator($0) }),
            let sender = json["sender"]?.text.flatMap({ WebAddress($0) }), let bytes = json["bytes"]?.quantity,
            let sha256 = json["sha256"]?.text, bytes > 0
        else { return nil }
        let point = ResumePoint(
            validator: validator, sender: sender, total: json["total"]?.quantity,
            lastModified: json["last_modified"]?.text)
        self.init(url: url, point: point, bytes: bytes, sha256: sha256)
    }

    /// The note as JSON, as it is stored.
    var text: [UInt8] {
        var writer = JSONWriter()
        writer.object { writer in
            writer.member("url", url)
            writer.member("sender", point.sender.text)
            writer.member("validator", point.validator.description)
            writer.member("last_modified", point.lastModified)
            writer.member("total", point.total)
            writer.member("bytes", bytes)
            writer.member("sha256", sha256)
        }
        return writer.bytes
    }
}

/// A parsed `Content-Range` header: `bytes 100-199/200`.
struct ContentRange: Sendable, Hashable {
    /// The position of the first byte.
    let first: Int
    /// The position of the last byte.
    let last: Int
    /// The size of the whole file; `nil` if the server does not know it.
    let total: Int?

    /// Parses the header strictly; `nil` for any other form.
    init?(_ text: String?) {
        guard let text, text.hasPrefix("bytes ") else { return nil }
        let halves = text.dropFirst(6).split(separator: "/", omittingEmptySubsequences: false)
        guard halves.count == 2 else { return nil }
        let ends = halves[0].split(separator: "-", omittingEmptySubsequences: false)
        guard ends.count == 2, let first = Self.number(ends[0]), let last = Self.number(ends[1]), first <= last else {
            return nil
        }
        let total = Self.number(halves[1])
        guard total.map({ last < $0 }) ?? (halves[1] == "*") else { return nil }
        (self.first, self.last, self.total) = (first, last, total)
    }

    /// Whether the range is the rest of the file, starting at `offset`.
    func isRest(from offset: Int, of wholeSize: Int?) -> Bool {
        guard first == offset, let total, last == total - 1 else { return false }
        return wholeSize == nil || wholeSize == total
    }

    private static func number(_ text: Substring) -> Int? {
        text.utf8.allSatisfy(\.isDigit) ? Int(text)?.within(Quantity.range) : nil
    }
}
