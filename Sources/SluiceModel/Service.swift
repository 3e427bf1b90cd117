// SPDX-License-Identifier: MIT

/// What is to be said of a service that Sluice knows how to mirror.
public struct Service: Sendable, Hashable {
    /// The name, as a SOURCE has it.
    public var name: String
    /// What it is, in a line.
    public var about: String
    /// How its listings are named: `unsplash:search/lakes`; the first is meant where none is named.
    public var listings: [String]
    /// The variable with the key, if it takes one.
    public var keyVariable: String?
    /// Where a key is had.
    public var keyAddress: String?
    /// Whether it answers without a key.
    public var needsKey = false
    /// The variants of its photos, with the one that is taken unless another is named.
    public var variants: [String]
    /// The variant that is taken; several with bars between them, of which the first that a photo has.
    public var defaultVariant: String
    /// How many photos a run takes without permission for more.
    public var cap: Int?
    /// What it asks of its users, in a few words.
    public var rules: String?
    /// Where it says so.
    public var terms: String?
    /// The recipe itself.
    public var recipe: [UInt8]

    /// Makes a service of what is known of every one.
    public init(
        name: String, about: String, listings: [String], variants: [String], defaultVariant: String, recipe: [UInt8]
    ) {
        self.name = name
        self.about = about
        self.listings = listings
        self.variants = variants
        self.defaultVariant = defaultVariant
        self.recipe = recipe
    }
}
