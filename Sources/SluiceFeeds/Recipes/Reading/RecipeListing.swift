// SPDX-License-Identifier: MIT

internal import SluiceModel

/// One listing of a service: where it is asked for, and how its pages are read.
struct RecipeListing: Sendable {
    static let members = ["path", "parameters", "order", "records", "paging", "deepest", "example"]

    let name: String
    /// The address below the service's own; `{argument}` stands for what the user names behind the slash.
    let path: String
    let parameters: [(name: String, value: String)]
    /// The parameter that asks for an order.
    let orderParameter: String?
    /// Where the records are in a reply; `nil` for the service's own place.
    let records: RecordsPath?
    let paging: RecipePaging?
    /// How many photos the service gives at most, whatever it counts.
    let deepest: Int?
    /// An argument that makes sense, for the list of listings.
    let example: String?

    init(_ name: String, _ node: RecipeNode) {
        self.name = name
        node.allow(Self.members)
        path = node.text("path") ?? ""
        parameters = node.texts("parameters")
        orderParameter = node.text("order")
        records = RecordsPath(node)
        paging = node["paging"].map { RecipePaging($0) }
        deepest = node.integer("deepest")
        example = node.text("example")
    }

    /// Whether the user must name something: a search's words, a collection.
    var needsArgument: Bool {
        path.contains("{argument") || parameters.contains { $0.value.contains("{argument") }
    }

    /// How a user names it: `search/cats`.
    var spelling: String { needsArgument ? "\(name)/\(example ?? "...")" : name }

    /// The first page's address below `base`, without what asks for the page.
    func address(below base: String, argument: String?, common: [(name: String, value: String)]) -> PageAddress {
        let fill = { (text: String, isEncoded: Bool) in
            let argument = argument ?? ""
            return text.replacing(
                "{argument:path}",
                with: argument.split(separator: "/").map { encoded(String($0)) }.joined(separator: "/")
            )
            .replacing("{argument}", with: isEncoded ? encoded(argument) : argument)
        }
        let all = common + parameters
        return PageAddress(base + fill(path, true), all.map { ($0.name, fill($0.value, false)) })
    }
}
