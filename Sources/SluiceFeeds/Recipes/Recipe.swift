// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// A description of a photo service that lists photos as pages of JSON.
///
/// `Documentation/recipes.md` describes the members.
struct Recipe: Sendable {
    /// The part of a base address that stands for the site that the user names, as in `mastodon:mastodon.social/tag/x`.
    static let sitePlaceholder = "{site}"

    /// The members of a recipe.
    static let members = [
        "$schema", "recipe", "about", "base", "discover", "headers", "parameters", "key", "listings", "paging",
        "records", "only", "each", "follow", "collections", "photo", "variants", "variant", "secure", "timeout",
        "errors", "politeness",
        "rules", "terms",
    ]

    let name: String
    /// A one-line description of the service.
    let about: String
    /// The base address of every listing.
    let base: String
    /// How to find the service if a site has it at another address.
    let discovery: SiteDiscovery?
    /// The headers of every request.
    let headers: [(name: String, value: String)]
    /// The query parameters of every request.
    let parameters: [(name: String, value: String)]
    let key: RecipeKey?
    /// The listings; the first is the default.
    let listings: [RecipeListing]
    private let paging: RecipePaging
    private let records: RecordsPath
    /// The links of records that are followed; `nil` for none.
    let links: RecordLinks?
    /// Whether a reply is an object of lists, each of which is a collection with its own name.
    let hasCollections: Bool
    let photo: PhotoRules
    /// The time limit of a request.
    let timeout: Duration
    /// The variant to download unless the user chooses another.
    let defaultVariant: String
    let errors: RecipeErrorRules
    let politeness: Politeness
    /// A summary of the service's terms.
    let rules: String?
    /// The address of the service's terms.
    let terms: String?
    let text: [UInt8]

    /// Parses a recipe; the error has all its problems with their positions.
    ///
    /// If `address` is set, it replaces the recipe's base address. Only a built-in recipe may read any variable.
    init(_ text: [UInt8], at address: String? = nil, isBuiltIn: Bool = false) throws(InvalidRecipe) {
        let json: JSON
        do throws(InvalidText) { json = try JSON(parsing: text) } catch {
            throw InvalidRecipe(diagnostics: [
                RecipeDiagnostic(
                    line: error.line ?? 1, column: error.column ?? 1, member: "", problem: error.problem)
            ])
        }
        let problems = RecipeNode.Problems()
        let node = RecipeNode(json: json, path: [], problems: problems)
        node.checkMembers(Self.members)
        self.text = text
        name = node.required("recipe")
        about = node.text("about") ?? ""
        base = address ?? node.required("base")
        let example = base.replacing(Self.sitePlaceholder, with: "site.test")
        if !base.isEmpty, !["http", "https"].contains(WebAddress(example)?.scheme) {
            node.report("expected an http:// or https:// address", at: "base")
        }
        discovery = node["discover"].map { SiteDiscovery($0) }
        headers = node.texts("headers")
        parameters = node.texts("parameters")
        key = node["key"].map { RecipeKey($0) }
        if key != nil, discovery != nil { node.report("a page cannot name the host that gets a key", at: "discover") }
        if !isBuiltIn, let keyNode = node["key"] {
            key?.checkVariables(KeyVariable(recipe: name, base: base), in: keyNode)
        }
        listings = node["listings"]?.children.map { RecipeListing($0.name, $0.node) } ?? []
        if listings.isEmpty { node.report("missing", at: "listings") }
        paging = node["paging"].map { RecipePaging($0) } ?? .single
        records = RecordsPath(node) ?? .whole
        links = RecordLinks(node)
        hasCollections = node.flag("collections")
        photo = PhotoRules(node)
        timeout = node.seconds("timeout") ?? .seconds(60)
        defaultVariant = node.text("variant") ?? photo.variantNames.first ?? ""
        errors = node["errors"].map { RecipeErrorRules($0) } ?? RecipeErrorRules()
        rules = node.text("rules")
        terms = node.text("terms")
        politeness =
            (node["politeness"].map { RecipePoliteness($0) } ?? RecipePoliteness()).resolved(base: base, terms: terms)
        for name in defaultVariant.split(separator: "|") where !photo.variantNames.contains(String(name)) {
            node.report("unknown variant '\(name)'; separate alternatives with '|'", at: "variant")
        }
        guard problems.all.isEmpty else { throw InvalidRecipe(problems.all, in: text) }
    }

    /// Whether the user names the site, because many sites have the service.
    var needsSite: Bool { base.contains(Self.sitePlaceholder) }

    /// The beginning of a SOURCE, such as `unsplash:` or `mastodon:SITE/`.
    var prefix: String { needsSite ? "\(name):SITE/" : "\(name):" }

    /// Returns the paging of a listing.
    func paging(of listing: RecipeListing) -> RecipePaging { listing.paging ?? paging }

    /// Returns the path of a listing's records.
    func records(of listing: RecipeListing) -> RecordsPath { listing.records ?? records }
}
