// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A header field of a request or a reply.
package struct OriginHeader: Sendable, Hashable {
    /// The name, in its original case.
    package var name: String
    package var value: String

    package init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}

package struct OriginRequest: Sendable, Hashable {
    /// The method, for example `GET`.
    package var method: String
    /// The request target as the client wrote it: path and query, percent-encoded.
    package var target: String
    /// The header fields in the order received.
    package var headers: [OriginHeader]
    /// The body, at most its first 64 KiB.
    package var body: [UInt8]

    package init(method: String = "GET", target: String, headers: [OriginHeader] = [], body: [UInt8] = []) {
        (self.method, self.target, self.headers, self.body) = (method, target, headers, body)
    }

    /// The percent-decoded target without its query.
    package var path: String {
        Self.decoded(target.utf8.prefix { $0 != UInt8(ascii: "?") })
    }

    /// Returns the decoded value of the first query parameter with this name.
    package func query(_ name: String) -> String? {
        guard let mark = target.utf8.firstIndex(of: UInt8(ascii: "?")) else { return nil }
        for pair in target.utf8[mark...].dropFirst().split(separator: UInt8(ascii: "&")) {
            let parts = pair.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false)
            if Self.decoded(parts[0], plusIsSpace: true) == name {
                return parts.count > 1 ? Self.decoded(parts[1], plusIsSpace: true) : ""
            }
        }
        return nil
    }

    /// Returns the value of the first header field with this name, ignoring case.
    package func header(_ name: String) -> String? {
        let name = name.lowercased()
        return headers.first { $0.name.lowercased() == name }?.value
    }

    /// Returns the values of all header fields with this name, ignoring case.
    package func headers(named name: String) -> [String] {
        let name = name.lowercased()
        return headers.filter { $0.name.lowercased() == name }.map(\.value)
    }

    /// Decodes percent escapes; keeps malformed escapes and replaces invalid UTF-8.
    private static func decoded(_ text: some Sequence<UInt8>, plusIsSpace: Bool = false) -> String {
        let plain = text.map { plusIsSpace && $0 == UInt8(ascii: "+") ? UInt8(ascii: " ") : $0 }
        return String(decoding: plain.percentDecoded, as: UTF8.self)
    }
}
