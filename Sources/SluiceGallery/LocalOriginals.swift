// SPDX-License-Identifier: MIT

internal import SluiceFiles
internal import SluiceModel

/// The places of a gallery of thumbnails and of its originals, which are files on the same disk.
package struct LocalOriginals: Sendable, Hashable {
    /// The absolute path of the gallery's folder, in parts.
    private let gallery: [Substring]
    /// The absolute path of the folder that relative paths start from; `nil` if it is unknown.
    private let base: String?

    /// Describes originals for a gallery in a folder; both paths are absolute.
    package init(gallery: String, base: String?) {
        self.gallery = gallery.split(separator: "/")
        self.base = base
    }

    /// The address of an original relative to the gallery, so that both can move together; `nil` if its place is
    /// unknown.
    func address(of path: String) -> String? {
        let isAddress = PathText.isAddress(path)
        let path = isAddress ? path.dropping(prefix: "file://") : path
        guard !path.contains("://"), let absolute = path.hasPrefix("/") ? path : base.map({ "\($0)/\(path)" }) else {
            return nil
        }
        var parts: [Substring] = []
        for part in absolute.split(separator: "/") where part != "." {
            if part == ".." { _ = parts.popLast() } else { parts.append(part) }
        }
        let shared = zip(gallery, parts).prefix { $0 == $1 }.count
        let up = Array(repeating: "..", count: gallery.count - shared)
        let rest = parts[shared...].joined(separator: "/")
        return (up + [isAddress ? rest : relativeAddress(of: rest)]).joined(separator: "/")
    }
}
