// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// How a record becomes a photo.
struct PhotoRules: Sendable {
    /// The facts of a photo that a recipe can find.
    static let members = [
        "id", "width", "height", "caption", "author", "author_url", "page_url", "license", "license_url", "attribution",
        "collection", "color", "placeholder", "ping", "date", "camera",
    ]

    private var fields: [String: FieldRule] = [:]
    private var variants: [VariantRule] = []
    private var conditions: [(path: FieldPath, value: String)] = []
    private let isSecure: Bool

    /// Reads a recipe's members `photo`, `variants`, `only` and `secure`.
    init(_ node: RecipeNode) {
        isSecure = node.flag("secure")
        if let photo = node["photo"] {
            photo.allow(Self.members)
            for (name, child) in photo.children { fields[name] = fields[name] ?? FieldRule(child) }
            if photo["id"] == nil { photo.note("is missing", at: "id") }
        } else {
            node.note("is missing", at: "photo")
        }
        if let list = node["variants"], !list.children.isEmpty {
            variants = list.children.map { VariantRule($0.name, $0.node) }
        } else {
            node.note("is missing", at: "variants")
        }
        for (name, value) in node.texts("only") {
            if let path = FieldPath(name) { conditions.append((path, value)) }
        }
    }

    /// The names of the variants, in their order.
    var variantNames: [String] { variants.map(\.name) }

    /// Whether a record is wanted at all: a listing of photos may have videos in it.
    func wants(_ record: JSON) -> Bool {
        conditions.allSatisfy { condition in
            condition.value == "*"
                ? condition.path.value(in: record) != nil : condition.path.text(in: record) == condition.value
        }
    }

    /// What a record says of a photo; one that cannot be fetched has a flaw, which names its place.
    func photo(from record: JSON, of reply: JSON, at base: WebAddress?, place: String) -> Photo {
        guard let id = fields["id"]?.text(in: record, of: reply) else { return .flawed(place, "has no id") }
        guard id.utf8.count <= Photo.longestID else { return .flawed(place, "has an id of \(id.utf8.count) bytes") }
        var photo = Photo(id: id)
        fill(&photo) { fields[$0]?.text(in: record, of: reply)?.cut(to: Photo.longestText) }
        photo.variants = variants.compactMap { rule in
            rule.variant(of: photo, in: record, of: reply, at: base).map { isSecure ? $0.secured : $0 }
        }
        if photo.variants.isEmpty { photo.flaw = Failure(.feedParse, "\(place) has no address of a picture") }
        return photo
    }

    private func fill(_ photo: inout Photo, with fact: (String) -> String?) {
        func side(_ name: String) -> Int? {
            fact(name).flatMap { JSON.number($0).integer }.flatMap { $0 > 0 ? $0 : nil }
        }
        photo.width = side("width")
        photo.height = side("height")
        photo.caption = fact("caption")
        photo.author = fact("author")
        photo.authorURL = fact("author_url")
        photo.pageURL = fact("page_url")
        photo.license = fact("license")
        photo.licenseURL = fact("license_url")
        photo.attribution = fact("attribution")
        photo.collection = fact("collection")
        photo.color = fact("color").flatMap { $0.wholeMatch(of: /#[0-9A-Fa-f]{6}/) == nil ? nil : $0.lowercased() }
        photo.placeholder = fact("placeholder")
        photo.ping = fact("ping")
        photo.date = fact("date").flatMap(PublishedDate.seconds)
        photo.camera = fact("camera")
    }
}

extension Photo {
    /// What a stranger says of a photo is cut where it is longer than anything that is meant to be read.
    static let longestText = 16 << 10
    static let longestID = 1 << 10
    static let longestAddress = 8 << 10

    /// A record that is no photo, named by its place.
    static func flawed(_ place: String, _ reason: String) -> Photo {
        var photo = Photo(id: place)
        photo.flaw = Failure(.feedParse, "\(place) \(reason)")
        return photo
    }
}

extension Variant {
    /// The same with `https`.
    fileprivate var secured: Variant {
        var variant = self
        if url.hasPrefix("http://") { variant.url = "https" + url.dropFirst(4) }
        return variant
    }
}

extension String {
    /// Its beginning of so many bytes at most, in whole characters.
    func cut(to bytes: Int) -> String {
        guard utf8.count > bytes else { return self }
        var end = utf8.index(startIndex, offsetBy: bytes)
        while UTF8.isContinuation(utf8[end]) { end = utf8.index(before: end) }
        return String(self[..<end]) + "…"
    }
}
