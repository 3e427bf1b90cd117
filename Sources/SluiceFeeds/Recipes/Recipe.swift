// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// What teaches Sluice a paged-JSON service: data, not code.
///
/// `Documentation/recipes.md` tells what each member means.
struct Recipe: Sendable {
    /// The members of a recipe.
    static let members = [
        "$schema", "recipe", "about", "base", "headers", "parameters", "key", "listings", "paging", "records", "only",
        "collections", "photo", "variants", "variant", "secure", "timeout", "errors", "manners", "rules", "terms",
    ]

    /// The feed's name.
    let name: String
    /// What it is, in a line.
    let about: String
    /// The address that every listing's path stands behind.
    let base: String
    /// Headers and parameters that every request carries.
    let headers: [(name: String, value: String)]
    let parameters: [(name: String, value: String)]
    let key: RecipeKey?
    /// The listings; the first is meant where none is named.
    let listings: [RecipeListing]
    private let paging: RecipePaging
    private let records: RecordsPath
    /// Whether a reply is an object of lists, each a collection under its own name.
    let hasCollections: Bool
    let photo: PhotoRules
    /// How long a reply may take.
    let timeout: Duration
    /// The variant that is mirrored unless the user names another.
    let defaultVariant: String
    let errors: RecipeErrors
    let manners: Manners
    /// What the service asks of its users, in a sentence, and where it says so.
    let rules: String?
    let terms: String?
    /// The recipe's own text.
    let text: [UInt8]

    /// Reads a recipe; throws all that is wrong with it, each with its place.
    ///
    /// With `address` it is for a service there, whatever it says itself.
    init(_ text: [UInt8], at address: String? = nil) throws(RecipeProblems) {
        let json: JSON
        do throws(JSONError) { json = try JSON(parsing: text) } catch {
            throw RecipeProblems(all: [
                RecipeProblem(line: error.line, column: error.column, member: "", problem: error.problem)
            ])
        }
        let notes = RecipeNode.Notes()
        let node = RecipeNode(json: json, path: [], notes: notes)
        node.allow(Self.members)
        self.text = text
        name = node.required("recipe")
        about = node.text("about") ?? ""
        base = address ?? node.required("base")
        if !base.isEmpty, !["http", "https"].contains(WebAddress(base)?.scheme) {
            node.note("takes an address that begins with https://", at: "base")
        }
        headers = node.texts("headers")
        parameters = node.texts("parameters")
        key = node["key"].map { RecipeKey($0) }
        listings = node["listings"]?.children.map { RecipeListing($0.name, $0.node) } ?? []
        if listings.isEmpty { node.note("is missing", at: "listings") }
        paging = node["paging"].map { RecipePaging($0) } ?? .single
        records = RecordsPath(node) ?? .whole
        hasCollections = node.flag("collections")
        photo = PhotoRules(node)
        timeout = node.seconds("timeout") ?? .seconds(60)
        defaultVariant = node.text("variant") ?? photo.variantNames.first ?? ""
        errors = node["errors"].map { RecipeErrors($0) } ?? RecipeErrors()
        rules = node.text("rules")
        terms = node.text("terms")
        manners = (node["manners"].map { RecipeManners($0) } ?? RecipeManners()).of(base, terms: terms)
        for part in defaultVariant.split(separator: "|") where !photo.variantNames.contains(String(part)) {
            node.note("takes variants' names, with bars between them; \(part) is none", at: "variant")
        }
        guard notes.problems.isEmpty else { throw RecipeProblems(notes.problems, in: text) }
    }

    /// The paging of a listing.
    func paging(of listing: RecipeListing) -> RecipePaging { listing.paging ?? paging }

    /// Where a listing's records are.
    func records(of listing: RecipeListing) -> RecordsPath { listing.records ?? records }
}
