// SPDX-License-Identifier: MIT

/// The user's settings for a gallery's appearance; a `nil` setting keeps its previous value.
public struct GalleryAppearance: Sendable, Hashable {
    /// The gallery's colour scheme.
    public enum Theme: String, Sendable, CaseIterable {
        /// The colour scheme of the reader's system.
        case auto
        case light, dark
    }

    /// The heading; an empty text stands for one made from the source.
    public var title: String?
    /// The colour scheme.
    public var theme: Theme?
    /// CSS to append to the gallery's style sheet; empty for none.
    public var style: String?

    /// Creates settings that change nothing.
    public init() {}

    /// Returns these settings, with unset values taken from the older settings.
    package func over(_ older: GalleryAppearance) -> GalleryAppearance {
        var merged = self
        merged.title = title ?? older.title
        merged.theme = theme ?? older.theme
        merged.style = style ?? older.style
        return merged
    }
}
