// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

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
