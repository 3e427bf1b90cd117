// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// `unsplash`, `unsplash:search/lakes`, `museum.json`, `museum.json:topic/nature`: a service described by a recipe.
struct RecipeSource: SingleFeedKind {
    static var names: [String] { BuiltInRecipes.names }

    let recipe: Recipe
    /// The recipe's file; `nil` for a built-in recipe.
    private let path: String?
    private let listing: RecipeListing
    private let argument: String?
    /// The page that the user named, or the site's first page; `nil` unless the recipe is for many sites.
    private var page: WebAddress?

    init?(_ text: String) throws(SourceError) {
        guard let (found, path, rest) = try Self.recipe(in: text) else { return nil }
        let site = try Self.atSite(found, rest, isBuiltIn: path == nil)
        try self.init(site.recipe, site.listing, path: path)
        page = site.page
    }

    /// Selects a listing for a saved reply; a site or an argument that is missing is replaced by an example.
    init(forPreview text: String) throws(SourceError) {
        guard let (found, path, rest) = try Self.recipe(in: text) else {
            throw SourceError("cannot read recipe '\(text)': no such file or service")
        }
        let place = found.needsSite && rest.isEmpty ? "photos.example" : rest
        let (recipe, chosen, _) = try Self.atSite(found, place, isBuiltIn: path == nil)
        let name = String(chosen.prefix { $0 != "/" })
        let listing = recipe.listings.first { name.isEmpty || $0.name == name }
        let isComplete = listing?.needsArgument != true || chosen.contains("/")
        try self.init(recipe, isComplete ? chosen : "\(listing?.name ?? "")/x", path: path)
    }

    /// Selects one of a recipe's listings; `rest` is the text after the colon.
    init(_ recipe: Recipe, _ rest: String, path: String? = nil) throws(SourceError) {
        (self.recipe, self.path) = (recipe, path)
        let parts = rest.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let name = parts.first ?? ""
        let known = recipe.listings.map(\.name)
        guard let listing = name.isEmpty ? recipe.listings.first : recipe.listings.first(where: { $0.name == name })
        else {
            let suggestion = didYouMean(closestMatch(to: name, in: known))
            let list = "; its listings are \(known.joined(separator: ", "))"
            throw SourceError("\(recipe.name) has no listing '\(name)'\(suggestion.isEmpty ? list : suggestion)")
        }
        argument = parts.count == 2 && !parts[1].isEmpty ? parts[1] : nil
        self.listing = listing
        if listing.needsArgument, argument == nil {
            throw SourceError(
                "\(recipe.name):\(listing.name) needs an argument, for example \(recipe.prefix)\(listing.spelling)")
        }
        if !listing.needsArgument, let argument {
            throw SourceError("\(recipe.name):\(listing.name) takes no argument, but got '\(argument)'")
        }
    }

    /// Returns the recipe that the argument names, its file, and the text after the colon; `nil` if it names none.
    private static func recipe(in text: String) throws(SourceError) -> (Recipe, path: String?, rest: String)? {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        if let known = BuiltInRecipes.named(parts[0]) { return (known, nil, parts.count == 2 ? parts[1] : "") }
        guard !text.contains("://"), let path = parts.first, path.hasSuffix(".json") else { return nil }
        guard let bytes = try RecipeFile.read(path), RecipeFile.isRecipe(bytes) else { return nil }
        try RecipeFile.refuseInMirror(path)
        return (try RecipeFile.recipe(bytes, path: path), path, parts.count == 2 ? parts[1] : "")
    }

    /// Returns the recipe for the site at the beginning of `rest`, and the text after it, or the listing of the page.
    private static func atSite(
        _ recipe: Recipe, _ rest: String, isBuiltIn: Bool
    ) throws(SourceError) -> (recipe: Recipe, listing: String, page: WebAddress?) {
        guard recipe.needsSite else { return (recipe, rest, nil) }
        let scheme = ["http://", "https://"].first { rest.hasPrefix($0) }
        let parts = rest.dropFirst(scheme?.count ?? 0).split(
            separator: "/", maxSplits: 1, omittingEmptySubsequences: false)
        let site = (scheme ?? "https://") + (parts.first ?? "")
        guard let address = WebAddress(site), address.host.contains(where: { $0 == "." || $0 == ":" }) else {
            let example = recipe.listings.first.map(\.spelling) ?? ""
            throw SourceError("\(recipe.name) needs a site, for example \(recipe.name):photos.example/\(example)")
        }
        let base = recipe.base.replacing("https://\(Recipe.sitePlaceholder)", with: site)
        guard let located = try? Recipe(recipe.text, at: base, isBuiltIn: isBuiltIn) else {
            throw SourceError("the recipe \(recipe.name) cannot be used for the site '\(site)'")
        }
        let place = parts.count == 2 ? String(parts[1]) : ""
        let isListing = recipe.listings.contains { $0.name == place.prefix { $0 != "/" } }
        if !isListing, !place.isEmpty, let shown = recipe.discovery?.listing(ofPageAt: "\(site)/\(place)") {
            return (located, "\(shown.name)/\(shown.argument)", WebAddress("\(site)/\(place)"))
        }
        return (located, place, WebAddress("\(site)/"))
    }

    var trustedAddresses: [String] { [recipe.base] }
    var politeness: Politeness { recipe.politeness }
    /// The ids of one service are the same in all of its listings.
    var idScope: String { "\(recipe.name) \(recipe.base)" }
    var fingerprint: String { String(SHA256.digest(of: recipe.text).prefix(16)) }
    var type: SourceType {
        recipe.name == BuiltInRecipes.demo.name && recipe.base == BuiltInRecipes.demo.base ? .demo : .service
    }

    var keyNote: String? {
        guard let path, let key = recipe.key, let base = WebAddress(recipe.base) else { return nil }
        guard (try? key.access(to: recipe)) ?? nil != nil else { return nil }
        let variables = key.variables.joined(separator: " and ")
        return "the recipe '\(path)' sends the key in \(variables) to \(base.scheme)://\(base.host)"
    }

    func feed(through transfers: Transfers, options: FeedOptions) throws(SourceError) -> any Feed {
        let usual = feed(through: transfers, options: options, access: try recipe.key?.access(to: recipe))
        guard let discovery = recipe.discovery, let page else { return usual }
        return LocatedFeed(usual, discovery, page: page) { [self] base in
            guard let located = try? Recipe(recipe.text, at: base, isBuiltIn: path == nil),
                let source = try? RecipeSource(located, argument.map { "\(listing.name)/\($0)" } ?? listing.name)
            else { return nil }
            return source.feed(through: transfers, options: options, access: nil)
        }
    }

    func feed(through transfers: Transfers, options: FeedOptions, access: RecipeKey.Access?) -> RecipeFeed {
        let client = RecipeClient(recipe, access: access, transfers: transfers)
        return RecipeFeed(recipe, listing, argument: argument, client: client, options: options)
    }
}
