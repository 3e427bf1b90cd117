// SPDX-License-Identifier: MIT

public import SluiceModel

/// An item's file name without its extension, as it is by default: `00012-a-lake-at-dawn`.
///
/// It is unique within the mirror by the item's place, readable by the caption, and safe on every file system: of what a
/// server says nothing but `a-z`, `0-9` and `-` is ever left. A mirror's first items lie in one folder; later ones in one
/// for each thousand (`05000/05012-a-lake`), and those in one for each million. The extension is made of the content,
/// elsewhere.
public struct FileStem: Sendable, Hashable, CustomStringConvertible {
    /// The first place that lies in a folder of its thousand: few enough before it that every tool lists them quickly.
    private static let firstInFolder = 5000

    /// The name.
    public let description: String

    /// Names an item by its caption, else by its id.
    public init(for item: Item) {
        description = "\(Self.folders(of: item.seq))\(Self.padded(item.seq))-\(Self.slug(of: item.photo))"
    }

    /// The readable part.
    static func slug(of photo: Photo) -> String {
        (Slug(photo.caption ?? "") ?? Slug(photo.id) ?? .none).text
    }

    private static func folders(of seq: Int) -> String {
        guard seq >= firstInFolder else { return "" }
        let million = seq / 1_000_000 * 1_000_000
        return "\(million > 0 ? "\(million)/" : "")\(padded(seq / 1000 * 1000))/"
    }

    private static func padded(_ number: Int) -> String {
        let digits = String(number)
        return String(repeating: "0", count: max(0, 5 - digits.utf8.count)) + digits
    }
}
