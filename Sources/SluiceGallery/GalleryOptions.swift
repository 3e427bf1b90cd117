// SPDX-License-Identifier: MIT

package import SluiceModel

/// The options of a gallery: its heading, its appearance and the state of the mirror.
package struct GalleryOptions: Sendable, Hashable {
    /// The page's heading.
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
    /// The colour theme.
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
