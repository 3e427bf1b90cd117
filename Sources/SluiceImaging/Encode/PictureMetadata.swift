// SPDX-License-Identifier: MIT

/// What a picture's file says beside its pixels.
struct PictureMetadata: Sendable, Hashable {
    /// The colour profile; empty for none.
    var profile: [UInt8] = []
    /// The EXIF block, which begins with TIFF's header; empty for none.
    var exif: [UInt8] = []

    var isEmpty: Bool { profile.isEmpty && exif.isEmpty }
}
