// SPDX-License-Identifier: MIT

/// Converts HTML to text: removes tags, decodes entities and collapses white space.
func plainText(fromHTML html: String) -> String {
    var text = ""
    var rest = html[...]
    while let character = rest.popFirst() {
        switch character {
        case "<":
            // A lone `<` is text; a tag is removed up to its `>`.
            guard let next = rest.first, next.isLetter || "/!?".contains(next) else {
                text.append(character)
                continue
            }
            rest = rest.drop { $0 != ">" }.dropFirst()
            text.append(" ")
        case "&":
            let name = rest.prefix(12).prefix { $0 != ";" }
            guard rest.dropFirst(name.count).first == ";", let scalar = entity(name) else {
                text.append(character)
                continue
            }
            text.unicodeScalars.append(scalar)
            rest = rest.dropFirst(name.count + 1)
        default: text.append(character)
        }
    }
    return text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
}

/// Returns the character of an entity, given its name without `&` and `;`.
private func entity(_ name: Substring) -> Unicode.Scalar? {
    if name.hasPrefix("#x") || name.hasPrefix("#X") {
        return UInt32(name.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
    }
    if name.hasPrefix("#") { return UInt32(name.dropFirst()).flatMap(Unicode.Scalar.init) }
    return entities[String(name)]
}

private let entities: [String: Unicode.Scalar] = [
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "nbsp": "\u{A0}", "copy": "©", "reg": "®",
    "ndash": "–", "mdash": "—", "lsquo": "‘", "rsquo": "’", "ldquo": "“", "rdquo": "”", "hellip": "…", "times": "×",
]
