// SPDX-License-Identifier: MIT

package import SluiceModel

extension Source {
    /// The built-in services, in the order of `sluice feeds`.
    package static var services: [ServiceInfo] { BuiltInRecipes.all.map(ServiceInfo.init) }

    package static var serviceNames: [String] { BuiltInRecipes.names }

    /// Describes a service, given its name or the path of its recipe.
    package static func service(_ text: String) throws(SourceError) -> ServiceInfo {
        if let known = BuiltInRecipes.named(text) { return ServiceInfo(known) }
        guard let bytes = try RecipeFile.read(text) else {
            let suggestion = didYouMean(closestMatch(to: text, in: RecipeSource.names))
            throw SourceError(
                "unknown service '\(text)'\(suggestion.isEmpty ? "; `sluice feeds` lists the services" : suggestion)")
        }
        return ServiceInfo(try RecipeFile.recipe(bytes, path: text))
    }

    /// Returns every problem in a recipe file; empty if the recipe is valid.
    package static func problems(inRecipeAt path: String) throws(SourceError) -> [RecipeDiagnostic] {
        guard let bytes = try RecipeFile.read(path) else {
            throw SourceError("cannot read recipe '\(path)': no such file")
        }
        do throws(InvalidRecipe) {
            _ = try Recipe(bytes)
            return []
        } catch {
            return error.diagnostics
        }
    }
}

extension ServiceInfo {
    fileprivate init(_ recipe: Recipe) {
        self.init(
            name: recipe.name, about: recipe.about, listings: recipe.listings.map { "\(recipe.prefix)\($0.spelling)" },
            variants: recipe.photo.variantNames, defaultVariant: recipe.defaultVariant, recipe: recipe.text)
        keyVariable = recipe.key?.environment
        keyAddress = recipe.key?.from
        needsKey = recipe.key.map { !$0.isOptional } ?? false
        cap = recipe.politeness.cap
        rules = recipe.rules
        terms = recipe.terms
    }
}
