// SPDX-License-Identifier: MIT

public import SluiceModel

extension Source {
    /// Every service that a name stands for, in the order in which they are listed.
    public static var services: [Service] { BuiltIn.all.map(Service.init) }

    /// What is to be said of a service by its name, or by the file of its recipe.
    public static func service(_ text: String) throws(SourceError) -> Service {
        if let known = BuiltIn.named(text) { return Service(known) }
        guard let bytes = try RecipeFile.read(text) else {
            throw SourceError("unknown service \(text)\(hint(nearest(text, RecipeSource.names)))")
        }
        return Service(try RecipeFile.recipe(bytes, path: text))
    }

    /// All that is wrong in the recipe in a file.
    public static func problems(inRecipeAt path: String) throws(SourceError) -> [RecipeProblem] {
        guard let bytes = try RecipeFile.read(path) else { throw SourceError("there is no recipe \(path)") }
        do throws(RecipeProblems) {
            _ = try Recipe(bytes)
            return []
        } catch {
            return error.all
        }
    }
}

extension Service {
    fileprivate init(_ recipe: Recipe) {
        self.init(
            name: recipe.name, about: recipe.about, listings: recipe.listings.map { "\(recipe.name):\($0.spelling)" },
            variants: recipe.photo.variantNames, defaultVariant: recipe.defaultVariant, recipe: recipe.text)
        keyVariable = recipe.key?.environment
        keyAddress = recipe.key?.from
        needsKey = recipe.key.map { !$0.isOptional } ?? false
        cap = recipe.manners.cap
        rules = recipe.rules
        terms = recipe.terms
    }
}
