// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel
internal import SluiceTransfer

/// `unsplash`, `unsplash:search/lakes`, `museum.json`, `museum.json:topic/nature`: a service that a recipe describes.
struct RecipeSource: SourceKind {
    static var names: [String] { BuiltIn.names }

    let recipe: Recipe
    private let listing: RecipeListing
    private let argument: String?

    init?(_ text: String) throws(SourceError) {
        guard let (recipe, rest) = try Self.recipe(in: text) else { return nil }
        try self.init(recipe, rest)
    }

    /// One of a recipe's listings, as it stands behind the colon.
    init(_ recipe: Recipe, _ rest: String) throws(SourceError) {
        self.recipe = recipe
        let parts = rest.split(separator: "/", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        let name = parts.first ?? ""
        let known = recipe.listings.map(\.name)
        guard let listing = name.isEmpty ? recipe.listings.first : recipe.listings.first(where: { $0.name == name })
        else {
            let near = hint(nearest(name, known))
            let list = near.isEmpty ? ": it has \(known.joined(separator: ", "))" : near
            throw SourceError("\(recipe.name) has no listing \(name)\(list)")
        }
        argument = parts.count == 2 && !parts[1].isEmpty ? parts[1] : nil
        self.listing = listing
        if listing.needsArgument, argument == nil {
            throw SourceError(
                "\(recipe.name):\(listing.name) needs a word behind it, as in: \(recipe.name):\(listing.spelling)")
        }
        if !listing.needsArgument, let argument {
            throw SourceError("\(recipe.name):\(listing.name) takes nothing behind it; \(argument) is too much")
        }
    }

    /// The recipe that the argument's beginning names, and what stands behind the colon.
    private static func recipe(in text: String) throws(SourceError) -> (Recipe, rest: String)? {
        let parts = text.split(separator: ":", maxSplits: 1, omittingEmptySubsequences: false).map(String.init)
        if let known = BuiltIn.named(parts[0]) { return (known, parts.count == 2 ? parts[1] : "") }
        guard !text.contains("://"), let path = parts.first, path.hasSuffix(".json") else { return nil }
        guard let bytes = try RecipeFile.read(path), RecipeFile.isRecipe(bytes) else { return nil }
        return (try RecipeFile.recipe(bytes, path: path), parts.count == 2 ? parts[1] : "")
    }

    var homes: [String] { [recipe.base] }
    var manners: Manners { recipe.manners }
    var fingerprint: String { String(SHA256.digest(of: recipe.text).prefix(16)) }
    var isDemo: Bool { recipe.name == BuiltIn.demo.name && recipe.base == BuiltIn.demo.base }

    func feed(through transfers: Transfers, options: FeedOptions) throws(SourceError) -> any Feed {
        feed(through: transfers, options: options, secret: try recipe.key?.secret(for: recipe.name))
    }

    func feed(through transfers: Transfers, options: FeedOptions, secret: Secret?) -> RecipeFeed {
        let client = RecipeClient(recipe, secret: secret, transfers: transfers, headers: options.headers)
        return RecipeFeed(recipe, listing, argument: argument, client: client, options: options)
    }
}
