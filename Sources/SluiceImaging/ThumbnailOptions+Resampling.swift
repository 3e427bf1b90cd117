// SPDX-License-Identifier: MIT

extension ThumbnailOptions {
    /// How a thumbnail's pixel is made of those under it.
    public enum Kernel: String, Sendable, Hashable, CaseIterable {
        /// Lanczos with three lobes: sharp, with little ringing.
        case lanczos3
        /// Mitchell and Netravali's cubic: softer, with hardly any ringing.
        case mitchell
        /// The mean of all that lies under it: no ringing; enlarged pictures are read between two pixels.
        case area
        /// The one pixel that lies under its middle, as suits pixel art and masks; always of the picture in full.
        case nearest
    }

    /// Which part of a picture stays where some must go, and where it lies where room is left.
    public enum Gravity: String, Sendable, Hashable, CaseIterable {
        case centre, north, northeast, east, southeast, south, southwest, west, northwest
        /// The busiest part: where light changes most from pixel to pixel. As `centre` for `pad`.
        case attention
    }

    /// What time is spent on quality.
    public enum QualityMode: String, Sendable, Hashable, CaseIterable {
        /// A decoder that can shrink a picture leaves the kernel once the size to work on, and takes no time for the last
        /// bits of a progressive JPEG's light: quickest, a little softer.
        case fast
        /// It leaves twice the size, which the eye cannot tell from all of it.
        case good
        /// Every picture is decoded in full, and every size made of that.
        case exact
    }
}
