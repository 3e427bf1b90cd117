// SPDX-License-Identifier: MIT

/// Encodes pixels as an image file; the same pixels and settings always give the same bytes.
package struct ImageEncoder: Sendable, Hashable {
    /// The format to write, one of ``ImageFormat/encodable``.
    package var format: ImageFormat
    /// The quality, 1 to 100, for formats that have a quality setting.
    package var quality = 80
    /// Whether a JPEG is progressive.
    package var isProgressive = false
    /// The speed of an AVIF's encoder, 0 to 10; lower speeds give smaller files.
    package var speed = ThumbnailOptions.defaultSpeed
    /// The chroma subsampling of a JPEG or an AVIF.
    package var subsampling = ThumbnailOptions.Subsampling.half
    /// Whether the file keeps every visible pixel unchanged if the format can do both; ``quality`` is then ignored.
    package var isLossless = false
    /// Whether to keep transparency if the format can; otherwise the image is drawn on white.
    package var keepsAlpha = true
    /// The EXIF orientation to write, 1 to 8; 1 writes none.
    ///
    /// The pixels are not rotated.
    package var orientation = 1 {
        willSet { precondition((1...8).contains(newValue), "EXIF defines eight orientations") }
        didSet { metadata.exif = orientation == 1 ? [] : EXIFBlock.block(orientation: orientation) }
    }
    var metadata = ImageMetadata()

    /// Creates an encoder with default settings.
    package init(_ format: ImageFormat) { self.format = format }
}

/// The metadata to write into an image file.
struct ImageMetadata: Sendable, Hashable {
    /// The colour profile; empty for none.
    var profile: [UInt8] = []
    /// The EXIF block, starting with the TIFF header; empty for none.
    var exif: [UInt8] = []

    var isEmpty: Bool { profile.isEmpty && exif.isEmpty }
}
