// SPDX-License-Identifier: MIT

/// What a picture's header says, found without decoding.
public struct ImageInfo: Sendable, Hashable {
    /// What the samples mean.
    public enum ColorModel: String, Sendable, Hashable {
        case grey, rgb, cmyk
    }

    /// The file's format.
    public var format: ImageFormat
    /// The width in pixels as stored, before ``orientation``.
    public var width: Int
    /// The height in pixels as stored, before ``orientation``.
    public var height: Int
    /// How the stored picture must be turned to stand upright: EXIF's 1 to 8; 1 is as it is.
    public var orientation = 1
    /// What the samples mean.
    public var colorModel = ColorModel.rgb
    /// The bits of one sample.
    public var bitDepth = 8
    /// Whether the picture can be transparent.
    public var hasAlpha = false
    /// Whether it comes in several passes, each finer than the one before.
    public var isProgressive = false
    /// Whether a colour profile is embedded.
    public var hasProfile = false
    /// How many frames there are; only the first is used.
    public var frames = 1

    /// Makes the plainest picture of a size.
    public init(format: ImageFormat, width: Int, height: Int) {
        self.format = format
        self.width = width
        self.height = height
    }

    /// Reads the header of an open file, whose position does not matter and stays.
    ///
    /// Only the first kilobytes are read, whatever the file claims.
    public init(descriptor: Int32) throws(ImagingError) {
        self = try PictureHeader(of: PictureBytes(descriptor: descriptor)).info
    }

    /// Reads the header from a file's first bytes; fails as `truncated` while they do not suffice.
    public init(bytes: [UInt8]) throws(ImagingError) {
        self = try PictureHeader(of: PictureBytes(bytes)).info
    }

    /// Refuses a picture that is too big, by its header and before anything is allocated.
    public func check(_ limits: ImageLimits) throws(ImagingError) {
        let (pixels, overflow) = width.multipliedReportingOverflow(by: height)
        guard !overflow, pixels <= limits.pixels else {
            throw ImagingError(.tooManyPixels, "\(width)x\(height) (limit \(limits.pixels))")
        }
    }

    /// The width of the upright picture.
    public var uprightWidth: Int { orientation > 4 ? height : width }
    /// The height of the upright picture.
    public var uprightHeight: Int { orientation > 4 ? width : height }
}
