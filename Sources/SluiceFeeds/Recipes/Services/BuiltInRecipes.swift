// SPDX-License-Identifier: MIT

/// The recipes of the built-in services.
enum BuiltInRecipes {
    /// The recipes by name, in the order of `sluice feeds`.
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
        ("stocksnap", PackageResources.stocksnap_json),
        ("openverse", PackageResources.openverse_json),
        ("flickr", PackageResources.flickr_json),
        ("archive", PackageResources.archive_json),
        ("loc", PackageResources.loc_json),
        ("wordpress", PackageResources.wordpress_json),
        ("mastodon", PackageResources.mastodon_json),
        ("pixelfed", PackageResources.pixelfed_json),
        ("bluesky", PackageResources.bluesky_json),
        ("inaturalist", PackageResources.inaturalist_json),
        ("gbif", PackageResources.gbif_json),
        ("europeana", PackageResources.europeana_json),
        ("smithsonian", PackageResources.smithsonian_json),
        ("cleveland", PackageResources.cleveland_json),
        ("harvard", PackageResources.harvard_json),
        ("museumsvictoria", PackageResources.museumsvictoria_json),
        ("rijksmuseum", PackageResources.rijksmuseum_json),
        ("vam", PackageResources.vam_json),
        ("dpla", PackageResources.dpla_json),
        ("wellcome", PackageResources.wellcome_json),
        ("huggingface", PackageResources.huggingface_json),
        ("mediawiki", PackageResources.mediawiki_json),
        ("catalog", PackageResources.catalog_json),
    ]

    static let demo = recipe(PackageResources.demo_json)

    static var names: [String] { texts.map(\.name) }

    static var all: [Recipe] { texts.map { recipe($0.text) } }

    /// Returns the service of that name, without parsing the other recipes.
    static func named(_ name: String) -> Recipe? { texts.first { $0.name == name }.map { recipe($0.text) } }

    /// Returns the recipe for a catalogue at an address that the user gives.
    static func catalog(at address: String) -> Recipe { recipe(PackageResources.catalog_json, at: address) }

    private static func recipe(_ text: [UInt8], at address: String? = nil) -> Recipe {
        do {
            return try Recipe(text, at: address, isBuiltIn: true)
        } catch {
            preconditionFailure("invalid built-in recipe: \(error.diagnostics)")
        }
    }
}
