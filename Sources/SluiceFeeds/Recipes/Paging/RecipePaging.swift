// SPDX-License-Identifier: MIT

/// The paging of a service: how to get from one page of a listing to the next.
struct RecipePaging: Sendable {
    /// The paging method; the raw value is the value of `by` in a recipe.
    enum Method: String, Sendable, CaseIterable {
        /// Page numbers. The last page is short, or the reply gives the number of pages or photos.
        case page
        /// The number of the first photo. The reply gives the number of photos, or says at `path` that it is the last.
        case offset
        /// The `Link` header of the reply has the next page's address.
        case link
        /// The body of the reply has the next page's address.
        case url
        /// The reply has a token, which is the parameter of the next request.
        case cursor
        /// The reply has several parameters for the next request.
        case `continue`
        /// The reply lists the ids of all photos, each of which needs its own request.
        case ids
        /// The reply has the addresses of further listings, which are loaded one at a time.
        case tree
        /// There is only one page.
        case none
    }

    static let members = [
        "by", "parameter", "first", "size", "perPage", "most", "path", "total", "pages", "totalHeader", "detail",
    ]

    var method = Method.none
    /// The name of the parameter for the page number or the cursor.
    var parameter = ""
    /// The number of the first page, or the first offset.
    var firstPage = 1
    /// The name of the parameter for the page size.
    var sizeParameter: String?
    var perPage = 30
    /// The maximum page size that the service supports.
    var maxPerPage: Int?
    /// The path of the next page's address, cursor or parameters, or of the ids.
    var path: FieldPath?
    /// The path of the total number of photos.
    var total: FieldPath?
    /// The name of the header with the total number of photos.
    var totalHeader: String?
    /// The path of the number of pages.
    var pages: FieldPath?
    /// The address of one photo, by its id.
    var detail: FieldTemplate?

    /// A listing with a single page.
    static let single = RecipePaging()
    private init() {}

    init(_ node: RecipeNode) {
        node.checkMembers(Self.members)
        if node["by"] == nil { node.report("missing", at: "by") }
        method = node.choice("by", of: Method.self) ?? .none
        firstPage = node.integer("first", atLeast: 0) ?? (method == .offset ? 0 : 1)
        sizeParameter = node.text("size")
        perPage = node.integer("perPage") ?? 30
        maxPerPage = node.integer("most")
        totalHeader = node.text("totalHeader")
        path = Self.path("path", of: node)
        total = Self.path("total", of: node)
        pages = Self.path("pages", of: node)
        switch method {
        case .page, .offset: parameter = node.required("parameter")
        case .cursor:
            parameter = node.required("parameter")
            _ = node.required("path")
        case .url, .continue, .tree: _ = node.required("path")
        case .ids:
            _ = node.required("path")
            detail = FieldTemplate(node.required("detail"))
            if detail == nil { node.report(RecipeNode.invalidTemplate, at: "detail") }
        case .link, .none: break
        }
    }

    private static func path(_ name: String, of node: RecipeNode) -> FieldPath? {
        guard let text = node.text(name) else { return nil }
        let path = FieldPath(text)
        if path == nil { node.report(RecipeNode.invalidPath, at: name) }
        return path
    }

    /// Returns the page size to request, given the user's choice.
    func size(requested: Int?) -> Int { min(requested ?? perPage, maxPerPage ?? .max) }
}
