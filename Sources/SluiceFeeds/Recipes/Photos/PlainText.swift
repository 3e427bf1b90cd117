// SPDX-License-Identifier: MIT

/// What a reader sees of HTML: without tags, with its entities read, and white space as one blank.
func plainText(_ html: String) -> String {
    var text = ""
    var rest = html[...]
    while let character = rest.popFirst() {
        switch character {
        case "<":
            // A lone `<` is text; what follows one that begins a tag is not, up to its end.
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

/// The character of an entity's name, without its `&` and `;`.
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
