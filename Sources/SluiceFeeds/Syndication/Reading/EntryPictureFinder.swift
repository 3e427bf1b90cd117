// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// A picture of a feed entry, in one or more variants.
struct EntryPicture {
    var variants: [Variant]
    /// The elements with the picture's own metadata: the best variant first, then its group.
    var sources: [XMLElement] = []
}

/// Finds an entry's pictures: in Media RSS, or else in enclosures, thumbnails, its text and its episode's image, or in
/// elements that are addresses.
struct EntryPictureFinder {
    /// The maximum number of variants of a picture; the rest are ignored.
    private static let maxVariants = 100

    let entry: XMLElement
    /// Resolves an address against the feed's base; `nil` if it is invalid.
    let resolve: (String) -> String?

    /// Returns the pictures of the first kind that the entry has.
    func pictures() -> [EntryPicture] {
        for pictures in [media(), enclosures(), catalog(), thumbnail(), embedded(), addresses()] where !pictures.isEmpty
        {
            return pictures
        }
        return []
    }

    /// The `media:content` elements of a group are variants of one picture; each one outside a group is a picture.
    private func media() -> [EntryPicture] {
        let groups = entry.all("group", in: Namespaces.media).compactMap { group in
            picture(of: group.all("content", in: Namespaces.media), within: group)
        }
        let singles = entry.all("content", in: Namespaces.media).compactMap { content in
            picture(of: [content], within: content)
        }
        return groups + singles
    }

    private func picture(of contents: [XMLElement], within parent: XMLElement) -> EntryPicture? {
        let images = contents.filter { Self.isPicture($0, address: "url") }
        let area = { (element: XMLElement) in Self.number(element, "width") * Self.number(element, "height") }
        let best = images.first { $0["isDefault"] == "true" } ?? images.max { area($0) < area($1) }
        guard let best else { return nil }
        var variants: [Variant] = []
        for element in [best] + images.filter({ $0 !== best }) { add(element, "url", named: "image", to: &variants) }
        for element in parent.all("thumbnail", in: Namespaces.media) {
            add(element, "url", named: "thumbnail", to: &variants)
        }
        return variants.isEmpty ? nil : EntryPicture(variants: variants, sources: [best, parent])
    }

    private func enclosures() -> [EntryPicture] {
        let elements =
            entry.all("enclosure", in: Namespaces.rss).map { ($0, "url") }
            + entry.all("link", in: Namespaces.atom).filter { $0["rel"] == "enclosure" }.map { ($0, "href") }
            + entry.all("content", in: Namespaces.atom).filter { $0["src"] != nil }.map { ($0, "src") }
        return elements.compactMap { element, address in
            guard Self.isPicture(element, address: address) else { return nil }
            return single(element[address])
        }
    }

    /// The picture of an entry of an OPDS catalogue: its acquisition if that is a picture, or else its cover.
    private func catalog() -> [EntryPicture] {
        let links = entry.all("link", in: Namespaces.atom)
        let prefix = "http://opds-spec.org/"
        let files = links.filter { link in
            link["rel"]?.hasPrefix(prefix + "acquisition") == true && link["type"]?.hasPrefix("image/") == true
        }
        let covers = links.filter { $0["rel"] == prefix + "image" }
        let thumbnails = links.filter { $0["rel"] == prefix + "image/thumbnail" }
        var variants: [Variant] = []
        for (link, name) in files.map({ ($0, "image") }) + covers.map({ ($0, "cover") })
            + thumbnails.map({ ($0, "thumbnail") })
        {
            add(link, "href", named: name, to: &variants)
        }
        return variants.isEmpty ? [] : [EntryPicture(variants: variants, sources: [])]
    }

    /// The largest thumbnail, which may be that of a video.
    private func thumbnail() -> [EntryPicture] {
        let parents = [entry] + entry.all("group", in: Namespaces.media)
        let videos = parents.flatMap { $0.all("content", in: Namespaces.media) }
        let all = (parents + videos).flatMap { $0.all("thumbnail", in: Namespaces.media) }
        let best = all.max { Self.number($0, "width") < Self.number($1, "width") }
        return single(best?["url"]).map { [$0] } ?? []
    }

    /// The distinct pictures in the entry's text, in escaped HTML or XHTML elements, and the image of the episode.
    private func embedded() -> [EntryPicture] {
        let texts =
            entry.all("encoded", in: Namespaces.content) + entry.all("description", in: Namespaces.rss)
            + entry.all("content", in: Namespaces.atom) + entry.all("summary", in: Namespaces.atom)
            + entry.all("body") + entry.all("fullitem")
        var seen: TextSet = []
        let addresses = texts.flatMap { text in
            let found =
                HTMLImages.addresses(in: text.rawText) + text.subtree.filter(Self.isImage).compactMap { $0["src"] }
            // A text may have an `xml:base` of its own.
            guard let base = text["base"].flatMap(resolve).flatMap({ WebAddress($0) }) else { return found }
            return found.compactMap { WebAddress($0, relativeTo: base)?.text }
        }
        return (addresses + [episodeImage].compactMap(\.self)).compactMap { single($0) }
            .filter { seen.insert($0.variants[0].url) }
    }

    /// Whether an element of XHTML is a picture, and no tracking pixel.
    private static func isImage(_ element: XMLElement) -> Bool {
        element.name == "img" && element["width"] != "1" && element["height"] != "1"
    }

    /// The address of the image that a podcast states for an episode, or other feeds for an item.
    private var episodeImage: String? {
        let images = entry.all("image", in: Namespaces.podcasts) + entry.all("image", in: Namespaces.rss)
        let links = entry.all("link", in: Namespaces.podcasts).filter { $0["rel"] == "image" }
        return (images + links).lazy.compactMap { $0["href"] ?? $0["url"] ?? $0.text("url") ?? $0.text }.first
    }

    /// The pictures whose addresses are the whole text of an element, as in exports of shops and blogs.
    private func addresses() -> [EntryPicture] {
        var seen: TextSet = []
        return entry.children.compactMap(\.text)
            .filter { ListAddress.begins($0.utf8) && PictureName.isPicture($0) && seen.insert($0) }
            .compactMap { single($0) }
    }

    private func single(_ address: String?) -> EntryPicture? {
        guard let url = address.flatMap(resolve) else { return nil }
        return EntryPicture(variants: [Variant(name: SyndicationFeed.variant, url: url)])
    }

    /// Adds a variant with a unique name; the first one is the default variant.
    private func add(_ element: XMLElement, _ address: String, named name: String, to variants: inout [Variant]) {
        guard variants.count < Self.maxVariants, let url = element[address].flatMap(resolve),
            !variants.contains(where: { $0.url === url })
        else { return }
        let width = Self.number(element, "width")
        let height = Self.number(element, "height")
        var names = [variants.isEmpty ? SyndicationFeed.variant : name]
        if width > 0 { names.append("\(name)-\(width)") }
        let taken = TextSet(variants.map(\.name))
        let unique = names.first { !taken.contains($0) } ?? "\(name)-\(variants.count + 1)"
        variants.append(
            Variant(name: unique, url: url, width: width > 0 ? width : nil, height: height > 0 ? height : nil))
    }

    private static func number(_ element: XMLElement, _ attribute: String) -> Int {
        element[attribute].flatMap { Int($0) }.map { (0...1_000_000).contains($0) ? $0 : 0 } ?? 0
    }

    /// Whether an element refers to a picture, by its medium, its type, or the extension in its address.
    ///
    /// An element without any of these may be a picture.
    private static func isPicture(_ element: XMLElement, address: String) -> Bool {
        if let medium = element["medium"] { return medium.lowercased() == "image" }
        if let type = element["type"] { return type.lowercased().hasPrefix("image/") }
        let path = element[address]?.prefix { $0 != "?" && $0 != "#" }.lowercased() ?? ""
        let others = [".mp3", ".mp4", ".m4a", ".m4v", ".mov", ".ogg", ".webm", ".pdf", ".zip", ".html"]
        return !others.contains { path.hasSuffix($0) }
    }
}

/// Finds the images in HTML.
enum HTMLImages {
    /// Returns the unresolved addresses of the `img` elements, without tracking pixels.
    static func addresses(in html: String) -> [String] {
        var found: [String] = []
        var rest = html.utf8[...]
        while let start = rest.firstIndex(of: UInt8(ascii: "<")) {
            rest = rest[rest.index(after: start)...]
            let name = rest.prefix { $0.isLetter }
            guard String(Substring(name)).lowercased() == "img" else { continue }
            rest = rest.dropFirst(name.count)
            let attributes = attributes(&rest)
            let isPixel = attributes["width"] == "1" || attributes["height"] == "1"
            if let source = attributes["src"], !source.isEmpty, !isPixel { found.append(source) }
        }
        return found
    }

    /// Parses a tag's attributes up to its end, and decodes entities in their values.
    private static func attributes(_ rest: inout Substring.UTF8View) -> [String: String] {
        var attributes: [String: String] = [:]
        while true {
            rest = rest.drop { $0.isSpace || $0 == UInt8(ascii: "/") }
            guard let first = rest.first, first != UInt8(ascii: ">") else { return attributes }
            let name = rest.prefix { !$0.isSpace && !"=>/".utf8.contains($0) }
            // Skip a stray `=` without a name.
            rest = rest.dropFirst(max(1, name.count)).drop(while: \.isSpace)
            guard rest.first == UInt8(ascii: "=") else { continue }
            rest = rest.dropFirst().drop(while: \.isSpace)
            attributes[String(Substring(name)).lowercased()] = plainText(fromHTML: value(&rest))
        }
    }

    private static func value(_ rest: inout Substring.UTF8View) -> String {
        guard let quote = rest.first, quote == UInt8(ascii: "\"") || quote == UInt8(ascii: "'") else {
            let value = rest.prefix { !$0.isSpace && $0 != UInt8(ascii: ">") }
            rest = rest.dropFirst(value.count)
            return String(Substring(value))
        }
        let value = rest.dropFirst().prefix { $0 != quote }
        rest = rest.dropFirst(value.count + 2)
        // Browsers ignore line breaks in addresses.
        return String(decoding: value.filter { !(0x09...0x0D).contains($0) }, as: UTF8.self)
    }
}
