// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Where a download can go on: which version of which file the bytes are of that have arrived.
struct ResumePoint: Sendable, Hashable {
    /// The version.
    var validator: Validator
    /// Who sent them; another host's tags mean nothing.
    var sender: WebAddress
    /// How many bytes the whole file has, if the host said so.
    var total: Int?
    /// The reply's `Last-Modified`, which a reply with the rest need not repeat.
    var lastModified: String?

    /// What a reply to a request for the rest means.
    enum Answer: Sendable, Hashable {
        /// It is the rest.
        case rest
        /// It is the whole, from the first byte on.
        case whole
        /// It is of no use; the whole must be asked for.
        case nothing
        /// It is about something else: a redirect, a fault.
        case other
    }

    /// Judges a reply to a request for the bytes from `offset` on.
    func answer(status: Int, headers: HeaderFields, offset: Int) -> Answer {
        switch status {
        case 200: return .whole
        case 416: return .nothing
        case 206:
            let ranges = headers.all("content-range")
            let isRest = ContentRange(ranges.first)?.isRest(from: offset, of: total) ?? false
            return isRest && ranges.count == 1 && validator.agrees(with: headers) ? .rest : .nothing
        default: return .other
        }
    }

    /// The headers of a reply with the rest, with what they need not repeat: as they were, had the whole come at once.
    func completed(_ headers: HeaderFields) -> HeaderFields {
        var headers = headers
        if headers["etag"] == nil, case .tag(let tag) = validator { headers.add(line: "ETag: \(tag)") }
        if headers["last-modified"] == nil, let lastModified { headers.add(line: "Last-Modified: \(lastModified)") }
        return headers
    }

    /// The headers that ask for the bytes from `offset` on, or for the whole if it is another version by now.
    func headers(from offset: Int) -> [String] { ["Range: bytes=\(offset)-", "If-Range: \(validator)"] }
}

/// What is kept beside a partial file, for a run to come.
struct ResumeNote: Sendable, Hashable {
    /// The address that was asked for.
    var url: String
    var point: ResumePoint
    /// How many bytes of the partial file it is about.
    var bytes: Int
    /// Their SHA-256: whatever a crash did to the file, nothing goes on behind bytes that are not those.
    var sha256: String

    init(url: String, point: ResumePoint, bytes: Int, sha256: String) {
        (self.url, self.point, self.bytes, self.sha256) = (url, point, bytes, sha256)
    }

    /// Reads a note; `nil` for anything that is none.
    init?(_ text: [UInt8]) {
        guard let json = try? JSON(parsing: text), let url = json["url"]?.text,
            let validator = json["validator"]?.text.flatMap({ Validator($0) }),
            let sender = json["sender"]?.text.flatMap({ WebAddress($0) }), let bytes = json["bytes"]?.integer,
            let sha256 = json["sha256"]?.text, bytes > 0
        else { return nil }
        let point = ResumePoint(
            validator: validator, sender: sender, total: json["total"]?.integer,
            lastModified: json["last_modified"]?.text)
        self.init(url: url, point: point, bytes: bytes, sha256: sha256)
    }

    /// The note as it lies on the disk.
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
