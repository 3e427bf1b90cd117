// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// The rules of a recipe that turn a record into a photo.
struct PhotoRules: Sendable {
    /// The photo fields that a recipe can define.
    static let members = ["id"] + PhotoField.all.filter(\.isStatedByRecipes).map(\.name)

    private var fields: [String: FieldRule] = [:]
    private var variants: [VariantRule] = []
    private var conditions = FieldConditions.none
    private let parts: PhotoParts?
    private let isSecure: Bool

    /// Reads a recipe's members `photo`, `variants`, `only`, `each` and `secure`.
    init(_ node: RecipeNode) {
        isSecure = node.flag("secure")
        parts = PhotoParts(node)
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
        if let only = node["only"] { conditions = FieldConditions(only) }
    }

    /// The names of the variants, in the recipe's order.
    var variantNames: [String] { variants.map(\.name) }

    /// Whether a record meets the recipe's `only` conditions; a listing may contain videos, for example.
    func accepts(_ record: JSON, of reply: JSON) -> Bool { conditions.accept(FieldContext(record, of: reply)) }

    /// The photos of a record, and the number of pictures in its HTML that are decoration.
    typealias RecordPhotos = (photos: [Photo], leftOut: [PictureEvidence.Reason: Int])

    /// Creates the photos of a record; empty if it has several photos, and their list is empty.
    ///
    /// A listing may have its own `parts`. If a photo has no usable id or address, it has an `invalidReason` that
    /// starts with `position`.
    func photos(
        from record: JSON, of reply: JSON, at base: WebAddress?, position: String, parts: PhotoParts? = nil,
        token: CancellationToken
    ) throws(Failure) -> RecordPhotos {
        var context = FieldContext(record, of: reply)
        guard let parts = parts ?? self.parts else {
            return ([photo(from: context, at: base, position: position)], [:])
        }
        var (photos, leftOut): RecordPhotos = ([], [:])
        var (ids, pictures): (TextSet, TextSet) = ([], [])
        for part in try parts.elements(in: context, at: base, leftOut: &leftOut, token: token) {
            context.element = part.value
            context.number = photos.count + 1
            var photo = photo(from: context, at: base, position: "\(position), photo \(context.number)")
            // A text may show a record's own picture again, often in another size.
            let address = photo.variants.first.map { PictureAddress($0.url).key }
            if let address, !pictures.insert(address), part.isInHTML { continue }
            // The rule may give all photos of the record the same id.
            if !ids.insert(photo.id) { photo.id += "#\(context.number)" }
            photos.append(photo)
        }
        return (photos, leftOut)
    }

    /// Creates the photo of a record whose links could not be followed; without an id of its own, it has `position`.
    func failed(_ failure: Failure, _ record: JSON, of reply: JSON, position: String) -> Photo {
        let id = fields["id"]?.text(in: FieldContext(record, of: reply)) ?? position
        var photo = Photo(id: id.truncated(to: Photo.maxIDLength))
        photo.invalidReason = failure
        return photo
    }

    private func photo(from context: FieldContext, at base: WebAddress?, position: String) -> Photo {
        guard let id = fields["id"]?.text(in: context) else { return .invalid(position, "has no id") }
        guard id.utf8.count <= Photo.maxIDLength else {
            return .invalid(position, "has an id of \(id.utf8.count) bytes (limit \(Photo.maxIDLength))")
        }
        var photo = Photo(id: id)
        for field in PhotoField.all {
            let text = fields[field.name]?.text(in: context, of: field.kind)?.truncated(to: Photo.maxTextLength)
            if let text { field.set(&photo, to: text) }
        }
        photo.normalizeLicense()
        photo.variants = variants.compactMap { rule in
            rule.variant(of: photo, in: context, at: base).map { isSecure ? $0.secured : $0 }
        }
        if photo.variants.isEmpty { photo.invalidReason = Failure(.feedParse, "\(position) has no image address") }
        return photo
    }
}

extension PhotoField {
    /// Sets the fact from a recipe's text; a text that does not fit the field's kind is ignored.
    fileprivate func set(_ photo: inout Photo, to text: String) {
        switch property {
        case .text(let path):
            photo[keyPath: path] =
                switch kind {
                case .color: Self.color(text)
                case .tags: TagList(text: text).text
                default: text
                }
        case .number(let path):
            photo[keyPath: path] = kind == .date ? PublishedDate.seconds(of: text) : Self.side(text)
        }
    }

    private static func color(_ text: String) -> String? {
        text.wholeMatch(of: /#[0-9A-Fa-f]{6}/) == nil ? nil : text.lowercased()
    }

    private static func side(_ text: String) -> Int? {
        JSON.number(text).integer.flatMap { $0 > 0 ? $0 : nil }
    }
}

extension Photo {
    /// The maximum length of a text in bytes; longer texts are truncated, because feeds are not trusted.
    static let maxTextLength = 16 << 10
    /// The maximum length of an id in bytes.
    package static let maxIDLength = 1 << 10
    /// The maximum length of an address in bytes.
    static let maxAddressLength = 8 << 10

    /// Creates the photo that stands for an invalid record; its id is the record's position.
    static func invalid(_ position: String, _ reason: String) -> Photo {
        Photo(invalid: position, because: "\(position) \(reason)")
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

/// The rule for one variant of a photo: its address, and optionally its size and hash.
struct VariantRule: Sendable {
    /// The members in addition to those of a field rule.
    static let members = ["width", "height", "checksum"]

    private let address: FieldRule
    private let width: FieldRule?
    private let height: FieldRule?
    private let checksum: FieldRule?
    let name: String

    init(_ name: String, _ node: RecipeNode) {
        self.name = name
        address = FieldRule(node, otherMembers: Self.members)
        width = Self.side("width", of: node)
        height = Self.side("height", of: node)
        checksum = node["checksum"].map { FieldRule($0) }
    }

    /// Reads a width or height: a number, or a rule for one.
    private static func side(_ name: String, of node: RecipeNode) -> FieldRule? {
        guard let side = node[name] else { return nil }
        guard case .number(let text) = side.json else { return FieldRule(side) }
        let constant = JSON.object([JSON.Member(name: "value", value: .string(text))])
        return FieldRule(RecipeNode(json: constant, path: side.path, problems: side.problems))
    }

    /// Creates the variant from a record; `nil` if it has no valid address.
    ///
    /// The service does not enlarge photos, so the variant is at most as large as the photo.
    func variant(of photo: Photo, in context: FieldContext, at base: WebAddress?) -> Variant? {
        guard let text = address.text(in: context), text.utf8.count <= Photo.maxAddressLength,
            let url = WebAddress(text, relativeTo: base), ["http", "https"].contains(url.scheme), !url.host.isEmpty
        else { return nil }
        func side(_ rule: FieldRule?, _ whole: Int?) -> Int? {
            guard let stated = rule?.text(in: context).flatMap({ Int($0)?.within(Quantity.sides) }) else { return nil }
            return min(stated, whole ?? stated)
        }
        var variant = Variant(name: name, url: url.text)
        (variant.width, variant.height) = (side(width, photo.width), side(height, photo.height))
        variant.checksum = checksum?.text(in: context).flatMap { Checksum(digits: $0) }
        return variant
    }
}
