// SPDX-License-Identifier: MIT

internal import SluiceFiles
package import SluiceModel

/// The options of a gallery: its heading, its appearance and the state of the mirror.
package struct GalleryOptions: Sendable, Hashable {
    package var title: String
    /// Whether `sluice mirror` can resume the mirror, so that the page can name commands for failed photos.
    package var isResumable = false
    /// Whether a run is in progress.
    package var isRunning = false
    /// The time of writing as text, shown while a run is in progress.
    package var updatedAt: String?
    /// The number of photos that the feed states, shown while a run is in progress.
    package var expectedCount: Int?
    /// The path of the run's report, relative to the mirror; `nil` shows no link.
    package var report: String?
    package var theme = GalleryAppearance.Theme.auto
    /// The user's style sheet, which is loaded after the gallery's.
    package var style: [UInt8]?
    /// Where the originals of thumbnails are on the same disk; `nil` shows no links to them.
    package var originals: LocalOriginals?
    /// Whether each file is flushed to disk before it gets its name.
    package var flushed = true

    /// Creates the options for a mirror without a run in progress.
    package init(title: String) {
        self.title = title
    }
}

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
