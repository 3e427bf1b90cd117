// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A picture that an entry of a feed names, in one rendition or several.
struct EntryPicture {
    /// The renditions; the best one first.
    var variants: [Variant]
    /// Where the picture's own words are, its title, its credit, its licence: the best rendition first, then its group.
    var sources: [XMLElement] = []
}

/// Finds an entry's pictures: Media RSS first, then enclosures, then thumbnails, then what its text shows.
struct EntryPictures {
    let entry: XMLElement
    /// Makes an address of the feed's whole; `nil` for what is none.
    let resolve: (String) -> String?

    func all() -> [EntryPicture] {
        for pictures in [media(), enclosures(), thumbnail(), shown()] where !pictures.isEmpty { return pictures }
        return []
    }

    /// Contents within a group are one picture's renditions; each outside is a picture of its own.
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

    private func thumbnail() -> [EntryPicture] {
        let groups = entry.all("group", in: Namespaces.media)
        let all = ([entry] + groups).flatMap { $0.all("thumbnail", in: Namespaces.media) }
        let best = all.max { Self.number($0, "width") < Self.number($1, "width") }
        return single(best?["url"]).map { [$0] } ?? []
    }

    /// The pictures in the entry's text, whether it is HTML in a text or XHTML in elements; one each.
    private func shown() -> [EntryPicture] {
        let texts =
            entry.all("encoded", in: Namespaces.content) + entry.all("description", in: Namespaces.rss)
            + entry.all("content", in: Namespaces.atom) + entry.all("summary", in: Namespaces.atom)
        var seen: Set<String> = []
        let addresses = texts.flatMap { text in
            HTMLImages.addresses(in: text.text) + text.subtree.filter { $0.name == "img" }.compactMap { $0["src"] }
        }
        return addresses.compactMap { single($0) }.filter { seen.insert($0.variants[0].url).inserted }
    }

    private func single(_ address: String?) -> EntryPicture? {
        guard let url = address.flatMap(resolve) else { return nil }
        return EntryPicture(variants: [Variant(name: SyndicationFeed.variant, url: url)])
    }

    /// Adds a rendition under a name of its own; the first is the one that is mirrored.
    private func add(_ element: XMLElement, _ address: String, named name: String, to variants: inout [Variant]) {
        guard let url = element[address].flatMap(resolve), !variants.contains(where: { $0.url == url }) else { return }
        let width = Self.number(element, "width")
        let height = Self.number(element, "height")
        var names = [variants.isEmpty ? SyndicationFeed.variant : name]
        if width > 0 { names.append("\(name)-\(width)") }
        let taken = Set(variants.map(\.name))
        let free = names.first { !taken.contains($0) } ?? "\(name)-\(variants.count + 1)"
        variants.append(
            Variant(name: free, url: url, width: width > 0 ? width : nil, height: height > 0 ? height : nil))
    }

    private static func number(_ element: XMLElement, _ attribute: String) -> Int {
        element[attribute].flatMap { Int($0) }.map { (0...1_000_000).contains($0) ? $0 : 0 } ?? 0
    }

    /// Whether an element names a picture: by its medium, else its type, else its address; where nothing tells, it may be.
    private static func isPicture(_ element: XMLElement, address: String) -> Bool {
        if let medium = element["medium"] { return medium.lowercased() == "image" }
        if let type = element["type"] { return type.lowercased().hasPrefix("image/") }
        let path = element[address]?.prefix { $0 != "?" && $0 != "#" }.lowercased() ?? ""
        let others = [".mp3", ".mp4", ".m4a", ".m4v", ".mov", ".ogg", ".webm", ".pdf", ".zip", ".html"]
        return !others.contains { path.hasSuffix($0) }
    }
}
