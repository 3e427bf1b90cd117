// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// A parsed feed document: RSS 0.9 to 2.0 or Atom, with Media RSS and paging links (RFC 5005).
struct SyndicationPage {
    private let feed: XMLElement
    private let entries: [XMLElement]
    /// The photos of a document that is no feed.
    private let others: [Photo]
    /// The syntax error of a document that could be read only in part; `nil` for a whole one.
    private let damage: String?
    /// The address that links are relative to; `nil` for a file without `xml:base`.
    private let base: WebAddress?

    /// Parses a document from an address, or from a file if it is `nil`; throws if it is not a feed.
    init(_ bytes: [UInt8], from address: WebAddress?, token: CancellationToken) throws(Failure) {
        let root: XMLElement
        do throws(Failure) {
            root = try XMLDocument.root(of: bytes, token: token)
        } catch {
            if error.cause == .feedParse, Self.isWebPage(bytes) { throw Self.webPage }
            guard XMLDocument.isHarmless(error), let part = try? XMLDocument.readablePart(of: bytes, token: token)
            else {
                try token.check()
                throw error
            }
            (feed, damage) = (part.subtree.first { $0.name == "channel" } ?? part, error.detail)
            // Where an end tag is missing, entries are inside other elements.
            entries = part.subtree.filter { $0.name == "item" || $0.name == "entry" }
            others = []
            base = Self.base(of: feed, within: address)
            guard !entries.isEmpty else { throw error }
            return
        }
        damage = nil
        var others: [Photo] = []
        switch root.name {
        case "feed":
            feed = root
            entries = root.all("entry")
        case "rss", "RDF":
            feed = root.first("channel") ?? root
            // RSS 0.9 and 1.0 have their items next to the channel element.
            entries = feed.all("item") + root.all("item")
        case "html": throw Self.webPage
        default:
            (feed, entries) = (root, [])
            others = try OtherXML.photos(in: root, from: address, token: token)
        }
        self.others = others
        let outer = root === feed ? address : Self.base(of: root, within: address)
        base = Self.base(of: feed, within: outer)
    }

    private static let webPage = Failure(
        .feedParse, "this is a web page, not a feed", hint: .chooseFeed)

    /// Whether a document that is not well-formed XML starts like HTML.
    private static func isWebPage(_ bytes: [UInt8]) -> Bool {
        let start = String(decoding: bytes.prefix(1024), as: UTF8.self).lowercased()
        return start.contains("<!doctype html") || start.contains("<html")
    }

    /// Returns the photos in document order, with a note about entries without a picture.
    func page(_ number: Int, token: CancellationToken) throws(Failure) -> Page {
        var page = Page(number: number, photos: others)
        var withoutPicture = 0
        let shared = EntryMetadata.Shared(of: feed)
        var known: TextMap<String> = [:]
        for entry in entries {
            let count = page.photos.count
            try addPhotos(of: entry, shared, known: &known, to: &page, token: token)
            if page.photos.count == count { withoutPicture += 1 }
        }
        if withoutPicture > 0 {
            page.notes.append("page \(number): \(withoutPicture) of \(entries.count) entries have no picture")
        }
        if let damage {
            page.notes.append("page \(number) is not well-formed, so entries may be missing (\(damage))")
        }
        return page
    }

    /// The address of the next page, or else of the previous archive (RFC 5005).
    var next: String? {
        guard feed.first("complete", in: Namespaces.history) == nil else { return nil }
        let links = feed.all("link", in: Namespaces.atom)
        let link = links.first { $0["rel"] == "next" } ?? links.first { $0["rel"] == "prev-archive" }
        return link?["href"].flatMap { Self.resolve($0, against: base) }
    }

    /// Adds the photos of an entry; `known` has the first address of the entries before, by their ids.
    private func addPhotos(
        of entry: XMLElement, _ shared: EntryMetadata.Shared, known: inout TextMap<String>, to page: inout Page,
        token: CancellationToken
    ) throws(Failure) {
        try token.check()
        let base = Self.base(of: entry, within: base)
        let resolve = { (text: String) -> String? in Self.resolve(text, against: base) }
        let pictures = EntryPictureFinder(entry: entry, resolve: resolve).pictures()
        guard !pictures.isEmpty else { return }
        let metadata = EntryMetadata(of: entry, shared, resolve: resolve)
        let first = pictures[0].variants[0].url
        var entryID = metadata.id
        // Some feeds give all entries the same id.
        if let id = entryID, let other = known[id], other !== first { entryID = nil }
        if let entryID { known[entryID] = first }
        for (index, picture) in pictures.enumerated() {
            try token.check()
            let id = entryID ?? picture.variants[0].url
            var photo = Photo(id: index == 0 ? id : "\(id)#\(index + 1)", variants: picture.variants)
            metadata.apply(picture, to: &photo)
            page.photos.append(photo)
        }
    }

    /// Returns the address in an element's `xml:base`, or else `outer`.
    private static func base(of element: XMLElement, within outer: WebAddress?) -> WebAddress? {
        // Every link is resolved against it, so a long one would be expensive.
        guard let own = element["base"], own.utf8.count <= Photo.maxAddressLength else { return outer }
        return WebAddress(own, relativeTo: outer) ?? outer
    }

    /// Resolves an address against a base; `nil` if it is not a web address.
    private static func resolve(_ text: String, against base: WebAddress?) -> String? {
        guard text.utf8.count <= Photo.maxAddressLength, let resolved = WebAddress(text, relativeTo: base),
            ["http", "https"].contains(resolved.scheme)
        else { return nil }
        return resolved.text
    }
}

/// XML that is neither a feed nor a page, such as a map (KML), a metalink or the listing of a store.
enum OtherXML {
    /// Returns the photos whose addresses the document has; throws the next step if it has none.
    static func photos(
        in root: XMLElement, from address: WebAddress?, token: CancellationToken
    ) throws(Failure) -> [Photo] {
        if let failure = failure(root, address) { throw failure }
        var seen: TextSet = []
        var photos: [Photo] = []
        for element in root.subtree {
            try token.check()
            let texts = [element.rawText] + element.attributes.sorted { $0.key < $1.key }.map(\.value)
            for url in texts.flatMap(TextFormat.photos) where PictureName.isPicture(url) && seen.insert(url) {
                photos.append(ListRecord.photo(at: url))
            }
        }
        guard photos.isEmpty else { return photos }
        throw Failure(.feedParse, "line 1: expected RSS or Atom, found <\(root.name.prefix(40))>")
    }

    /// Returns the failure of a known document, whose photos are elsewhere; `nil` for another.
    private static func failure(_ root: XMLElement, _ address: WebAddress?) -> Failure? {
        switch root.name {
        case "opml": return Failure(.feedParse, "this is a list of feeds (OPML), not a feed", hint: .listSources)
        case "plist":
            let strings = root.first("dict")?.children ?? []
            let key = strings.firstIndex { $0.name == "key" && $0.text == "URL" }
            return key.flatMap { strings.dropFirst($0 + 1).first?.text }.map(ForeignFile.shortcut)
        case "ListBucketResult":
            guard let bucket = root.text("Name"), let address else { return nil }
            // The bucket may be part of the host's name.
            let host =
                address.host.hasPrefix("\(bucket).") ? address.host.dropFirst(bucket.count + 1) : address.host[...]
            let port = [80, 443].contains(address.port) ? "" : ":\(address.port)"
            let endpoint = "\(address.scheme)://\(host)\(port)"
            return Failure(.feedParse, "this is the listing of a bucket", hint: .readBucket(bucket, endpoint: endpoint))
        default: return nil
        }
    }
}
