// SPDX-License-Identifier: MIT

internal import SluiceImaging
internal import SluiceModel
internal import SluiceTransfer

/// The names that a download tool may have given a photo's file: the end of its URL's path, or its ID.
struct LikelyFileNames: Sendable {
    /// The variant's URL in normalised spelling.
    let address: String?
    /// The percent-decoded components of the URL's path, last first.
    let parts: [String]
    /// The feed's ID for the photo.
    let id: String

    init(of photo: Photo, as variant: Variant) {
        id = photo.id
        let address = WebAddress(variant.url)
        self.address = address?.text
        parts = (address?.pathComponents ?? []).reversed()
    }

    /// The suffixes of a path given as reversed components, shortest first, without an image extension.
    static func suffixes(of reversed: [String]) -> [String] {
        guard let name = reversed.first else { return [] }
        var suffixes = [stem(name)]
        for part in reversed.dropFirst().prefix(maxParts - 1) {
            suffixes.append("\(part)/\(suffixes[suffixes.count - 1])")
        }
        return suffixes
    }

    /// The score of a file whose path shares its last `count` components with the URL.
    ///
    /// Each component counts twice as much as an equal file extension.
    func score(of path: String, parts count: Int) -> Int {
        2 * count + (Self.parts(of: path).last == parts.first ? 1 : 0)
    }

    /// The file name without an image extension.
    static func stem(_ name: String) -> String {
        guard let dot = name.lastIndex(of: "."), dot > name.startIndex,
            extensions.contains(name[name.index(after: dot)...].lowercased())
        else { return name }
        return String(name[..<dot])
    }

    /// Whether a file's name has the extension of an image.
    static func isPicture(_ path: String) -> Bool { stem(path) !== path }

    /// The components of a path on disk.
    static func parts(of path: String) -> [String] {
        // Split by bytes, because one Unicode character may contain a slash.
        path.utf8.split(separator: UInt8(ascii: "/")).map { String(Substring($0)) }
    }

    private static let maxParts = 4
    private static let extensions = Set(ImageFormat.allCases.flatMap(\.fileExtensions))
}
