// SPDX-License-Identifier: MIT

public import SluiceModel

/// How to encode a picture.
public struct PictureFormat: Sendable, Hashable {
    /// The file format.
    public var kind: StoredFormat
    /// Whether a JPEG is progressive.
    public var isProgressive: Bool
    /// Whether to write the alpha channel; if not, all pixels are opaque.
    public var keepsAlpha: Bool
    /// The EXIF orientation to record in a JPEG, 1 to 8; the pixels are already turned, and 1 needs no EXIF.
    public var exifOrientation: Int
    /// The encoder's quality, 1 to 100, if the format has one.
    public var quality: Int

    /// Creates a format.
    public init(
        _ kind: StoredFormat, isProgressive: Bool = false, keepsAlpha: Bool = false, exifOrientation: Int = 1,
        quality: Int = 85
    ) {
        self.kind = kind
        self.isProgressive = isProgressive
        self.keepsAlpha = keepsAlpha
        self.exifOrientation = exifOrientation
        self.quality = quality
    }
}

/// Encodes a bitmap as a file; injected because the codecs are in another module.
///
/// It is called concurrently on the server's threads and must return the same bytes for the same bitmap and format.
public typealias BitmapEncoder = @Sendable (Bitmap, PictureFormat) throws -> [UInt8]
