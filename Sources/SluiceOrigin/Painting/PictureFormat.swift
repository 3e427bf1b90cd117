// SPDX-License-Identifier: MIT

/// What a picture is written as.
public struct PictureFormat: Sendable, Hashable {
    /// The file formats that the demo service offers.
    public enum Kind: String, Sendable, Hashable, CaseIterable {
        case jpeg, png, webp
    }

    /// The file format.
    public var kind: Kind
    /// Whether a JPEG comes in scans.
    public var isProgressive: Bool
    /// Whether the alpha channel is written; where it is not, it is 255 throughout.
    public var keepsAlpha: Bool
    /// The EXIF orientation to note in a JPEG, 1 to 8; the pixels are turned already, and 1 needs no EXIF.
    public var exifOrientation: Int
    /// The encoder's quality, 1 to 100, where the format knows one.
    public var quality: Int

    /// Makes a format.
    public init(
        _ kind: Kind, isProgressive: Bool = false, keepsAlpha: Bool = false, exifOrientation: Int = 1, quality: Int = 85
    ) {
        self.kind = kind
        self.isProgressive = isProgressive
        self.keepsAlpha = keepsAlpha
        self.exifOrientation = exifOrientation
        self.quality = quality
    }
}

/// Turns pixels into a file's bytes; the codecs live in another room and are handed in.
///
/// It is called on the server's threads, several at once, and must give the same bytes for the same picture.
public typealias EncodePicture = @Sendable (Picture, PictureFormat) throws -> [UInt8]
