// SPDX-License-Identifier: MIT

extension ThumbnailOptions {
    /// What becomes of a picture's own colours, which its profile describes.
    public enum Profile: String, Sendable, Hashable, CaseIterable {
        /// They are converted to sRGB, which everyone takes a picture without a profile to have; no profile is written.
        case srgb
        /// They stay, and the profile is written into the thumbnail.
        ///
        /// CMYK and what the format cannot hold so are converted to sRGB all the same, with a note.
        case keep
        /// They are taken as they are, as if there were no profile, and none is written.
        case strip
    }

    /// What is told beside the pixels, and kept only if named.
    public enum Metadata: String, Sendable, Hashable, CaseIterable {
        /// What EXIF says of the camera, the shot and the people, but neither its place nor what only the camera reads.
        case exif
        /// Artist and copyright, and nothing else: EXIF's, where it has none XMP's, else IPTC's.
        case copyright
        /// EXIF's place.
        case gps
    }
}
