// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A parsed `Link` header (RFC 8288): addresses by relation.
struct LinkHeader {
    private var targets: [String: String] = [:]

    /// Parses all `Link` fields of a reply and ignores malformed links.
    init(_ fields: [String]) {
        for field in fields {
            for link in Self.split(field, at: ",") { add(link) }
        }
    }

    /// Whether there are no links.
    var isEmpty: Bool { targets.isEmpty }

    /// The first address with that relation.
    subscript(relation: String) -> String? { targets[relation] }

    private mutating func add(_ link: Substring) {
        let parts = Self.split(link, at: ";")
        guard let target = parts.first?.trimmed, target.hasPrefix("<"), target.hasSuffix(">") else { return }
        let address = String(target.dropFirst().dropLast())
        for parameter in parts.dropFirst() {
            let pair = parameter.split(separator: "=", maxSplits: 1).map(\.trimmed)
            guard pair.count == 2, pair[0].lowercased() == "rel" else { continue }
            let relations = pair[1].drop { $0 == "\"" }.prefix { $0 != "\"" }
            for relation in relations.split(separator: " ") {
                let relation = relation.lowercased()
                targets[relation] = targets[relation] ?? address
            }
        }
    }

    /// Splits at separators outside quotes and `<...>`, because addresses may contain them.
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
}
