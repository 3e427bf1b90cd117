// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The metadata of a feed entry; the metadata of a picture or its group takes precedence.
///
/// Everything that the pictures of an entry share is extracted once: an entry may have very many pictures.
struct EntryMetadata {
    /// The metadata of a feed that applies to all of its entries.
    struct Shared {
        fileprivate let author: String?
        fileprivate let rights: String?

        init(of feed: XMLElement) {
            author = EntryMetadata.text(feed.first("author", in: Namespaces.atom)?.first("name"))
            rights = EntryMetadata.rights(of: feed)
        }
    }

    /// A Media RSS element of the entry.
    private struct MediaElement {
        let element: XMLElement
        let text: String?

        init(_ element: XMLElement) {
            self.element = element
            text = EntryMetadata.text(element)
        }
    }

    private static let mediaNames = ["title", "description", "credit", "license", "copyright"]

    /// The entry's identifier; `nil` if it has none.
    let id: String?

    private let media: [String: MediaElement]
    private let title: String?
    private let author: String?
    private let authorURL: String?
    /// The address of the entry's page.
    private let link: String?
    private let licenseURL: String?
    private let rights: String?
    private let date: Int?
    private let resolve: (String) -> String?

    /// Extracts an entry's metadata; `resolve` resolves an address against its base, and returns `nil` if it is
    /// invalid.
    init(of entry: XMLElement, _ shared: Shared, resolve: @escaping (String) -> String?) {
        self.resolve = resolve
        let found = Self.mediaNames.compactMap { name in
            entry.first(name, in: Namespaces.media).map { (name, MediaElement($0)) }
        }
        media = [String: MediaElement](found) { first, _ in first }
        title = Self.text(entry.first("title"))
        author = Self.author(of: entry) ?? shared.author
        authorURL = entry.first("author", in: Namespaces.atom)?.text("uri").flatMap(resolve)
        let links = entry.all("link", in: Namespaces.atom).filter { ($0["rel"] ?? "alternate") == "alternate" }
        link = (entry.text("link", in: Namespaces.rss) ?? links.first?["href"]).flatMap(resolve)
        let license = entry.first("license", in: Namespaces.creativeCommons)
        licenseURL = license.flatMap { $0["resource"] ?? $0.text }
        rights = Self.rights(of: entry) ?? shared.rights
        let date =
            entry.text("published", in: Namespaces.atom) ?? entry.text("pubDate", in: Namespaces.rss)
            ?? entry.text("date", in: Namespaces.dublinCore) ?? entry.text("updated", in: Namespaces.atom)
        self.date = date.flatMap(PublishedDate.seconds)
        let id = entry.text("guid", in: Namespaces.rss) ?? entry.text("id", in: Namespaces.atom) ?? entry["about"]
        self.id = id.flatMap { $0.utf8.count <= Photo.maxIDLength ? $0 : nil } ?? link
    }

    /// Sets a photo's fields from its picture and the entry.
    func apply(_ picture: EntryPicture, to photo: inout Photo) {
        let media = { (name: String) -> MediaElement? in
            let own = picture.sources.lazy.compactMap { $0.first(name, in: Namespaces.media) }.first
            return own.map(MediaElement.init) ?? self.media[name]
        }
        photo.caption = media("title")?.text ?? title ?? media("description")?.text
        photo.author = media("credit")?.text ?? author
        photo.authorURL = authorURL
        photo.pageURL = link
        photo.license = media("license")?.text
        let licenseURL = media("license")?.element["href"] ?? licenseURL ?? media("copyright")?.element["url"]
        photo.licenseURL = licenseURL.flatMap(resolve)
        photo.normalizeLicense()
        photo.attribution = media("copyright")?.text ?? rights
        photo.date = date
        photo.width = picture.variants.first?.width
        photo.height = picture.variants.first?.height
        // Only the best variant's own hash counts; a group's hash could belong to any variant.
        photo.variants[0].checksum = picture.sources.first?.first("hash", in: Namespaces.media).flatMap(checksum)
    }

    private static func author(of entry: XMLElement) -> String? {
        text(entry.first("creator", in: Namespaces.dublinCore))
            ?? text(entry.first("author", in: Namespaces.atom)?.first("name"))
            ?? text(entry.first("author", in: Namespaces.rss)).map(name)
    }

    /// Extracts the name from an RSS author, such as `ida@a.test (Ida)`.
    private static func name(_ author: String) -> String {
        guard author.contains("@"), let open = author.firstIndex(of: "("), author.hasSuffix(")") else { return author }
        return String(author[author.index(after: open)...].dropLast())
    }

    private static func rights(of element: XMLElement) -> String? {
        let rights = element.first("rights", in: Namespaces.atom) ?? element.first("rights", in: Namespaces.dublinCore)
        return text(rights) ?? text(element.first("copyright", in: Namespaces.rss))
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
    ///
    /// It is truncated, because many photos may repeat it.
    private static func text(_ element: XMLElement?) -> String? {
        let text = element?.text.map { plainText(fromHTML: $0).truncated(to: Photo.maxTextLength) }
        return text?.isEmpty == true ? nil : text
    }
}
