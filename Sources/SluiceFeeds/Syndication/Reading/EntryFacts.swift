// SPDX-License-Identifier: MIT

internal import SluiceModel

/// What an entry says of its pictures; what a picture says of itself, or its group, goes before what the entry says.
struct EntryFacts {
    let entry: XMLElement
    /// The feed's own element, for what it says of all entries.
    let feed: XMLElement
    let resolve: (String) -> String?

    /// The name that tells the entry from others; `nil` if it has none.
    var key: String? {
        entry.words("guid", in: Namespaces.rss) ?? entry.words("id", in: Namespaces.atom) ?? entry["about"] ?? link
    }

    /// Writes down what is said of a picture.
    func tell(of picture: EntryPicture, in photo: inout Photo) {
        let sources = picture.sources + [entry]
        let media = { (name: String) in sources.lazy.compactMap { $0.first(name, in: Namespaces.media) }.first }
        photo.caption = text(media("title")) ?? text(entry.first("title")) ?? text(media("description"))
        photo.author = text(media("credit")) ?? author
        photo.authorURL = entry.first("author", in: Namespaces.atom)?.words("uri").flatMap(resolve)
        photo.pageURL = link
        photo.license = text(media("license"))
        photo.licenseURL = (media("license")?["href"] ?? creativeCommons ?? media("copyright")?["url"]).flatMap(resolve)
        photo.attribution = text(media("copyright")) ?? rights
        photo.date = date
        photo.width = picture.variants.first?.width
        photo.height = picture.variants.first?.height
        // The best rendition's own: a group's hash would be anybody's.
        photo.variants[0].checksum = picture.sources.first?.first("hash", in: Namespaces.media).flatMap(checksum)
    }

    private var author: String? {
        text(entry.first("creator", in: Namespaces.dublinCore))
            ?? text(entry.first("author", in: Namespaces.atom)?.first("name"))
            ?? text(entry.first("author", in: Namespaces.rss)).map(Self.name)
            ?? text(feed.first("author", in: Namespaces.atom)?.first("name"))
    }

    /// RSS writes `ida@a.test (Ida)`, where the name is what readers want.
    private static func name(_ author: String) -> String {
        guard author.contains("@"), let open = author.firstIndex(of: "("), author.hasSuffix(")") else { return author }
        return String(author[author.index(after: open)...].dropLast())
    }

    /// The entry's page.
    private var link: String? {
        let links = entry.all("link", in: Namespaces.atom).filter { ($0["rel"] ?? "alternate") == "alternate" }
        return (entry.words("link", in: Namespaces.rss) ?? links.first?["href"]).flatMap(resolve)
    }

    private var creativeCommons: String? {
        let element = entry.first("license", in: Namespaces.creativeCommons)
        return element.flatMap { $0["resource"] ?? $0.words }
    }

    private var rights: String? {
        for element in [entry, feed] {
            let said =
                element.first("rights", in: Namespaces.atom) ?? element.first("rights", in: Namespaces.dublinCore)
            if let text = text(said) ?? text(element.first("copyright", in: Namespaces.rss)) { return text }
        }
        return nil
    }

    private var date: Int? {
        let words =
            entry.words("published", in: Namespaces.atom) ?? entry.words("pubDate", in: Namespaces.rss)
            ?? entry.words("date", in: Namespaces.dublinCore) ?? entry.words("updated", in: Namespaces.atom)
        return words.flatMap(PublishedDate.seconds)
    }

    private func checksum(_ hash: XMLElement) -> Checksum? {
        guard let digits = hash.words else { return nil }
        switch hash["algo"]?.lowercased() {
        case "sha-1", "sha1": return Checksum(.sha1, digits)
        case "md5", nil: return Checksum(.md5, digits)
        default: return nil
        }
    }

    /// An element's text as a reader sees it: many feeds put HTML where they may, and where they may not.
    private func text(_ element: XMLElement?) -> String? {
        let text = element?.words.map(plainText)
        return text?.isEmpty == true ? nil : text
    }
}
