// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// How one rendition of a photo is found: its address, and its size and its hash where those are known.
struct VariantRule: Sendable {
    /// The members that stand beside those of a rule.
    static let members = ["width", "height", "checksum"]

    private let address: FieldRule
    private let width: FieldRule?
    private let height: FieldRule?
    private let checksum: FieldRule?
    let name: String

    init(_ name: String, _ node: RecipeNode) {
        self.name = name
        address = FieldRule(node, beside: Self.members)
        width = Self.side("width", of: node)
        height = Self.side("height", of: node)
        checksum = node["checksum"].map { FieldRule($0) }
    }

    /// A side is a number, or a path to one.
    private static func side(_ name: String, of node: RecipeNode) -> FieldRule? {
        guard let side = node[name] else { return nil }
        guard case .number(let text) = side.json else { return FieldRule(side) }
        let constant = JSON.object([JSON.Member(name: "value", value: .string(text))])
        return FieldRule(RecipeNode(json: constant, path: side.path, notes: side.notes))
    }

    /// The rendition of the photo; `nil` where the record has none that can be fetched.
    ///
    /// A stated width is the most that the service makes of a photo; a smaller photo is not enlarged.
    func variant(of photo: Photo, in record: JSON, of reply: JSON, at base: WebAddress?) -> Variant? {
        guard let text = address.text(in: record, of: reply), text.utf8.count <= Photo.longestAddress,
            let url = WebAddress(text, relativeTo: base), ["http", "https"].contains(url.scheme), !url.host.isEmpty
        else { return nil }
        func side(_ rule: FieldRule?, _ whole: Int?) -> Int? {
            guard let stated = rule?.text(in: record, of: reply).flatMap({ Int($0) }), stated > 0 else { return nil }
            return min(stated, whole ?? stated)
        }
        var variant = Variant(name: name, url: url.text)
        (variant.width, variant.height) = (side(width, photo.width), side(height, photo.height))
        variant.checksum = checksum?.text(in: record, of: reply).flatMap { Checksum(digits: $0) }
        return variant
    }
}
