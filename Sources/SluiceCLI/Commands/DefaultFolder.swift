// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Returns the default folder of a mirror of several sources: `demo-and-2-more-mirror`.
func defaultFolder(for sources: [String]) -> String {
    guard let first = sources.first else { return "." }
    let folder = defaultFolder(for: first)
    guard sources.count > 1 else { return folder }
    return "\(folder.hasSuffix("-mirror") ? String(folder.dropLast(7)) : folder)-and-\(sources.count - 1)-more-mirror"
}

/// Returns the default folder of a mirror: `demo-mirror` for `demo`, `cats-mirror` for `lists/cats.txt`.
///
/// For a URL the name contains host and path. The query may be long or secret, but distinguishes feeds, so the name
/// contains a short hash of it.
func defaultFolder(for source: String) -> String {
    if source == "-" { return "stdin-mirror" }
    let isAddress = source.contains("://") || source.hasPrefix("//") || source.lowercased().hasPrefix("www.")
    let stem = isAddress ? urlStem(source) : fileStem(source)
    let name = sanitized(stem)
    return name.isEmpty ? "mirror" : "\(name)-mirror"
}

/// Returns the host and path of a URL, with a hash if it has a query or fragment.
private func urlStem(_ source: String) -> String {
    let afterScheme = source.firstRange(of: "://").map { source[$0.upperBound...] } ?? source[...]
    let address = afterScheme.prefix { $0 != "?" && $0 != "#" }
    let hostStart = address.prefix { $0 != "/" }.lastIndex(of: "@").map { address.index(after: $0) }
    let shown = String(address[(hostStart ?? address.startIndex)...])
    return address.endIndex == source.endIndex ? shown : "\(String(shown.prefix(40)))-\(shortHash(source))"
}

/// Returns the last component of a path without known extensions.
private func fileStem(_ source: String) -> String {
    guard let last = source.split(separator: "/").last else { return "" }
    let extensions = [".json", ".jsonl", ".txt", ".csv", ".tsv", ".xml", ".gz", ".zst"]
    var stem = source.contains(":") ? source[...] : last
    while let known = extensions.first(where: { stem.hasSuffix($0) && stem.count > $0.count }) {
        stem = stem.dropLast(known.count)
    }
    return String(stem)
}

/// Reduces the text to at most 60 letters, digits, dots and single dashes, without a leading dot.
private func sanitized(_ text: String) -> String {
    var name = ""
    for character in text {
        let isKept = character.isLetter || character.isNumber || character == "." || character == "_"
        if isKept { name.append(character) } else if name.last != "-" { name.append("-") }
    }
    let start = name.drop { $0 == "-" || $0 == "." }.prefix(60)
    return String(start.reversed().drop { $0 == "-" || $0 == "." }.reversed())
}

/// Returns the 32-bit FNV-1a hash, which is enough to distinguish the URLs of one user.
private func shortHash(_ text: String) -> String {
    let hash = text.utf8.reduce(UInt32(2_166_136_261)) { ($0 ^ UInt32($1)) &* 16_777_619 }
    return String(hash, radix: 16).zeroPadded(to: 8)
}
