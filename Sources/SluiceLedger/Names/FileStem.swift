// SPDX-License-Identifier: MIT

package import SluiceModel

/// The default file name of an item, without the extension: `00012-a-lake-at-dawn`.
///
/// The item's position makes it unique within the mirror, and the caption makes it readable. It contains only `a-z`,
/// `0-9` and `-`, so it is safe on every file system. The first 4999 items are in one folder. Later items are in one
/// folder per thousand (`05000/05012-a-lake`), and from a million on also in one folder per million. The content
/// determines the extension.
package struct FileStem: Sendable, Hashable, CustomStringConvertible {
    /// The first position in a subfolder; the items before it are few enough for every tool to list quickly.
    private static let firstInFolder = 5000
    /// Enough bytes for the names of the first hundred million items.
    private static let usualLength = 2 * 10 + 9 + Slug.limit

    package let description: String

    /// Creates the name from the item's caption, or from its id if the caption has no usable words.
    package init(for item: Item) { self.init(at: item.seq, of: item.photo) }

    /// Creates the name of the item at a position.
    package init(at seq: Int, of photo: Photo) {
        // Each photo has a name, and there may be millions of photos, so the parts are bytes and not strings.
        var name: [UInt8] = []
        name.reserveCapacity(Self.usualLength)
        if seq >= Self.firstInFolder {
            let million = seq / 1_000_000 * 1_000_000
            if million > 0 { name.append(number: million, terminator: "/") }
            name.append(number: seq / 1000 * 1000, terminator: "/")
        }
        name.append(number: seq, terminator: "-")
        name += Self.slug(of: photo).bytes
        description = String(decoding: name, as: UTF8.self)
    }

    /// Returns the readable part of the name.
    static func slug(of photo: Photo) -> Slug { photo.caption.flatMap { Slug($0) } ?? Slug(photo.id) ?? .fallback }
}

extension [UInt8] {
    /// Appends at least five digits and the terminator.
    fileprivate mutating func append(number: Int, terminator: Unicode.Scalar) {
        let digits = String(number).utf8
        append(contentsOf: repeatElement(UInt8(ascii: "0"), count: Swift.max(0, 5 - digits.count)))
        append(contentsOf: digits)
        append(UInt8(ascii: terminator))
    }
}
