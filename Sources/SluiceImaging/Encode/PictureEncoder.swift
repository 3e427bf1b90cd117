// SPDX-License-Identifier: MIT

/// Makes picture files of pixels: the same pixels and settings always give the same bytes.
public struct PictureEncoder: Sendable, Hashable {
    /// The format to write: JPEG, PNG or WebP.
    public var format: ImageFormat
    /// The quality of JPEG and WebP, 1 to 100.
    public var quality = 80
    /// Whether a JPEG is progressive.
    public var isProgressive = false
    /// How finely a JPEG keeps colour.
    public var subsampling = ThumbnailOptions.Subsampling.half
    /// Whether a WebP keeps every visible pixel as it is; ``quality`` then has no say.
    public var isLossless = false
    /// Whether transparency is kept, where the format can; else the picture is put on white.
    public var keepsAlpha = true
    /// The EXIF orientation that is written, 1 to 8; 1 writes none.
    ///
    /// The pixels are not turned.
    public var orientation = 1 {
        willSet { precondition((1...8).contains(newValue), "EXIF knows eight orientations") }
        didSet { metadata.exif = orientation == 1 ? [] : EXIFBlock.saying(orientation: orientation) }
    }
    /// What is written beside the pixels.
    var metadata = PictureMetadata()

    /// Makes an encoder with the defaults.
    public init(_ format: ImageFormat) { self.format = format }

    /// Encodes pixels of four bytes: red, green, blue, and an alpha that is not multiplied in.
    ///
    /// `pixels` holds exactly `width * height` of them, in rows from the top.
    public func encode(_ pixels: [UInt8], width: Int, height: Int) throws(ImagingError) -> [UInt8] {
        precondition(width > 0 && height > 0 && pixels.count == width * height * 4, "pixels fill the picture")
        return try encode(Raster(width: width, height: height, layout: .rgba, bytes: pixels))
    }

    /// Encodes a picture that is in sRGB or grey.
    func encode(_ raster: Raster) throws(ImagingError) -> [UInt8] {
        guard let encoder = Encoders.encoder(for: format) else {
            throw ImagingError(.unsupported, "writing \(format.name)")
        }
        let most = encoder.mostPixelsASide
        guard raster.width <= most, raster.height <= most else {
            throw ImagingError(
                .tooManyPixels, "\(raster.width)x\(raster.height) as \(format.name) (limit \(most) a side)")
        }
        return try encoder.encode(keepsAlpha && encoder.keepsAlpha ? raster : raster.flattened, self)
    }
}
