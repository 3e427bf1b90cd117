// SPDX-License-Identifier: MIT

internal import SluiceModel

/// One listing of a service: its address, its paging and the path of its records.
struct RecipeListing: Sendable {
    static let members = [
        "path", "parameters", "order", "records", "only", "each", "follow", "paging", "deepest", "example",
    ]

    let name: String
    /// The path below the service's base address; `{argument}` is the user's argument, after the slash in the SOURCE.
    let path: String
    let parameters: [(name: String, value: String)]
    /// The name of the sort order parameter.
    let orderParameter: String?
    /// The path of the records in a reply; `nil` for the recipe's default.
    let records: RecordsPath?
    /// The conditions of the listing's records, in addition to those of the recipe.
    let conditions: FieldConditions
    /// The places of a record's photos; `nil` for the recipe's default.
    let parts: PhotoParts?
    /// The links of records that are followed; `nil` for the recipe's default.
    let links: RecordLinks?
    /// The paging; `nil` for the recipe's default.
    let paging: RecipePaging?
    /// The maximum number of photos that the service returns, even if its total is higher.
    let maxPhotos: Int?
    /// An example argument, shown in the list of listings.
    let example: String?

    init(_ name: String, _ node: RecipeNode) {
        self.name = name
        node.checkMembers(Self.members)
        path = node.text("path") ?? ""
        parameters = node.texts("parameters")
        orderParameter = node.text("order")
        records = RecordsPath(node)
        conditions = node["only"].map { FieldConditions($0) } ?? .none
        parts = PhotoParts(node)
        links = RecordLinks(node)
        paging = node["paging"].map { RecipePaging($0) }
        maxPhotos = node.integer("deepest")
        example = node.text("example")
    }

    /// Whether the listing requires an argument, such as a search text or the id of a collection.
    var needsArgument: Bool {
        path.contains("{argument") || parameters.contains { $0.value.contains("{argument") }
    }

    /// The listing as the user writes it, such as `search/cats`.
    var spelling: String { needsArgument ? "\(name)/\(example ?? "...")" : name }

    /// Returns the first page's address below `base`, without the paging parameters.
    func address(below base: String, argument: String?, common: [(name: String, value: String)]) -> PageAddress {
        let fill = { (text: String, isEncoded: Bool) in
            let argument = argument ?? ""
            return text.replacing(
                "{argument:path}",
                with: argument.split(separator: "/").map { String($0).percentEncoded() }.joined(separator: "/")
            )
            .replacing("{argument}", with: isEncoded ? argument.percentEncoded() : argument)
        }
        let all = common + parameters
        return PageAddress(base + fill(path, true), all.map { ($0.name, fill($0.value, false)) })
    }
}

/// The path of the records in a reply.
///
/// A trailing `?`, as in `results?`, makes the records optional: a reply without them is an empty page. The path `.`
/// means that the reply is itself the only record.
struct RecordsPath: Sendable {
    let path: FieldPath
    let isOptional: Bool
    let isSingle: Bool

    /// The reply is the list of records.
    static let whole = RecordsPath()
    private init() { (path, isOptional, isSingle) = (.whole, false, false) }

    /// Reads the member `records`; `nil` if it is missing.
    init?(_ node: RecipeNode) {
        guard let text = node.text("records") else { return nil }
        isSingle = text == "."
        isOptional = text.hasSuffix("?")
        guard let path = isSingle ? .whole : FieldPath(isOptional ? String(text.dropLast()) : text) else {
            node.report(RecipeNode.invalidPath, at: "records")
            return nil
        }
        self.path = path
    }
}
