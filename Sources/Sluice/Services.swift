// SPDX-License-Identifier: MIT

internal import SluiceFeeds
public import SluiceModel

/// The services that Sluice knows, and what is wrong with a recipe for another.
public enum Services {
    /// Every service that a name stands for.
    public static var all: [Service] { Source.services }

    /// A service by its name, or by the file of its recipe.
    public static func named(_ text: String) throws(MirrorError) -> Service {
        try MirrorError.atSource(try Source.service(text))
    }

    /// All that is wrong in the recipe in a file, in the order of its text.
    public static func problems(inRecipeAt path: String) throws(MirrorError) -> [RecipeProblem] {
        try MirrorError.atSource(try Source.problems(inRecipeAt: path))
    }
}
