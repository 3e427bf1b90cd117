// SPDX-License-Identifier: MIT

public import SluiceModel

/// An item's file name without its extension: `00012-a-lake-at-dawn`.
///
/// It is unique within the mirror by the item's place, readable by the caption, and safe on every file system: of what a
/// server says nothing but `a-z`, `0-9` and `-` is ever left. The extension is made of the content, elsewhere.
public struct FileStem: Sendable, Hashable, CustomStringConvertible {
    /// The name.
    public let description: String

    /// Names an item by its caption, else by its id.
    public init(for item: Item) {
        let slug = Slug(item.photo.caption ?? "") ?? Slug(item.photo.id) ?? .none
        let number = String(item.seq)
        description = String(repeating: "0", count: max(0, 5 - number.utf8.count)) + number + "-" + slug.text
    }
}
