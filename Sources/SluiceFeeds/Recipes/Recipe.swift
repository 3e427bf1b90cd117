// SPDX-License-Identifier: MIT

internal import SluiceModel

/// What teaches Sluice a paged-JSON service: data, not code.
struct Recipe: Sendable {
    /// The feed's name.
    var name: String
    /// The address of the listing, without parameters.
    var listing: String
    /// Parameters that every request carries.
    var parameters: [(name: String, value: String)]
    /// The name of the parameter that counts pages from 1.
    var pageParameter: String
    /// The name of the parameter that says how many photos a page has.
    var sizeParameter: String
    /// How many photos a page has unless the user asks for another number, and the most that the service gives.
    var pageSize: Int
    /// The name of the parameter that names an order.
    var orderParameter: String?
    /// The header that says how many photos there are in all.
    var totalHeader: String?
    /// The variants' names with the paths of their addresses, in order.
    var variants: [(name: String, path: FieldPath)]
    /// The variant that is mirrored unless the user names another.
    var defaultVariant: String
    /// Where each field of a photo is.
    var fields: [String: FieldPath]
    /// What is the same for each photo of the service: its licence, say.
    var constants: [String: String]

    /// Reads a recipe; a wrong one names the member that is wrong.
    init(_ json: JSON) throws(RecipeError) {
        name = try Self.text("name", in: json)
        listing = try Self.text("listing", in: json)
        parameters = Self.members("parameters", of: json).map { ($0.name, $0.value.text ?? "") }
        guard let paging = json["paging"] else { throw RecipeError(member: "paging") }
        pageParameter = try Self.text("page", in: paging)
        sizeParameter = try Self.text("size", in: paging)
        guard let size = paging["perPage"]?.integer, size > 0 else { throw RecipeError(member: "perPage") }
        pageSize = size
        orderParameter = json["order"]?.text
        totalHeader = paging["total"]?.text
        variants = Self.members("variants", of: json).map { ($0.name, FieldPath($0.value.text ?? "")) }
        defaultVariant = try Self.text("variant", in: json)
        fields = Dictionary(
            Self.members("fields", of: json).map { ($0.name, FieldPath($0.value.text ?? "")) },
            uniquingKeysWith: { first, _ in first })
        guard fields["id"] != nil else { throw RecipeError(member: "fields.id") }
        constants = Dictionary(
            Self.members("constants", of: json).compactMap { member in member.value.text.map { (member.name, $0) } },
            uniquingKeysWith: { first, _ in first })
    }

    private static func text(_ member: String, in json: JSON) throws(RecipeError) -> String {
        guard let text = json[member]?.text else { throw RecipeError(member: member) }
        return text
    }

    private static func members(_ name: String, of json: JSON) -> [JSON.Member] {
        if case .object(let members)? = json[name] { members } else { [] }
    }
}

/// A recipe lacks a member, or has it in another shape.
struct RecipeError: Error, Hashable {
    var member: String
}
