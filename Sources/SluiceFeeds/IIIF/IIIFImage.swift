// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A picture on a canvas, with the variants that its image service offers.
struct IIIFImage {
    /// The widths to request besides the sizes that a service lists.
    private static let widths = [2048, 1024, 512]

    private let resource: IIIFDocument

    /// Extracts the picture from an annotation's body; `nil` for video, audio or text.
    init?(body: IIIFDocument) {
        var body = body
        // Of a choice, viewers show the default or the first item. Of a region of a picture, use the whole picture.
        for _ in 0..<4 {
            let choices = body.type == "Choice" ? body.all("default") + body.all("items") + body.all("item") : []
            guard let inner = (choices + body.all("source") + body.all("full")).first else { break }
            body = inner
        }
        let isImage = body.type == "Image" || body.json["format"]?.text?.hasPrefix("image/") == true
        guard isImage || !Self.isOtherMedium(body) && Self.imageService(of: body) != nil else { return nil }
        resource = body
    }

    /// Reads the description that an image service gives of one picture (`info.json`); `nil` for another document.
    init?(information: IIIFDocument) {
        guard Self.isInformation(information.json) else { return nil }
        let sizes = ["width", "height"].compactMap { name in
            information.json[name].map { JSON.Member(name: name, value: $0) }
        }
        let service = JSON.Member(name: "service", value: information.json)
        resource = IIIFDocument(json: .object(sizes + [service]))
    }

    /// Whether a JSON document describes one picture of an image service.
    static func isInformation(_ json: JSON) -> Bool {
        json["protocol"]?.text == "http://iiif.io/api/image" || IIIFDocument(json: json).type == "ImageService3"
    }

    private static let otherTypes: Set = [
        "Sound", "Audio", "Video", "MovingImage", "Text", "TextualBody", "ContentAsText", "Dataset", "Model",
    ]

    /// Whether a body states that it is a medium other than a picture.
    static func isOtherMedium(_ body: IIIFDocument) -> Bool {
        let format = body.json["format"]?.text ?? ""
        return otherTypes.contains(body.type ?? "") || ["audio/", "video/", "text/"].contains { format.hasPrefix($0) }
    }

    /// Returns the service of a resource that delivers pictures; others grant access or search.
    private static func imageService(of resource: IIIFDocument) -> IIIFDocument? {
        resource.all("service").first { service in
            let profile = service.json["profile"]
            let texts = [service.type, (profile?.elements?.first ?? profile)?.text, service.json["@context"]?.text]
                .compactMap(\.self)
            let isOther = texts.contains { text in
                ["Auth", "Search"].contains { text.hasPrefix($0) } || text.contains("/auth/")
                    || text.contains("/search/")
            }
            return !isOther && service.id.map(isAddress) == true
        }
    }

    /// The picture's width in pixels, if stated; a canvas's width has other units.
    var width: Int? { size("width") }
    /// The picture's height in pixels, if stated.
    var height: Int? { size("height") }

    /// The variants, starting with the full picture.
    var variants: [Variant] {
        var variants: [Variant] = []
        let service = Self.imageService(of: resource)
        if let service, let base = service.id, level(of: service) != 0 {
            let original = Self.address(base, isVersion3(service) ? "max" : "full")
            variants.append(Variant(name: Variant.original, url: original, width: width, height: height))
        }
        if let id = resource.id, Self.isAddress(id) {
            variants.append(Variant(name: variants.isEmpty ? Variant.original : "resource", url: id))
        }
        if let service, let base = service.id { variants += sizes(of: service, at: base) }
        return variants
    }

    private func sizes(of service: IIIFDocument, at base: String) -> [Variant] {
        var names: TextSet = []
        let listed = service.all("sizes").compactMap { size -> Variant? in
            guard let width = size.json["width"]?.side, let height = size.json["height"]?.side,
                names.insert("w\(width)")
            else { return nil }
            // Version 3 requires both dimensions, version 2 only the width.
            let text = isVersion3(service) ? "\(width),\(height)" : "\(width),"
            return Variant(name: "w\(width)", url: Self.address(base, text), width: width, height: height)
        }
        let largest = listed.compactMap(\.width).max() ?? 0
        let scaled = scaledWidths(of: service).filter { $0 > largest }
        return listed
            + scaled.map { Variant(name: "w\($0)", url: Self.address(base, "\($0),"), width: $0) }
    }

    /// The widths below the picture's own to which the service scales it; none unless its profile promises that.
    private func scaledWidths(of service: IIIFDocument) -> [Int] {
        guard let width, level(of: service) ?? 0 >= 1 else { return [] }
        // Version 2 has limits in an object of the profile.
        let places = [service] + service.all("profile")
        func limit(_ name: String) -> Int? { places.lazy.compactMap { $0.json[name]?.integer }.first }
        let (maxWidth, maxArea) = (limit("maxWidth"), limit("maxArea"))
        // A limit of the width is also one of the height, unless the service states another.
        let maxHeight = limit("maxHeight") ?? maxWidth
        return Self.widths.filter { candidate in
            guard candidate < width, candidate <= maxWidth ?? .max else { return false }
            guard let height else { return maxHeight == nil && maxArea == nil }
            let scaledHeight = (candidate * height + width - 1) / width
            return scaledHeight <= maxHeight ?? .max && candidate * scaledHeight <= maxArea ?? .max
        }
    }

    private func isVersion3(_ service: IIIFDocument) -> Bool { service.type == "ImageService3" }

    /// The service's compliance level, if it states one; a service of level 0 only has prepared sizes.
    private func level(of service: IIIFDocument) -> Int? {
        let profile = service.json["profile"]
        let text = (profile?.elements?.first ?? profile)?.text
        return (0...2).first { text?.contains("level\($0)") == true }
    }

    private func size(_ name: String) -> Int? {
        resource.json[name]?.integer.flatMap { (1...10_000_000).contains($0) ? $0 : nil }
    }

    private static func address(_ base: String, _ size: String) -> String {
        "\(base.hasSuffix("/") ? String(base.dropLast()) : base)/full/\(size)/0/default.jpg"
    }

    private static func isAddress(_ text: String) -> Bool { ListAddress.problem(with: text.utf8) == nil }
}
