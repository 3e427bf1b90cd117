// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// A feed's document: RSS 0.9 to 2.0, or Atom, with what Media RSS and RFC 5005 add to them.
struct SyndicationPage {
    private let feed: XMLElement
    private let entries: [XMLElement]
    /// Where the document came from; `nil` for a file.
    private let address: WebAddress?

    /// Reads a document; throws where it is none of a feed.
    init(_ bytes: [UInt8], from address: WebAddress?) throws(Failure) {
        let root = try XMLDocument.root(of: bytes)
        switch root.name {
        case "feed":
            feed = root
            entries = root.all("entry")
        case "rss", "RDF":
            feed = root.first("channel") ?? root
            // The first version has its items beside the channel.
            entries = feed.all("item") + root.all("item")
        default: throw Failure(.feedParse, "line 1: neither RSS nor Atom, but <\(root.name.prefix(40))>")
        }
        self.address = address
    }

    /// The photos, in the document's order, and a note where entries have none.
    func page(_ number: Int) -> Page {
        var page = Page(number: number, photos: [])
        var bare = 0
        for entry in entries {
            let photos = photos(of: entry)
            page.photos += photos
            if photos.isEmpty { bare += 1 }
        }
        if bare > 0 { page.notes.append("page \(number): \(bare) of \(entries.count) entries have no picture") }
        return page
    }

    /// Where the feed goes on: its next page, else the archive before this one (RFC 5005).
    var next: String? {
        guard feed.first("complete", in: Namespaces.history) == nil else { return nil }
        let links = feed.all("link", in: Namespaces.atom)
        let link = links.first { $0["rel"] == "next" } ?? links.first { $0["rel"] == "prev-archive" }
        return link?["href"].flatMap { resolve($0, within: [feed]) }
    }

    private func photos(of entry: XMLElement) -> [Photo] {
        let resolve = { (text: String) -> String? in self.resolve(text, within: [feed, entry]) }
        let facts = EntryFacts(entry: entry, feed: feed, resolve: resolve)
        let pictures = EntryPictures(entry: entry, resolve: resolve).all()
        return pictures.enumerated().map { index, picture in
            let key = facts.key ?? picture.variants[0].url
            var photo = Photo(id: index == 0 ? key : "\(key)#\(index + 1)", variants: picture.variants)
            facts.tell(of: picture, in: &photo)
            return photo
        }
    }

    /// The whole address, by the document's and by each `xml:base` on the way; `nil` for what is none of the web.
    private func resolve(_ text: String, within elements: [XMLElement]) -> String? {
        var base = address
        for element in elements {
            if let own = element["base"] { base = WebAddress(own, relativeTo: base) ?? base }
        }
        guard let whole = WebAddress(text, relativeTo: base), ["http", "https"].contains(whole.scheme) else {
            return nil
        }
        return whole.text
    }
}
