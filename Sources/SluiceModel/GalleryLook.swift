// SPDX-License-Identifier: MIT

/// How a mirror's gallery looks, as far as its owner has a say; what is `nil` is as it was before.
public struct GalleryLook: Sendable, Hashable {
    /// Whose colours the gallery has.
    public enum Theme: String, Sendable, CaseIterable {
        /// Those of the reader's system.
        case auto
        case light, dark
    }

    /// The heading; an empty one is the folder's name.
    public var title: String?
    /// The colours.
    public var theme: Theme?
    /// The text of a style sheet that comes after the gallery's own; an empty one is none.
    public var style: String?

    /// Makes a look that leaves all as it was.
    public init() {}

    /// This look, and the older one's where this one leaves things as they were.
    public func over(_ older: GalleryLook) -> GalleryLook {
        var look = self
        look.title = title ?? older.title
        look.theme = theme ?? older.theme
        look.style = style ?? older.style
        return look
    }
}
