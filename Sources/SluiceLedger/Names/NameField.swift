// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A field of a name template.
enum NameField: String, Sendable, CaseIterable {
    case seq, id, name, slug, caption, author, collection, feed, page, license, width, height

    /// The text for a missing fact.
    static let missing = "none"

    /// Whether a width pads with zeros; for a text it limits the length instead.
    var isNumber: Bool { [.seq, .page, .width, .height].contains(self) }

    /// Returns the field's text for an item.
    func text(for item: Item) -> String {
        let photo = item.photo
        let text: String? =
            switch self {
            case .seq: String(item.seq)
            case .id: photo.id
            case .name: photo.variants.first.flatMap { Self.fileName(in: $0.url) }
            case .slug: FileStem.slug(of: photo)
            case .caption: photo.caption
            case .author: photo.author
            case .collection: photo.collection
            case .feed: item.feed
            case .page: String(item.page)
            case .license: photo.license
            case .width: photo.width.map(String.init)
            case .height: photo.height.map(String.init)
            }
        return text.flatMap { $0.isEmpty ? nil : $0 } ?? Self.missing
    }

    /// Returns the last component of an address's path without an extension: `IMG_0042` of `…/IMG_0042.JPG?w=1080`.
    private static func fileName(in url: String) -> String? {
        let path = url.prefix { $0 != "?" && $0 != "#" }
        guard let last = path.split(separator: "/").last else { return nil }
        let name = decoded(last)
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex, name[dot...].count <= 6 else { return name }
        return String(name[..<dot])
    }

    /// Decodes percent escapes; invalid ones stay unchanged.
    private static func decoded(_ text: Substring) -> String {
        var bytes: [UInt8] = []
        var rest = Substring(text).utf8
        while let byte = rest.popFirst() {
            let digits = rest.prefix(2)
            if byte == UInt8(ascii: "%"), digits.count == 2, let value = UInt8(String(Substring(digits)), radix: 16) {
                bytes.append(value)
                rest = rest.dropFirst(2)
            } else {
                bytes.append(byte)
            }
        }
        return String(decoding: bytes, as: UTF8.self)
    }
}
