// SPDX-License-Identifier: MIT

/// The heading of a mirror's gallery and report, made from its source.
package enum SourceTitle {
    /// Returns the title of a SOURCE as the user wrote it; `nil` for a source without a name, for example `-`.
    ///
    /// An address loses its scheme, credentials and query, which may contain secrets. A path loses its folders and the
    /// extension of a list: `/data/lake_photos.csv.gz` becomes "Lake photos".
    package static func text(of source: String) -> String? {
        if let address = address(in: source) { return address.isEmpty ? nil : address }
        let name = source.split(separator: "/").last ?? ""
        guard name.contains(where: { !".-".contains($0) }) else { return nil }
        return words(in: withoutListExtensions(name))
    }

    /// Returns the words of a file's name, beginning with a capital: "lake_photos-2024" becomes "Lake photos 2024".
    package static func words(in name: some StringProtocol) -> String? {
        let words = name.split { "-_ ".contains($0) }.joined(separator: " ")
        return words.isEmpty ? nil : words.prefix(1).uppercased() + words.dropFirst()
    }

    /// The host and path of the address that the source contains, also after a prefix such as `iiif:`.
    private static func address(in source: String) -> String? {
        guard let mark = source.firstRange(of: "://") else { return nil }
        let rest = source[mark.upperBound...]
        let authority = rest.prefix { !"/?#".contains($0) }
        let host = authority.split(separator: "@", omittingEmptySubsequences: false).last ?? ""
        let path = rest.dropFirst(authority.count).prefix { !"?#".contains($0) }
        let parts = path.split(separator: "/").map { decoded($0) }
        let name = host.hasPrefix("www.") ? host.dropFirst(4) : host
        return ([String(name)] + parts).filter { !$0.isEmpty }.joined(separator: "/")
    }

    /// Decodes the percent-encoded bytes of a path's component, unless they are not text.
    private static func decoded(_ part: Substring) -> String {
        String(validating: part.utf8.percentDecoded, as: UTF8.self) ?? String(part)
    }

    private static let listExtensions = [
        "gz", "zst", "csv", "tsv", "txt", "json", "jsonl", "ndjson", "parquet", "xml", "rss", "atom", "urls", "html",
        "htm",
    ]

    private static func withoutListExtensions(_ name: Substring) -> Substring {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex,
            listExtensions.contains(name[name.index(after: dot)...].lowercased())
        else { return name }
        return withoutListExtensions(name[..<dot])
    }
}

/// The SOURCE arguments of a run, or the names of its feeds, as the one text that the ledger records.
package struct SourceSet: Sendable, Hashable {
    /// Separates the members of a text; neither addresses nor names of services contain it.
    private static let separator: Character = "\n"

    /// The members in their order.
    package let members: [String]

    package init(_ members: [String]) { self.members = members }

    /// Reads the members from a text of the ledger.
    package init(text: String) {
        members = text.split(separator: Self.separator, omittingEmptySubsequences: false).map(String.init)
    }

    /// The text for the ledger; that of one member is the member.
    package var text: String { members.joined(separator: String(Self.separator)) }

    /// A short text for people: the first member and the number of others.
    package var shown: String {
        let first = members.first ?? "nothing"
        return members.count < 2 ? first : "\(first) and \(members.count - 1) more"
    }

    /// Whether all members of another set are in this one.
    package func isSuperset(of other: SourceSet) -> Bool {
        let own = TextSet(members)
        return other.members.allSatisfy(own.contains)
    }
}
