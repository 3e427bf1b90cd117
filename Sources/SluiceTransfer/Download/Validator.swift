// SPDX-License-Identifier: MIT

internal import CCurl

/// What a host calls one version of a file, byte for byte: a strong entity tag, or a date that is as good.
enum Validator: Sendable, Hashable {
    case tag(String)
    case date(String)

    /// Takes the validator off a reply; `nil` where only the whole file can be trusted.
    ///
    /// A file may change twice in the second that its date names, so the date counts only where the reply is at least a
    /// minute younger. A host with a weak tag says itself that its bytes may differ.
    init?(_ headers: HeaderFields) {
        if let tag = headers["etag"] {
            guard Self.isStrong(tag) else { return nil }
            self = .tag(tag)
        } else if let text = headers["last-modified"], let now = headers["date"], Self.isPlain(text) {
            let (modified, sent) = unsafe (curl_getdate(text, nil), curl_getdate(now, nil))
            guard modified > 0, sent >= modified + 60 else { return nil }
            self = .date(text)
        } else {
            return nil
        }
    }

    /// Reads what ``description`` wrote.
    init?(_ text: String) {
        guard Self.isPlain(text) else { return nil }
        self = text.hasPrefix("\"") ? .tag(text) : .date(text)
        if case .tag = self, !Self.isStrong(text) { return nil }
    }

    /// Whether a reply is of this version, as far as it says.
    func agrees(with headers: HeaderFields) -> Bool {
        switch self {
        case .tag(let tag): headers["etag"].map { $0 == tag } ?? true
        case .date(let date): headers["last-modified"].map { $0 == date } ?? true
        }
    }

    private static func isStrong(_ tag: String) -> Bool {
        tag.count >= 2 && tag.hasPrefix("\"") && tag.hasSuffix("\"") && isPlain(tag)
            && !tag.dropFirst().dropLast().contains("\"")
    }

    /// It comes from a stranger and goes into a header of ours.
    static func isPlain(_ text: String) -> Bool {
        text.utf8.count <= 512 && text.utf8.allSatisfy { (0x20..<0x7F).contains($0) }
    }
}

extension Validator: CustomStringConvertible {
    /// As it stands in a header.
    var description: String {
        switch self {
        case .tag(let text), .date(let text): text
        }
    }
}
