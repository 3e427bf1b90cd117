// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Finds the pictures in a page's JSON-LD: `ImageObject`, `ImageGallery`, and the member `image` of other items.
struct StructuredData {
    private static let maxNodes = 20_000
    private static let maxDepth = 24
    /// The members whose pictures are not those of the page.
    private static let foreign: Set<String> = [
        "logo", "publisher", "author", "creator", "copyrightHolder", "provider", "brand", "isPartOf", "contributor",
        "thumbnail", "thumbnailUrl", "potentialAction", "sponsor", "sourceOrganization", "editor", "review",
    ]
    private static let imageMembers: Set<String> = [
        "image", "images", "photo", "photos", "primaryImageOfPage", "associatedMedia",
    ]
    private static let foreignTypes: Set<String> = ["Organization", "NewsMediaOrganization", "Person", "WebSite"]

    private(set) var pictures: [PagePicture] = []
    private var nodes = 0

    /// Reads a text of JSON-LD; a malformed one has no pictures.
    mutating func add(_ text: String) {
        guard let json = LenientJSON.value(text) else { return }
        visit(json, depth: 0)
    }

    private mutating func visit(_ json: JSON, depth: Int) {
        nodes += 1
        guard nodes <= Self.maxNodes, depth <= Self.maxDepth else { return }
        switch json {
        case .array(let elements): for element in elements { visit(element, depth: depth + 1) }
        case .object(let members):
            let types = Self.types(of: json)
            if types.contains("ImageObject") || types.contains("Photograph") && json["contentUrl"] != nil {
                addImage(json)
                return
            }
            let isForeign = types.contains { Self.foreignTypes.contains($0) }
            for member in members where !Self.foreign.contains(member.name) {
                if Self.imageMembers.contains(member.name) {
                    if !isForeign { addImages(member.value, depth: depth + 1) }
                } else {
                    visit(member.value, depth: depth + 1)
                }
            }
        default: break
        }
    }

    /// Adds the pictures in a member such as `image`: an address, an object, or a list of them.
    private mutating func addImages(_ json: JSON, depth: Int) {
        nodes += 1
        guard nodes <= Self.maxNodes, depth <= Self.maxDepth else { return }
        switch json {
        case .string(let address): add(PagePicture(.structured), at: address)
        case .array(let elements): for element in elements { addImages(element, depth: depth + 1) }
        case .object:
            let types = Self.types(of: json)
            if types.isEmpty || types.contains("ImageObject") { addImage(json) } else { visit(json, depth: depth + 1) }
        default: break
        }
    }

    private mutating func addImage(_ json: JSON) {
        guard let address = json["contentUrl"]?.text ?? Self.text(json["url"]) else { return }
        var picture = PagePicture(.structured)
        (picture.width, picture.height) = (Self.pixels(json["width"]), Self.pixels(json["height"]))
        picture.isExactSize = true
        picture.caption = json["caption"]?.text ?? json["name"]?.text ?? json["description"]?.text
        picture.author = Self.name(json["creator"]) ?? Self.name(json["author"])
        picture.license = Self.text(json["license"])
        picture.credit = json["creditText"]?.text ?? json["copyrightNotice"]?.text
        add(picture, at: address)
    }

    private mutating func add(_ picture: PagePicture, at address: String) {
        guard pictures.count < WebPage.maxEntries, !address.isEmpty else { return }
        var picture = picture
        picture.sources = [PagePicture.Source(address: address)]
        pictures.append(picture)
    }

    private static func types(of json: JSON) -> [String] {
        json["@type"].map { type in type.elements?.compactMap(\.text) ?? [type.text].compactMap(\.self) } ?? []
    }

    /// Returns an address, also one in a list or an object.
    private static func text(_ json: JSON?) -> String? {
        json?.text ?? json?.elements?.first?.text ?? json?["url"]?.text ?? json?["@id"]?.text
    }

    private static func name(_ json: JSON?) -> String? {
        json?.text ?? json?["name"]?.text ?? json?.elements?.first.flatMap { $0.text ?? $0["name"]?.text }
    }

    private static func pixels(_ json: JSON?) -> Int? {
        (json?.text ?? json?["value"]?.text).flatMap(PageRegion.pixels)
    }
}
