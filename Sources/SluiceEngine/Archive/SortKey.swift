// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// The key of an address in an index of web archives (SURT): `com,example)/photos/1.jpg?a=1&b=2`.
///
/// Addresses that usually mean the same page have the same key. The rules are those of the Internet Archive, which
/// replay programs apply to the address that a reader asks for.
enum SortKey {
    static func of(_ address: WebAddress) -> String {
        let rest = address.text.utf8.drop { $0 != UInt8(ascii: ":") }.dropFirst(3)
        let path = rest.drop { $0 != UInt8(ascii: "/") && $0 != UInt8(ascii: "?") }
        let parts = path.split(separator: UInt8(ascii: "?"), maxSplits: 1, omittingEmptySubsequences: false)
        var key = host(of: address)
        key.append(UInt8(ascii: ")"))
        key += self.path(parts.first.map(Array.init) ?? [])
        if parts.count > 1 {
            let query = self.query(escaped(unescaped(Array(parts[1]))))
            if !query.isEmpty { key += [UInt8(ascii: "?")] + query }
        }
        return String(decoding: key, as: UTF8.self)
    }

    /// The host's labels from the last to the first, without `www.`, and the port if it is not the scheme's.
    private static func host(of address: WebAddress) -> [UInt8] {
        let host = address.host.filter { $0 != "[" && $0 != "]" }
        var labels = host.lowercased().split(separator: ".").map(String.init)
        if labels.count > 1, let first = labels.first?.utf8, first.starts(with: "www".utf8),
            first.dropFirst(3).allSatisfy({ (0x30...0x39).contains($0) })
        {
            labels.removeFirst()
        }
        let isUsual = address.port == (address.scheme.utf8.elementsEqual("https".utf8) ? 443 : 80)
        return Array((labels.reversed().joined(separator: ",") + (isUsual ? "" : ":\(address.port)")).utf8)
    }

    /// The path in lower case, without dots, double slashes and a slash at its end.
    private static func path(_ path: [UInt8]) -> [UInt8] {
        let slash = UInt8(ascii: "/")
        var kept: [[UInt8]] = []
        for part in unescaped(path).split(separator: slash, omittingEmptySubsequences: false).dropFirst() {
            switch part.count {
            case 1 where part.first == UInt8(ascii: "."): continue
            case 2 where part.allSatisfy({ $0 == UInt8(ascii: ".") }) && !kept.isEmpty: kept.removeLast()
            default: kept.append(Array(part))
            }
        }
        let last = kept.popLast() ?? []
        var result = [slash]
        for part in kept where !part.isEmpty { result += part + [slash] }
        result = lowercased(escaped(result + last))
        if result.count > 1, result.last == slash { result.removeLast() }
        return result
    }

    /// The query in lower case, without session numbers, with its arguments in order.
    private static func query(_ query: [UInt8]) -> [UInt8] {
        let arguments = lowercased(withoutSession(query)).split(
            separator: UInt8(ascii: "&"), omittingEmptySubsequences: false
        ).map { $0.split(separator: UInt8(ascii: "="), maxSplits: 1, omittingEmptySubsequences: false).map(Array.init) }
        let sorted = arguments.sorted { left, right in
            guard let name = left.first, let other = right.first, name == other else {
                return (left.first ?? []).lexicographicallyPrecedes(right.first ?? [])
            }
            return left.count == right.count
                ? (left.last ?? []).lexicographicallyPrecedes(right.last ?? []) : left.count < right.count
        }
        return Array(
            sorted.map { Array($0.joined(separator: [UInt8(ascii: "=")])) }.joined(separator: [UInt8(ascii: "&")]))
    }

    /// Removes the last argument that numbers a session.
    private static func withoutSession(_ query: [UInt8]) -> [UInt8] {
        var query = query
        for name in ["jsessionid=", "phpsessid=", "sid="] {
            let lower = lowercased(query)
            let name = Array(name.utf8)
            guard lower.count >= name.count + 32 else { continue }
            for start in (0...(lower.count - name.count - 32)).reversed() where lower[start...].starts(with: name) {
                let end = start + name.count + 32
                let digits = lower[(start + name.count)..<end]
                let isSession = digits.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x7A).contains($0) }
                guard isSession, end == lower.count || lower[end] == UInt8(ascii: "&") else { continue }
                query = Array(query[..<start] + query[end...].dropFirst())
                break
            }
        }
        return query
    }

    private static func lowercased(_ bytes: [UInt8]) -> [UInt8] {
        bytes.map { (0x41...0x5A).contains($0) ? $0 | 0x20 : $0 }
    }

    /// Decodes percent escapes until none is left; each round shortens the bytes.
    private static func unescaped(_ bytes: [UInt8]) -> [UInt8] {
        var bytes = bytes
        // A hostile address could need as many rounds as it has bytes.
        for _ in 0..<16 {
            let result = bytes.percentDecoded
            if result.count == bytes.count { break }
            bytes = result
        }
        return bytes
    }

    /// Escapes control characters, blanks, `#`, `%` and bytes outside ASCII.
    private static func escaped(_ bytes: [UInt8]) -> [UInt8] {
        bytes.flatMap { byte in
            let isPlain = (0x21...0x7E).contains(byte) && byte != UInt8(ascii: "#") && byte != UInt8(ascii: "%")
            return isPlain ? [byte] : byte.percentEncoded
        }
    }
}

/// A line of a CDXJ index: the key and time of a response, and where its record is.
struct IndexLine {
    var url: String
    /// The record's time, as in its header.
    var date: String
    var mediaType: String?
    var status: Int
    var digest: String
    var length: Int
    var offset: Int
    var file: String

    /// The line without its line end.
    var text: String {
        let key = WebAddress(url).map(SortKey.of) ?? url
        let time = String(decoding: date.utf8.filter { (0x30...0x39).contains($0) }, as: UTF8.self)
        let members: [(String, String?)] = [
            ("url", url), ("mime", mediaType.flatMap(Self.name)), ("status", "\(status)"), ("digest", digest),
            ("length", "\(length)"), ("offset", "\(offset)"), ("filename", file),
        ]
        let object = members.compactMap { name, value in value.map { "\"\(name)\": \"\(Self.escaped($0))\"" } }
        return "\(key) \(time) {\(object.joined(separator: ", "))}"
    }

    /// The name of a media type, without its parameters; `nil` for an empty one.
    private static func name(of type: String) -> String? {
        let name = type.utf8.prefix { $0 != UInt8(ascii: ";") && $0 > 0x20 }
        return name.isEmpty ? nil : String(Substring(name))
    }

    /// Escapes a text for JSON in ASCII.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for unit in text.utf16 {
            switch unit {
            case 0x22, 0x5C: result += "\\" + String(UnicodeScalar(UInt8(unit)))
            case 0x20..<0x7F: result.unicodeScalars.append(UnicodeScalar(UInt8(unit)))
            default:
                let digits = String(unit, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            }
        }
        return result
    }
}
