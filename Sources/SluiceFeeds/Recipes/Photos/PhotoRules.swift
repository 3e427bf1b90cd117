// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// The rules of a recipe that turn a record into a photo.
struct PhotoRules: Sendable {
    /// The photo fields that a recipe can define.
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
            photo.checkMembers(Self.members)
            for (name, child) in photo.children { fields[name] = fields[name] ?? FieldRule(child) }
            if photo["id"] == nil { photo.report("missing", at: "id") }
        } else {
            node.report("missing", at: "photo")
        }
        if let list = node["variants"], !list.children.isEmpty {
            variants = list.children.map { VariantRule($0.name, $0.node) }
        } else {
            node.report("missing", at: "variants")
        }
        for (name, value) in node.texts("only") {
            if let path = FieldPath(name) { conditions.append((path, value)) }
        }
    }

    /// The names of the variants, in the recipe's order.
    var variantNames: [String] { variants.map(\.name) }

    /// Whether a record meets the recipe's `only` conditions; a listing may contain videos, for example.
    func accepts(_ record: JSON) -> Bool {
        conditions.allSatisfy { condition in
            condition.value == "*"
                ? condition.path.value(in: record) != nil : condition.path.text(in: record) == condition.value
        }
    }

    /// Makes a photo from a record.
    ///
    /// If the record has no usable id or address, the photo has an `invalidReason` that starts with `position`.
    func photo(from record: JSON, of reply: JSON, at base: WebAddress?, position: String) -> Photo {
        guard let id = fields["id"]?.text(in: record, of: reply) else { return .invalid(position, "has no id") }
        guard id.utf8.count <= Photo.maxIDLength else {
            return .invalid(position, "has an id of \(id.utf8.count) bytes (limit \(Photo.maxIDLength))")
        }
        var photo = Photo(id: id)
        fill(&photo) { fields[$0]?.text(in: record, of: reply)?.truncated(to: Photo.maxTextLength) }
        photo.variants = variants.compactMap { rule in
            rule.variant(of: photo, in: record, of: reply, at: base).map { isSecure ? $0.secured : $0 }
        }
        if photo.variants.isEmpty { photo.invalidReason = Failure(.feedParse, "\(position) has no image address") }
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
    /// The maximum length of a text in bytes; longer texts are truncated, because feeds are not trusted.
    static let maxTextLength = 16 << 10
    /// The maximum length of an id in bytes.
    static let maxIDLength = 1 << 10
    /// The maximum length of an address in bytes.
    static let maxAddressLength = 8 << 10

    /// Makes the photo that stands for an invalid record; its id is the record's position.
    static func invalid(_ position: String, _ reason: String) -> Photo {
        var photo = Photo(id: position)
        photo.invalidReason = Failure(.feedParse, "\(position) \(reason)")
        return photo
    }
}

extension Variant {
    /// The same variant with an `https` address.
    fileprivate var secured: Variant {
        var variant = self
        if url.hasPrefix("http://") { variant.url = "https" + url.dropFirst(4) }
        return variant
    }
}
