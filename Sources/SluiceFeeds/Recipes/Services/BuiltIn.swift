// SPDX-License-Identifier: MIT

/// The services that Sluice knows by name, each a recipe like a user's own.
enum BuiltIn {
    /// The photo service inside Sluice.
    static let demo = recipe(PackageResources.demo_json)

    /// Every service, in the order in which they are listed.
    static let all: [Recipe] = [
        demo, recipe(PackageResources.unsplash_json),
    ]

    /// The service of that name.
    static func named(_ name: String) -> Recipe? { all.first { $0.name == name } }

    private static func recipe(_ text: [UInt8]) -> Recipe {
        do {
            return try Recipe(text)
        } catch {
            preconditionFailure("a built-in recipe is wrong: \(error.all)")
        }
    }
}
