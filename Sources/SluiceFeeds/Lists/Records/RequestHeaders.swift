// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The request headers that a record of a list states for its photo, as gallery-dl writes them.
enum RequestHeaders {
    /// The member of a record that holds an object of names and values.
    static let member = "_http_headers"

    private static let maxCount = 32
    private static let maxBytes = 8 << 10

    /// Names that belong to the connection, to the body, to parts of files or to proxies, and not to the photo.
    private static let refused: Set = [
        "connection", "content-encoding", "content-length", "content-type", "expect", "forwarded", "host",
        "http2-settings", "if-match", "if-modified-since", "if-none-match", "if-range", "if-unmodified-since",
        "keep-alive", "range", "te", "trailer", "transfer-encoding", "upgrade", "via",
    ]
    private static let refusedPrefixes = ["proxy-", "x-forwarded-"]
    /// Sluice asks for photos without compression anyway.
    private static let ignored: Set = ["accept-encoding"]

    /// Returns the headers of an object, each as `Name: value`; members that are `null` or empty are ignored.
    static func parse(_ json: JSON) throws(InvalidText) -> [String] {
        guard case .object(let members) = json else {
            if case .null = json { return [] }
            throw InvalidText("\(member) is not an object")
        }
        var headers: [String] = []
        for (name, value) in members.map({ ($0.name, $0.value) }) {
            let lower = name.lowercased()
            guard !name.isEmpty, name.utf8.allSatisfy(\.isToken) else {
                throw InvalidText("invalid name of a header: '\(name.prefix(80))'")
            }
            guard !refused.contains(lower), !refusedPrefixes.contains(where: lower.hasPrefix) else {
                throw InvalidText("a list cannot set the header '\(name.prefix(80))'")
            }
            if case .null = value { continue }
            guard let text = value.text else { throw InvalidText("the header '\(name)' is not a text") }
            // A line break would begin another header.
            guard text.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F || $0 == 0x09 }) else {
                throw InvalidText("the header '\(name)' contains a control character")
            }
            if !text.trimmed.isEmpty, !ignored.contains(lower) { headers.append("\(name): \(text.trimmed)") }
        }
        guard headers.count <= maxCount, headers.reduce(0, { $0 + $1.utf8.count }) <= maxBytes else {
            throw InvalidText("more than \(maxCount) headers or \(maxBytes >> 10) KiB of them")
        }
        return headers
    }
}
