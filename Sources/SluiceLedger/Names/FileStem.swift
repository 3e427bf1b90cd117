// SPDX-License-Identifier: MIT

public import SluiceModel

/// The default file name of an item, without the extension: `00012-a-lake-at-dawn`.
///
/// The item's position makes it unique within the mirror, and the caption makes it readable. It contains only `a-z`,
/// `0-9` and `-`, so it is safe on every file system. The first 4999 items are in one folder. Later items are in one
/// folder per thousand (`05000/05012-a-lake`), and from a million on also in one folder per million. The content
/// determines the extension.
public struct FileStem: Sendable, Hashable, CustomStringConvertible {
    /// The first position in a subfolder; the items before it are few enough for every tool to list quickly.
    private static let firstInFolder = 5000

    /// The name, with folders.
    public let description: String

    /// Creates the name from the item's caption, or from its id if the caption has no usable words.
    public init(for item: Item) {
        description = "\(Self.folders(of: item.seq))\(Self.padded(item.seq))-\(Self.slug(of: item.photo))"
    }

    /// Returns the readable part of the name.
    static func slug(of photo: Photo) -> String {
        (Slug(photo.caption ?? "") ?? Slug(photo.id) ?? .fallback).text
    }

    private static func folders(of seq: Int) -> String {
        guard seq >= firstInFolder else { return "" }
        let million = seq / 1_000_000 * 1_000_000
        return "\(million > 0 ? "\(million)/" : "")\(padded(seq / 1000 * 1000))/"
    }

    private static func padded(_ number: Int) -> String { String(number).zeroPadded(to: 5) }
}
