// SPDX-License-Identifier: MIT

/// The services that Sluice knows by name, each a recipe like a user's own.
enum BuiltIn {
    /// The services' texts by their names, in the order in which they are listed.
    private static let texts: [(name: String, text: [UInt8])] = [
        ("demo", PackageResources.demo_json),
        ("unsplash", PackageResources.unsplash_json),
        ("picsum", PackageResources.picsum_json),
        ("commons", PackageResources.commons_json),
        ("met", PackageResources.met_json),
        ("artic", PackageResources.artic_json),
        ("nasa", PackageResources.nasa_json),
        ("pexels", PackageResources.pexels_json),
        ("pixabay", PackageResources.pixabay_json),
        ("openverse", PackageResources.openverse_json),
        ("flickr", PackageResources.flickr_json),
        ("archive", PackageResources.archive_json),
        ("loc", PackageResources.loc_json),
        ("catalog", PackageResources.catalog_json),
    ]

    /// The photo service inside Sluice.
    static let demo = recipe(PackageResources.demo_json)

    static var names: [String] { texts.map(\.name) }

    static var all: [Recipe] { texts.map { recipe($0.text) } }

    /// The service of that name; the others are not read for it.
    static func named(_ name: String) -> Recipe? { texts.first { $0.name == name }.map { recipe($0.text) } }

    /// A catalogue of the shape that the second app's service has, at an address of the user's.
    static func catalog(at address: String) -> Recipe { recipe(PackageResources.catalog_json, at: address) }

    private static func recipe(_ text: [UInt8], at address: String? = nil) -> Recipe {
        do {
            return try Recipe(text, at: address)
        } catch {
            preconditionFailure("a built-in recipe is wrong: \(error.all)")
        }
    }
}
