// SPDX-License-Identifier: MIT

/// Encodes pixels as an image file; the same pixels and settings always give the same bytes.
public struct ImageEncoder: Sendable, Hashable {
    /// The format to write: JPEG, PNG or WebP.
    public var format: ImageFormat
    /// The quality of JPEG and WebP, 1 to 100.
    public var quality = 80
    /// Whether a JPEG is progressive.
    public var isProgressive = false
    /// The chroma subsampling of a JPEG.
    public var subsampling = ThumbnailOptions.Subsampling.half
    /// Whether a WebP keeps every visible pixel unchanged; ``quality`` is then ignored.
    public var isLossless = false
    /// Whether to keep transparency if the format can; otherwise the image is drawn on white.
    public var keepsAlpha = true
    /// The EXIF orientation to write, 1 to 8; 1 writes none.
    ///
    /// The pixels are not rotated.
    public var orientation = 1 {
        willSet { precondition((1...8).contains(newValue), "EXIF defines eight orientations") }
        didSet { metadata.exif = orientation == 1 ? [] : EXIFBlock.block(orientation: orientation) }
    }
    /// The metadata to write.
    var metadata = ImageMetadata()

    /// Makes an encoder with default settings.
    public init(_ format: ImageFormat) { self.format = format }

    /// Encodes RGBA pixels with straight (not premultiplied) alpha.
    ///
    /// `pixels` holds exactly `width * height` pixels of four bytes, row by row from the top.
    public func encode(_ pixels: [UInt8], width: Int, height: Int) throws(ImagingError) -> [UInt8] {
        precondition(
            width > 0 && height > 0 && pixels.count == width * height * 4, "`pixels` has width * height RGBA values")
        return try encode(Raster(width: width, height: height, layout: .rgba, bytes: pixels))
    }

    /// Encodes an image that is in sRGB or grey.
    func encode(_ raster: Raster) throws(ImagingError) -> [UInt8] {
        guard let encoder = Encoders.encoder(for: format) else {
            throw ImagingError(.unsupported, "cannot write \(format.name)")
        }
        let limit = encoder.maxSide
        guard raster.width <= limit, raster.height <= limit else {
            throw ImagingError(
                .tooManyPixels, "\(raster.width)x\(raster.height) as \(format.name) (limit \(limit) per side)")
        }
        return try encoder.encode(keepsAlpha && encoder.keepsAlpha ? raster : raster.flattened, self)
    }
}

/// The metadata to write into an image file.
struct ImageMetadata: Sendable, Hashable {
    /// The colour profile; empty for none.
    var profile: [UInt8] = []
    /// The EXIF block, starting with the TIFF header; empty for none.
    var exif: [UInt8] = []

    var isEmpty: Bool { profile.isEmpty && exif.isEmpty }
}

extension ImageEncoder {
    /// Encodes an image at the highest quality, up to the encoder's own, that gives at most `limit` bytes.
    ///
    /// A binary search over the qualities takes at most eight attempts. It may miss a higher quality that also fits,
    /// because sizes do not strictly grow with quality, but it never returns a file above the limit if any attempt
    /// fits. If none fits, the result has the lowest quality. Formats without a quality setting are encoded once.
    func encode(_ raster: Raster, atMost limit: Int?, _ watchdog: DecodeWatchdog) throws(ImagingError) -> [UInt8] {
        let first = try encode(raster)
        guard let limit, first.count > limit, hasQualitySetting else { return first }
        var attempt = self
        var best: [UInt8]?
        var last = first
        var low = 1
        var high = quality - 1
        while low <= high {
            try watchdog.check()
            attempt.quality = (low + high) / 2
            last = try attempt.encode(raster)
            if last.count <= limit {
                best = last
                low = attempt.quality + 1
            } else {
                high = attempt.quality - 1
            }
        }
        return best ?? last
    }

    private var hasQualitySetting: Bool { format == .jpeg || (format == .webp && !isLossless) }
}

extension ThumbnailOptions {
    /// Returns the encoder for one thumbnail.
    func encoder(for image: Raster, _ metadata: ImageMetadata) -> ImageEncoder {
        var encoder = ImageEncoder(format.format(for: image))
        encoder.quality = quality
        encoder.isProgressive = isProgressive
        encoder.subsampling = subsampling
        encoder.isLossless = isLossless
        encoder.metadata = metadata
        return encoder
    }
}

extension ThumbnailOptions.Format {
    /// Returns the format to write an image in.
    fileprivate func format(for image: Raster) -> ImageFormat {
        switch self {
        case .jpeg: .jpeg
        case .webp: .webp
        case .png: .png
        case .auto: image.layout.hasAlpha ? .png : .jpeg
        }
    }
}
