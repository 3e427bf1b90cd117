// SPDX-License-Identifier: MIT

public import SluiceModel

/// What a gallery says of its mirror beside the photos themselves.
public struct GalleryOptions: Sendable, Hashable {
    /// The page's heading.
    public var title: String
    /// Whether `sluice mirror` goes on with the mirror, so that the page can tell how to recover what failed.
    public var goesOn = false
    /// Whether a run is still filling the mirror.
    public var isRunning = false
    /// When it is written, in the words that a page tells of a run that fills the mirror then.
    public var moment: String?
    /// How many photos the feed says it has, for a mirror that is still being filled.
    public var expected: Int?
    /// The run's report, as a path below the mirror; `nil` shows no link to one.
    public var report: String?
    /// Whose colours it has.
    public var theme = GalleryLook.Theme.auto
    /// A style sheet of the user's own, which comes after the gallery's.
    public var style: [UInt8]?
    /// Whether each file is on the disk before it gets its name.
    public var flushed = true

    /// Makes the options of a finished mirror.
    public init(title: String) {
        self.title = title
    }
}
