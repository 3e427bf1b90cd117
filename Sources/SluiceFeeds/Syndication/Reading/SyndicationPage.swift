// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// A parsed feed document: RSS 0.9 to 2.0 or Atom, with Media RSS and paging links (RFC 5005).
struct SyndicationPage {
    private let feed: XMLElement
    private let entries: [XMLElement]
    /// The document's address; `nil` for a file.
    private let address: WebAddress?

    /// Parses a document; throws if it is not a feed.
    init(_ bytes: [UInt8], from address: WebAddress?) throws(Failure) {
        let root = try XMLDocument.root(of: bytes)
        switch root.name {
        case "feed":
            feed = root
            entries = root.all("entry")
        case "rss", "RDF":
            feed = root.first("channel") ?? root
            // RSS 0.9 and 1.0 have their items next to the channel element.
            entries = feed.all("item") + root.all("item")
        default: throw Failure(.feedParse, "line 1: expected RSS or Atom, found <\(root.name.prefix(40))>")
        }
        self.address = address
    }

    /// Returns the photos in document order, with a note about entries without a picture.
    func page(_ number: Int) -> Page {
        var page = Page(number: number, photos: [])
        var withoutPicture = 0
        for entry in entries {
            let photos = photos(of: entry)
            page.photos += photos
            if photos.isEmpty { withoutPicture += 1 }
        }
        if withoutPicture > 0 {
            page.notes.append("page \(number): \(withoutPicture) of \(entries.count) entries have no picture")
        }
        return page
    }

    /// The address of the next page, or else of the previous archive (RFC 5005).
    var next: String? {
        guard feed.first("complete", in: Namespaces.history) == nil else { return nil }
        let links = feed.all("link", in: Namespaces.atom)
        let link = links.first { $0["rel"] == "next" } ?? links.first { $0["rel"] == "prev-archive" }
        return link?["href"].flatMap { resolve($0, within: [feed]) }
    }

    private func photos(of entry: XMLElement) -> [Photo] {
        let resolve = { (text: String) -> String? in self.resolve(text, within: [feed, entry]) }
        let metadata = EntryMetadata(entry: entry, feed: feed, resolve: resolve)
        let pictures = EntryPictureFinder(entry: entry, resolve: resolve).pictures()
        return pictures.enumerated().map { index, picture in
            let id = metadata.id ?? picture.variants[0].url
            var photo = Photo(id: index == 0 ? id : "\(id)#\(index + 1)", variants: picture.variants)
            metadata.apply(picture, to: &photo)
            return photo
        }
    }

    /// Resolves an address against the document's address and each `xml:base`; `nil` if it is not a web address.
    private func resolve(_ text: String, within elements: [XMLElement]) -> String? {
        var base = address
        for element in elements {
            if let own = element["base"] { base = WebAddress(own, relativeTo: base) ?? base }
        }
        guard let resolved = WebAddress(text, relativeTo: base), ["http", "https"].contains(resolved.scheme) else {
            return nil
        }
        return resolved.text
    }
}

/// The XML namespaces that feeds use, including common misspellings.
enum Namespaces {
    static let media: Set<String> = [
        "http://search.yahoo.com/mrss/", "http://search.yahoo.com/mrss", "https://search.yahoo.com/mrss/",
    ]
    static let atom: Set<String> = ["http://www.w3.org/2005/Atom", "http://purl.org/atom/ns#"]
    static let dublinCore: Set<String> = ["http://purl.org/dc/elements/1.1/", "http://purl.org/dc/terms/"]
    static let content: Set<String> = ["http://purl.org/rss/1.0/modules/content/"]
    static let history: Set<String> = ["http://purl.org/syndication/history/1.0"]
    static let creativeCommons: Set<String> = [
        "http://backend.userland.com/creativeCommonsRssModule", "http://web.resource.org/cc/",
        "http://creativecommons.org/ns#",
    ]
    /// RSS 2.0 has no namespace; RSS 0.9 and 1.0 have one.
    static let rss: Set<String> = ["", "http://purl.org/rss/1.0/", "http://my.netscape.com/rdf/simple/0.9/"]
}
