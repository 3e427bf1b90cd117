// SPDX-License-Identifier: MIT

/// A description of a photo service that Sluice supports.
public struct ServiceInfo: Sendable, Hashable {
    /// The name, as used in a SOURCE argument.
    public var name: String
    /// A one-line description.
    public var about: String
    /// The forms of its listings, for example `unsplash:search/lakes`; the first one is the default.
    public var listings: [String]
    /// The environment variable with the API key, if the service uses one.
    public var keyVariable: String?
    /// The address of the page that issues keys.
    public var keyAddress: String?
    /// Whether the service requires a key.
    public var needsKey = false
    /// The names of its photos' variants.
    public var variants: [String]
    /// The default variant; alternatives are separated by `|`, and the first match wins.
    public var defaultVariant: String
    /// The limit of photos per run, unless the user allows more.
    public var cap: Int?
    /// A summary of the service's rules.
    public var rules: String?
    /// The address of the terms of use.
    public var terms: String?
    /// The bytes of the recipe.
    public var recipe: [UInt8]

    /// Creates a description with the required facts.
    package init(
        name: String, about: String, listings: [String], variants: [String], defaultVariant: String, recipe: [UInt8]
    ) {
        (self.name, self.about, self.listings, self.variants) = (name, about, listings, variants)
        (self.defaultVariant, self.recipe) = (defaultVariant, recipe)
    }
}
