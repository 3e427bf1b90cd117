// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Extracts the metadata of a feed entry; the metadata of a picture or its group takes precedence.
struct EntryMetadata {
    let entry: XMLElement
    /// The feed's element, for metadata that applies to all entries.
    let feed: XMLElement
    /// Resolves an address against the feed's base; `nil` if it is invalid.
    let resolve: (String) -> String?

    /// The entry's identifier; `nil` if it has none.
    var id: String? {
        entry.text("guid", in: Namespaces.rss) ?? entry.text("id", in: Namespaces.atom) ?? entry["about"] ?? link
    }

    /// Sets a photo's fields from its picture and the entry.
    func apply(_ picture: EntryPicture, to photo: inout Photo) {
        let sources = picture.sources + [entry]
        let media = { (name: String) in sources.lazy.compactMap { $0.first(name, in: Namespaces.media) }.first }
        photo.caption = text(media("title")) ?? text(entry.first("title")) ?? text(media("description"))
        photo.author = text(media("credit")) ?? author
        photo.authorURL = entry.first("author", in: Namespaces.atom)?.text("uri").flatMap(resolve)
        photo.pageURL = link
        photo.license = text(media("license"))
        photo.licenseURL = (media("license")?["href"] ?? creativeCommons ?? media("copyright")?["url"]).flatMap(resolve)
        photo.attribution = text(media("copyright")) ?? rights
        photo.date = date
        photo.width = picture.variants.first?.width
        photo.height = picture.variants.first?.height
        // Only the best variant's own hash counts; a group's hash could belong to any variant.
        photo.variants[0].checksum = picture.sources.first?.first("hash", in: Namespaces.media).flatMap(checksum)
    }

    private var author: String? {
        text(entry.first("creator", in: Namespaces.dublinCore))
            ?? text(entry.first("author", in: Namespaces.atom)?.first("name"))
            ?? text(entry.first("author", in: Namespaces.rss)).map(Self.name)
            ?? text(feed.first("author", in: Namespaces.atom)?.first("name"))
    }

    /// Extracts the name from an RSS author, such as `ida@a.test (Ida)`.
    private static func name(_ author: String) -> String {
        guard author.contains("@"), let open = author.firstIndex(of: "("), author.hasSuffix(")") else { return author }
        return String(author[author.index(after: open)...].dropLast())
    }

    /// The address of the entry's page.
    private var link: String? {
        let links = entry.all("link", in: Namespaces.atom).filter { ($0["rel"] ?? "alternate") == "alternate" }
        return (entry.text("link", in: Namespaces.rss) ?? links.first?["href"]).flatMap(resolve)
    }

    private var creativeCommons: String? {
        let element = entry.first("license", in: Namespaces.creativeCommons)
        return element.flatMap { $0["resource"] ?? $0.text }
    }

    private var rights: String? {
        for element in [entry, feed] {
            let rights =
                element.first("rights", in: Namespaces.atom) ?? element.first("rights", in: Namespaces.dublinCore)
            if let text = text(rights) ?? text(element.first("copyright", in: Namespaces.rss)) { return text }
        }
        return nil
    }

    private var date: Int? {
        let text =
            entry.text("published", in: Namespaces.atom) ?? entry.text("pubDate", in: Namespaces.rss)
            ?? entry.text("date", in: Namespaces.dublinCore) ?? entry.text("updated", in: Namespaces.atom)
        return text.flatMap(PublishedDate.seconds)
    }

    private func checksum(_ hash: XMLElement) -> Checksum? {
        guard let digits = hash.text else { return nil }
        switch hash["algo"]?.lowercased() {
        case "sha-1", "sha1": return Checksum(.sha1, digits)
        case "md5", nil: return Checksum(.md5, digits)
        default: return nil
        }
    }

    /// Returns an element's text without HTML, which many feeds use even where it is not allowed.
    private func text(_ element: XMLElement?) -> String? {
        let text = element?.text.map(plainText(fromHTML:))
        return text?.isEmpty == true ? nil : text
    }
}
