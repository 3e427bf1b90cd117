// SPDX-License-Identifier: MIT

internal import SluiceModel

/// How a service leads from one page of a listing to the next.
struct RecipePaging: Sendable {
    /// The ways that there are.
    enum Way: String, Sendable, CaseIterable {
        /// Pages are counted; a short one, or what the reply says of pages and totals, is the last.
        case page
        /// The reply's `Link` header has the next page's address.
        case link
        /// The reply has the next page's address in it.
        case url
        /// The reply has a word in it that asks for the next page.
        case cursor
        /// The reply has parameters in it that ask for the next page, all together.
        case `continue`
        /// The reply has only the photos' ids, and each is asked for by itself.
        case ids
        /// The reply has addresses of further listings in it, which are walked one by one.
        case tree
        /// There is one page.
        case none
    }

    static let members = [
        "by", "parameter", "first", "size", "perPage", "most", "path", "total", "pages", "totalHeader", "detail",
    ]

    var way = Way.none
    /// The parameter that asks for a page.
    var parameter = ""
    /// The first page's number.
    var first = 1
    /// The parameter that says how many photos a page has.
    var sizeParameter: String?
    /// How many photos a page has unless the user asks for another number.
    var perPage = 30
    /// The most that the service gives.
    var most: Int?
    /// Where the reply has the way on: an address, a word, parameters, ids.
    var path: FieldPath?
    /// Where the reply says how many photos there are in all.
    var total: FieldPath?
    /// The header that says so.
    var totalHeader: String?
    /// Where the reply says how many pages there are.
    var pages: FieldPath?
    /// The address of one photo by its id.
    var detail: Template?

    /// One page, and nothing behind it.
    static let single = RecipePaging()
    private init() {}

    init(_ node: RecipeNode) {
        node.allow(Self.members)
        if node["by"] == nil { node.note("is missing", at: "by") }
        way = node.choice("by", of: Way.self) ?? .none
        first = node.integer("first", from: 0) ?? 1
        sizeParameter = node.text("size")
        perPage = node.integer("perPage") ?? 30
        most = node.integer("most")
        totalHeader = node.text("totalHeader")
        path = Self.path("path", of: node)
        total = Self.path("total", of: node)
        pages = Self.path("pages", of: node)
        switch way {
        case .page: parameter = node.required("parameter")
        case .cursor:
            parameter = node.required("parameter")
            _ = node.required("path")
        case .url, .continue, .tree: _ = node.required("path")
        case .ids:
            _ = node.required("path")
            detail = Template(node.required("detail"))
            if detail == nil { node.note("is no template: places are paths between braces", at: "detail") }
        case .link, .none: break
        }
    }

    private static func path(_ name: String, of node: RecipeNode) -> FieldPath? {
        guard let text = node.text(name) else { return nil }
        let path = FieldPath(text)
        if path == nil { node.note("is no path: names stand between dots, elements in brackets", at: name) }
        return path
    }

    /// How many photos to ask for on a page.
    func size(wanted: Int?) -> Int { min(wanted ?? perPage, most ?? .max) }
}
