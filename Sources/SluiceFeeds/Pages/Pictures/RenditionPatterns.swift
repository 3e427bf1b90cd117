// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The folders of a page's picture addresses that state a rendition, learned from the page.
///
/// A folder is one if it varies between the renditions of a picture, and does so for several pictures.
struct RenditionPatterns {
    /// The number of pictures whose renditions have to vary in a folder.
    private static let minPictures = 3
    /// The maximum number of renditions of a picture that are compared.
    private static let maxRenditions = 9

    /// The pictures' keys without the folder, by host, position and name of the folder.
    private var pictures: TextMap<TextSet> = [:]

    /// Adds the renditions of one picture, as an element states them.
    mutating func add(_ keys: [String]) {
        let all = keys.prefix(Self.maxRenditions).map(Self.parts)
        guard let first = all.first else { return }
        for other in all.dropFirst() where other.count == first.count {
            let different = other.indices.filter { !first[$0].utf8.elementsEqual(other[$0].utf8) }
            // The first part is the host, and the last one the name of the picture.
            guard different.count == 1, let index = different.first, index > 0, index < other.count - 1 else {
                continue
            }
            for parts in [first, other] {
                pictures[Self.pattern(parts, index), default: []].insert(Self.masked(parts, index))
            }
        }
    }

    /// Returns a key without the folder of its rendition.
    func masked(_ key: String) -> String {
        guard !pictures.isEmpty else { return key }
        let parts = Self.parts(key)
        let index = parts.indices.dropFirst().dropLast().first { index in
            (pictures[Self.pattern(parts, index)]?.count ?? 0) >= Self.minPictures
        }
        return index.map { Self.masked(parts, $0) } ?? key
    }

    private static func parts(_ key: String) -> [Substring] {
        key.split(separator: "/", maxSplits: 24, omittingEmptySubsequences: false)
    }

    private static func pattern(_ parts: [Substring], _ index: Int) -> String {
        "\(parts[0])/\(index)/\(parts[index])"
    }

    private static func masked(_ parts: [Substring], _ index: Int) -> String {
        var parts = parts
        parts[index] = "*"
        return parts.joined(separator: "/")
    }
}
