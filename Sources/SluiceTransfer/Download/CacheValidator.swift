// SPDX-License-Identifier: MIT

internal import CCurl
internal import SluiceModel

/// Identifies one exact version of a file: a strong entity tag, or a modification date that is strong enough.
enum CacheValidator: Sendable, Hashable {
    case tag(String)
    case date(String)

    /// Reads the validator of a response; `nil` if a partial file could not be resumed safely.
    ///
    /// A file may change twice within one second, so a date counts only if the response was sent at least a minute
    /// later. A weak tag does not guarantee identical bytes.
    init?(_ headers: HeaderFields) {
        let tags = headers.all("etag")
        if let tag = tags.first {
            guard tags.count == 1, Self.isStrong(tag) else { return nil }
            self = .tag(tag)
        } else if let text = headers["last-modified"], let now = headers["date"], Self.isPlain(text) {
            let (modified, sent) = unsafe (curl_getdate(text, nil), curl_getdate(now, nil))
            guard modified > 0, sent >= modified + 60 else { return nil }
            self = .date(text)
        } else {
            return nil
        }
    }

    /// Parses the text of ``description``.
    init?(_ text: String) {
        guard Self.isPlain(text) else { return nil }
        self = text.hasPrefix("\"") ? .tag(text) : .date(text)
        if case .tag = self, !Self.isStrong(text) { return nil }
    }

    /// Whether the response states that it has this version.
    ///
    /// A server that ignores `If-Range` may send a part of any version, so a response without the validator proves
    /// nothing. Texts are compared as bytes, because Swift regards different texts as equal.
    func isRepeated(in headers: HeaderFields) -> Bool {
        let name = if case .tag = self { "etag" } else { "last-modified" }
        let values = headers.all(name)
        return values.count == 1 && values[0] === description
    }

    private static func isStrong(_ tag: String) -> Bool {
        let bytes = tag.utf8Span.span
        let quote = UInt8(ascii: "\"")
        guard bytes.count >= 2, bytes[0] == quote, bytes[bytes.count - 1] == quote, isPlain(tag) else { return false }
        return (1..<bytes.count - 1).allSatisfy { bytes[$0] != quote }
    }

    /// Whether a server's text is safe to send in a request header: printable ASCII of at most 512 bytes.
    static func isPlain(_ text: String) -> Bool {
        text.utf8.count <= 512 && text.utf8Span.span.allSatisfy { (0x20..<0x7F).contains($0) }
    }
}

extension CacheValidator: CustomStringConvertible {
    /// The value as it is sent in a header.
    var description: String {
        switch self {
        case .tag(let text), .date(let text): text
        }
    }
}
