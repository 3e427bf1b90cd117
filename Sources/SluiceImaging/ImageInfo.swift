// SPDX-License-Identifier: MIT

/// The properties of an image that its header declares.
public struct ImageInfo: Sendable, Hashable {
    /// The meaning of the samples.
    public enum ColorModel: String, Sendable, Hashable {
        case grey, rgb, cmyk
    }

    /// The file's format.
    public var format: ImageFormat
    /// The width in pixels as stored, before ``orientation`` is applied.
    public var width: Int
    /// The height in pixels as stored, before ``orientation`` is applied.
    public var height: Int
    /// The EXIF orientation, 1 to 8; 1 means that the stored image is upright.
    public var orientation = 1
    /// The meaning of the samples.
    public var colorModel = ColorModel.rgb
    /// The number of bits per sample.
    public var bitDepth = 8
    /// Whether the image can have transparent pixels.
    public var hasAlpha = false
    /// Whether the image is stored in several passes of increasing detail (progressive or interlaced).
    public var isProgressive = false
    /// Whether a colour profile is embedded.
    public var hasProfile = false
    /// The number of frames; only the first one is decoded unless the options keep animations.
    public var frames = 1

    /// Creates an opaque 8-bit RGB image description of the given size.
    package init(format: ImageFormat, width: Int, height: Int) {
        (self.format, self.width, self.height) = (format, width, height)
    }

    /// The pixels of an image whatever the limit is, so that products of its sides cannot overflow.
    private static let maxPixels = 1 << 40

    /// Throws `tooManyPixels` if the image exceeds the pixel limit; allocates nothing.
    package func check(_ limits: ImageLimits) throws(ImagingError) {
        let limit = min(limits.pixels, Self.maxPixels)
        let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
        guard !overflow, pixels <= limit else {
            throw ImagingError(.tooManyPixels, "\(width)x\(height) (limit \(limit))").of(format)
        }
    }

    /// The width of the image after ``orientation`` is applied.
    public var uprightWidth: Int { orientation > 4 ? height : width }
    /// The height of the image after ``orientation`` is applied.
    public var uprightHeight: Int { orientation > 4 ? width : height }
}

/// An image file format, detected from the file's content and never from its name.
///
/// Each format is described in a folder of `Codecs/`; `ImageFormat.allCases` is the list of all.
public struct ImageFormat: Sendable, Hashable {
    /// The format's name in messages, reports and manifests.
    public let name: String

    init(named name: String) { self.name = name }
}

extension ImageFormat: CustomStringConvertible {
    /// The format's name.
    public var description: String { name }
}
