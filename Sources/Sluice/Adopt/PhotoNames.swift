// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceTransfer

/// What tools call a photo's file: the last parts of its address, or its id.
struct PhotoNames: Sendable {
    /// The address, as one reading spells it.
    let address: String?
    /// The parts of the address's path, decoded, the last first.
    let parts: [String]
    /// The feed's own name for the photo.
    let id: String

    init(of photo: Photo, as variant: Variant) {
        id = photo.id
        let address = WebAddress(variant.url)
        self.address = address?.text
        parts = (address?.pathParts ?? []).reversed()
    }

    /// The ends of a path, the shortest first, so many of its parts at most; its name has no picture's extension in them.
    static func ends(of reversed: [String]) -> [String] {
        guard let name = reversed.first else { return [] }
        var ends = [stem(name)]
        for part in reversed.dropFirst().prefix(mostParts - 1) { ends.append("\(part)/\(ends[ends.count - 1])") }
        return ends
    }

    /// What speaks for a file whose path ends as the address does, in so many parts; the more the better, and the same
    /// extension tells more than another.
    func score(of path: String, parts count: Int) -> Int {
        2 * count + (Self.parts(of: path).last == parts.first ? 1 : 0)
    }

    /// A name without a picture's extension.
    static func stem(_ name: String) -> String {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex,
            extensions.contains(name[name.index(after: dot)...].lowercased())
        else { return name }
        return String(name[..<dot])
    }

    /// The parts of a path on the disk.
    static func parts(of path: String) -> [String] {
        // By bytes: what Unicode calls one character may hold a slash.
        path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    }

    private static let mostParts = 4
    private static let extensions: Set<String> = [
        "jpg", "jpeg", "jpe", "jfif", "png", "webp", "gif", "tif", "tiff", "bmp", "avif", "heic", "jxl",
    ]
}
