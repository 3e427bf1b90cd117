// SPDX-License-Identifier: MIT

/// The `Link` header (RFC 8288): addresses by their relation.
struct LinkHeader {
    private var targets: [String: String] = [:]

    /// Reads all `Link` fields of a reply; what is malformed is passed over.
    init(_ fields: [String]) {
        for field in fields {
            for link in Self.split(field, at: ",") { add(link) }
        }
    }

    /// Whether a reply has no links at all.
    var isEmpty: Bool { targets.isEmpty }

    /// The address of that relation; the first, if there are several.
    subscript(relation: String) -> String? { targets[relation] }

    private mutating func add(_ link: Substring) {
        let parts = Self.split(link, at: ";")
        guard let target = parts.first.map(trim), target.hasPrefix("<"), target.hasSuffix(">") else { return }
        let address = String(target.dropFirst().dropLast())
        for parameter in parts.dropFirst() {
            let pair = parameter.split(separator: "=", maxSplits: 1).map(trim)
            guard pair.count == 2, pair[0].lowercased() == "rel" else { continue }
            let relations = pair[1].drop { $0 == "\"" }.prefix { $0 != "\"" }
            for relation in relations.split(separator: " ") {
                let relation = relation.lowercased()
                targets[relation] = targets[relation] ?? address
            }
        }
    }

    /// Splits at a separator that stands neither in quotes nor in `<...>`, where it is part of an address.
    private static func split(_ text: some StringProtocol, at separator: Character) -> [Substring] {
        var parts: [Substring] = []
        var start = text.startIndex
        var (isQuoted, isAddress) = (false, false)
        for index in text.indices {
            switch text[index] {
            case "\"" where !isAddress: isQuoted.toggle()
            case "<" where !isQuoted: isAddress = true
            case ">" where !isQuoted: isAddress = false
            case separator where !isQuoted && !isAddress:
                parts.append(Substring(text[start..<index]))
                start = text.index(after: index)
            default: break
            }
        }
        parts.append(Substring(text[start...]))
        return parts
    }

    private func trim(_ text: Substring) -> Substring {
        let front = text.drop { $0.isWhitespace }
        let end = front.lastIndex { !$0.isWhitespace }.map(front.index(after:)) ?? front.startIndex
        return front[..<end]
    }
}
