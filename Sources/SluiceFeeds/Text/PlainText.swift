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
            guard rest.dropFirst(name.count).first == ";", let scalar = htmlEntity(name) else {
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
func htmlEntity(_ name: Substring) -> Unicode.Scalar? {
    if name.hasPrefix("#x") || name.hasPrefix("#X") {
        return UInt32(name.dropFirst(2), radix: 16).flatMap(Unicode.Scalar.init)
    }
    if name.hasPrefix("#") { return UInt32(name.dropFirst()).flatMap(Unicode.Scalar.init) }
    return entities[String(name)] ?? latinEntities[String(name)]
}

private let entities: [String: Unicode.Scalar] = [
    "euro": "€", "trade": "™", "bull": "•", "middot": "·", "oelig": "œ", "OElig": "Œ", "scaron": "š", "Scaron": "Š",
    "zwnj": "\u{200C}", "zwj": "\u{200D}", "sbquo": "‚", "bdquo": "„", "dagger": "†", "minus": "−",
    "thinsp": "\u{2009}",
    "rarr": "→", "larr": "←", "ensp": "\u{2002}", "emsp": "\u{2003}",
    "amp": "&", "lt": "<", "gt": ">", "quot": "\"", "apos": "'", "ndash": "–", "mdash": "—", "lsquo": "‘", "rsquo": "’",
    "ldquo": "“", "rdquo": "”", "hellip": "…",
]

/// The entities of the characters U+00A0 to U+00FF.
private let latinEntities: [String: Unicode.Scalar] = {
    let names = """
        nbsp iexcl cent pound curren yen brvbar sect uml copy ordf laquo not shy reg macr deg plusmn sup2 \
        sup3 acute micro para middot cedil sup1 ordm raquo frac14 frac12 frac34 iquest Agrave Aacute Acirc \
        Atilde Auml Aring AElig Ccedil Egrave Eacute Ecirc Euml Igrave Iacute Icirc Iuml ETH Ntilde Ograve \
        Oacute Ocirc Otilde Ouml times Oslash Ugrave Uacute Ucirc Uuml Yacute THORN szlig agrave aacute \
        acirc atilde auml aring aelig ccedil egrave eacute ecirc euml igrave iacute icirc iuml eth ntilde \
        ograve oacute ocirc otilde ouml divide oslash ugrave uacute ucirc uuml yacute thorn yuml
        """
    var entities: [String: Unicode.Scalar] = [:]
    for (offset, name) in names.split(separator: " ").enumerated() {
        entities[String(name)] = Unicode.Scalar(UInt8(0xA0 + offset))
    }
    return entities
}()

extension String {
    /// Truncates the text to at most `maxBytes` bytes, between code points, and marks the cut with an ellipsis.
    func truncated(to maxBytes: Int) -> String {
        guard utf8.count > maxBytes else { return self }
        var end = utf8.index(startIndex, offsetBy: maxBytes)
        while UTF8.isContinuation(utf8[end]) { end = utf8.index(before: end) }
        return String(self[..<end]) + "…"
    }
}
