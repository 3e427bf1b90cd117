// SPDX-License-Identifier: MIT

/// The folder of a mirror whose user named none: `demo-mirror` for `demo`, `cats-mirror` for `lists/cats.txt`.
///
/// An address gives its host and path. What follows its `?` may be long or secret, and yet tells two feeds apart: it
/// becomes a short hash.
func defaultFolder(for source: String) -> String {
    if source == "-" { return "stdin-mirror" }
    let stem = source.contains("://") ? addressStem(source) : fileStem(source)
    let name = readable(stem)
    return name.isEmpty ? "mirror" : "\(name)-mirror"
}

/// Host and path, and a hash of the query if there is one.
private func addressStem(_ source: String) -> String {
    let behindScheme = source.firstRange(of: "://").map { source[$0.upperBound...] } ?? source[...]
    let address = behindScheme.prefix { $0 != "?" && $0 != "#" }
    let hostStart = address.prefix { $0 != "/" }.lastIndex(of: "@").map { address.index(after: $0) }
    let shown = String(address[(hostStart ?? address.startIndex)...])
    return address.endIndex == source.endIndex ? shown : "\(String(shown.prefix(40)))-\(shortHash(source))"
}

/// The last part of a path, without its extension.
private func fileStem(_ source: String) -> String {
    guard let last = source.split(separator: "/").last else { return "" }
    let endings = [".json", ".jsonl", ".txt", ".csv", ".tsv", ".xml", ".gz", ".zst"]
    var stem = source.contains(":") ? source[...] : last
    while let ending = endings.first(where: { stem.hasSuffix($0) && stem.count > $0.count }) {
        stem = stem.dropLast(ending.count)
    }
    return String(stem)
}

/// Letters, digits, dots and single dashes; at most 60 of them, and none hidden behind a leading dot.
private func readable(_ text: String) -> String {
    var name = ""
    for character in text {
        let isKept = character.isLetter || character.isNumber || character == "." || character == "_"
        if isKept { name.append(character) } else if name.last != "-" { name.append("-") }
    }
    let start = name.drop { $0 == "-" || $0 == "." }.prefix(60)
    return String(start.reversed().drop { $0 == "-" || $0 == "." }.reversed())
}

/// FNV-1a, 32 bits: enough to tell two addresses of one user's apart.
private func shortHash(_ text: String) -> String {
    let hash = text.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    let digits = String(hash, radix: 16)
    return String(repeating: "0", count: 8 - digits.utf8.count) + digits
}
