// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel
internal import SluiceTransfer

/// `unsplash`, `unsplash:search/lakes`, `museum.json`, `museum.json:topic/nature`: a service described by a recipe.
struct RecipeSource: SourceKind {
    static var names: [String] { BuiltInRecipes.names }

    let recipe: Recipe
    /// The recipe's file; `nil` for a built-in recipe.
    private let path: String?
    private let listing: RecipeListing
    private let argument: String?

    init?(_ text: String) throws(SourceError) {
        guard let (recipe, path, rest) = try Self.recipe(in: text) else { return nil }
        try self.init(recipe, rest, path: path)
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
                "\(recipe.name):\(listing.name) needs an argument, for example \(recipe.name):\(listing.spelling)")
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

    var trustedAddresses: [String] { [recipe.base] }
    var politeness: Politeness { recipe.politeness }
    var fingerprint: String { String(SHA256.digest(of: recipe.text).prefix(16)) }
    var isDemo: Bool { recipe.name == BuiltInRecipes.demo.name && recipe.base == BuiltInRecipes.demo.base }

    var keyNote: String? {
        guard let path, let key = recipe.key, let base = WebAddress(recipe.base) else { return nil }
        guard (try? key.secret(for: recipe.name)) ?? nil != nil else { return nil }
        let variables = key.variables.joined(separator: " and ")
        return "the recipe '\(path)' sends the key in \(variables) to \(base.scheme)://\(base.host)"
    }

    func feed(through transfers: Transfers, options: FeedOptions) throws(SourceError) -> any Feed {
        feed(through: transfers, options: options, secret: try recipe.key?.secret(for: recipe.name))
    }

    func feed(through transfers: Transfers, options: FeedOptions, secret: Secret?) -> RecipeFeed {
        let client = RecipeClient(recipe, secret: secret, transfers: transfers, headers: options.headers)
        return RecipeFeed(recipe, listing, argument: argument, client: client, options: options)
    }
}
