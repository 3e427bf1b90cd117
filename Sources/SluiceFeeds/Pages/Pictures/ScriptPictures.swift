// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Finds the pictures in the data of a page's scripts, such as the state of an application.
struct ScriptPictures {
    private static let maxNodes = 200_000
    private static let maxPictures = 2_000
    /// Members whose addresses are renditions of the picture that has the member, or of one picture.
    private static let renditions: Set<String> = [
        "sizes", "renditions", "variants", "versions", "formats", "crops", "srcset", "resources", "candidates",
        "thumbnails", "cuts", "urls", "derivatives",
    ]
    /// Members whose value is one rendition of a picture.
    private static let sizes: Set<String> = [
        "url", "src", "thumb", "thumbnail", "small", "medium", "large", "xlarge", "full", "original", "original_url",
        "max", "square", "preview", "thumbnailurl", "raw", "regular", "contenturl", "image", "hd", "originalurl", "img",
        "big", "blur", "msrc", "href",
    ]
    /// Those whose value is a small rendition.
    private static let thumbnails: Set<String> = [
        "thumb", "thumbnail", "thumbnailurl", "small", "square", "preview", "blur", "msrc",
    ]
    /// The number of pictures from which on an array can be a gallery.
    private static let minGallery = 3

    private(set) var pictures: [PagePicture] = []
    private var nodes = 0

    /// Reads the text of a script.
    mutating func add(_ text: String) {
        for json in LenientJSON.values(inScript: text) { visit(json) }
    }

    /// Returns the addresses of pictures in a value that describes one picture.
    static func sources(of json: JSON) -> [PagePicture.Source] {
        var script = ScriptPictures()
        script.visit(json)
        // A list describes a gallery.
        return script.pictures.count == 1 ? script.pictures[0].sources : []
    }

    private mutating func visit(_ json: JSON) {
        nodes += 1
        guard nodes <= Self.maxNodes, pictures.count < Self.maxPictures else { return }
        switch json {
        case .string(let text): if let source = Self.source(text) { add([source], of: nil) }
        case .array(let elements):
            let first = pictures.count
            for element in elements { visit(element) }
            let isGallery =
                pictures.count - first == elements.count && elements.count >= Self.minGallery
                && elements.allSatisfy(Self.showsOnePicture) && pictures[first...].allSatisfy { $0.sources.count > 1 }
            if isGallery { for index in first..<pictures.count { pictures[index].isOfGallery = true } }
        case .object(let members): visit(members, of: json)
        default: break
        }
    }

    private mutating func visit(_ members: [JSON.Member], of json: JSON) {
        var (own, isOne): ([PagePicture.Source], Bool) = ([], true)
        for member in members {
            let name = member.name.lowercased()
            if var source = Self.source(of: member.value, isNamed: Self.sizes.contains(name)) {
                source.isThumbnail = Self.thumbnails.contains(name)
                own.append(source)
                isOne = isOne && Self.sizes.contains(name)
            } else if let sides = member.value.elements, sides.count == 2, let source = Self.source(member.name) {
                // `{"https://a.test/b.jpg": [640, 480]}`
                own.append(source)
                own[own.count - 1].width = sides[0].text.flatMap(PageRegion.pixels)
            } else if Self.renditions.contains(name) {
                own += renditions(in: member.value)
            } else {
                visit(member.value)
            }
        }
        if own.count == 1, own[0].width == nil { own[0].width = Self.width(json) }
        if isOne {
            // Beside a thumbnail, the other addresses are those of the large version.
            let hasThumbnail = own.contains(where: \.isThumbnail)
            for index in own.indices { own[index].isFull = hasThumbnail && !own[index].isThumbnail }
            add(own, of: json)
        } else {
            for source in own { add([source], of: json) }
        }
    }

    private mutating func renditions(in json: JSON) -> [PagePicture.Source] {
        nodes += 1
        guard nodes <= Self.maxNodes else { return [] }
        switch json {
        case .string(let text): return Self.source(text).map { [$0] } ?? []
        case .array(let elements): return elements.flatMap { renditions(in: $0) }
        case .object(let members):
            var sources: [PagePicture.Source] = []
            for member in members { sources += renditions(in: member.value) }
            if sources.count == 1 { sources[0].width = sources[0].width ?? Self.width(json) }
            return sources
        default: return []
        }
    }

    private mutating func add(_ sources: [PagePicture.Source], of json: JSON?) {
        guard !sources.isEmpty else { return }
        var picture = PagePicture(.script)
        picture.sources = Array(sources.prefix(SrcSet.maxCandidates))
        picture.caption = json?["caption"]?.text ?? json?["alt"]?.text ?? json?["title"]?.text
        pictures.append(picture)
    }

    private static func width(_ json: JSON) -> Int? {
        (json["width"] ?? json["w"])?.text.flatMap(PageRegion.pixels).flatMap { $0 > 0 ? $0 : nil }
    }

    /// Whether an element of an array describes a picture, and no page that it leads to.
    private static func showsOnePicture(_ json: JSON) -> Bool {
        guard case .object(let members) = json else { return false }
        return members.allSatisfy { member in
            guard let text = member.value.text, source(text, isNamed: true) == nil else { return true }
            return !["url", "href", "link", "permalink", "slug", "path"].contains(member.name.lowercased())
                && !text.hasPrefix("http") && !text.hasPrefix("/")
        }
    }

    /// Returns the address of a picture, also of one with its sides: `["lake.jpg", [640, 480]]`.
    private static func source(of json: JSON, isNamed: Bool) -> PagePicture.Source? {
        if let text = json.text { return source(text, isNamed: isNamed) }
        guard let pair = json.elements, pair.count == 2, let sides = pair[1].elements, sides.count == 2,
            let text = pair[0].text, var source = source(text, isNamed: isNamed)
        else { return nil }
        source.width = sides[0].text.flatMap(PageRegion.pixels)
        return source
    }

    /// Returns the address of a picture in a text; the member of a relative one names it as such.
    private static func source(_ text: String, isNamed: Bool = false) -> PagePicture.Source? {
        guard text.utf8.count < 2 << 10, isNamed || text.hasPrefix("http") || text.hasPrefix("/"),
            AddressAttribute.isAddress(text), PictureName.isPicture(text)
        else { return nil }
        return PagePicture.Source(address: text)
    }
}
