// SPDX-License-Identifier: MIT

internal import SluiceModel

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

/// An address with separate query parameters, so that they can be replaced.
struct PageAddress {
    private let base: String
    private var parameters: [(name: String, value: String)]

    init(_ base: String, _ parameters: [(name: String, value: String)]) {
        self.base = base
        self.parameters = []
        for parameter in parameters { self[parameter.name] = parameter.value }
    }

    /// The value of a parameter; setting it adds, replaces or removes the parameter.
    subscript(name: String) -> String? {
        get { parameters.last { $0.name == name }?.value }
        set {
            if let index = parameters.firstIndex(where: { $0.name == name }) {
                if let newValue { parameters[index].value = newValue } else { parameters.remove(at: index) }
            } else if let newValue {
                parameters.append((name, newValue))
            }
        }
    }

    /// The complete address.
    ///
    /// A parameter whose name is in braces, such as `{page}`, is a placeholder in the path.
    var text: String {
        var base = base
        for parameter in parameters where parameter.name.hasPrefix("{") {
            base = base.replacing(parameter.name, with: parameter.value.percentEncoded())
        }
        let parameters = parameters.filter { !$0.name.hasPrefix("{") }
        guard !parameters.isEmpty else { return base }
        let query = parameters.map { "\($0.name.percentEncoded())=\($0.value.percentEncoded())" }.joined(separator: "&")
        return base + (base.contains("?") ? "&" : "?") + query
    }

    /// Returns the encoded value of a query parameter in an address.
    static func value(of name: String, in address: String) -> String? {
        let query = address.drop { $0 != "?" }.dropFirst()
        let part = query.split(separator: "&").first { $0.hasPrefix("\(name.percentEncoded())=") }
        return part.map { String($0.dropFirst(name.percentEncoded().utf8.count + 1)) }
    }
}

/// A parsed `Link` header (RFC 8288): addresses by relation.
struct LinkHeader {
    private var targets: [String: String] = [:]

    /// Parses all `Link` fields of a reply and ignores malformed links.
    init(_ fields: [String]) {
        for field in fields {
            for link in Self.split(field, at: ",") { add(link) }
        }
    }

    /// Whether there are no links.
    var isEmpty: Bool { targets.isEmpty }

    /// The first address with that relation.
    subscript(relation: String) -> String? { targets[relation] }

    private mutating func add(_ link: Substring) {
        let parts = Self.split(link, at: ";")
        guard let target = parts.first?.trimmed, target.hasPrefix("<"), target.hasSuffix(">") else { return }
        let address = String(target.dropFirst().dropLast())
        for parameter in parts.dropFirst() {
            let pair = parameter.split(separator: "=", maxSplits: 1).map(\.trimmed)
            guard pair.count == 2, pair[0].lowercased() == "rel" else { continue }
            let relations = pair[1].drop { $0 == "\"" }.prefix { $0 != "\"" }
            for relation in relations.split(separator: " ") {
                let relation = relation.lowercased()
                targets[relation] = targets[relation] ?? address
            }
        }
    }

    /// Splits at separators outside quotes and `<...>`, because addresses may contain them.
    private static func split(_ text: some StringProtocol, at separator: Character) -> [Substring] {
        var parts: [Substring] = []
        var start = text.startIndex
        var (isQuoted, isAddress) = (false, false)
        for index in text.indices {
            switch text[index] {
            case "\"" where !isAddress: isQuoted.toggle()
            case "<" where !isQuoted: isAddress = true
            case ">" where !isQuoted: isAddress = false
            case separator where !isQuoted && !isAddress:
                parts.append(Substring(text[start..<index]))
                start = text.index(after: index)
            default: break
            }
        }
        parts.append(Substring(text[start...]))
        return parts
    }
}
