// SPDX-License-Identifier: MIT

internal import CSluice

/// Writes images of one format.
protocol ImageEncoding: Sendable {
    /// The features that files of the format can store.
    var capabilities: EncoderCapabilities { get }
    /// Encodes an image with exactly the metadata in the settings.
    func encode(_ raster: Raster, _ settings: ImageEncoder) throws(ImagingError) -> [UInt8]
    /// Returns whether files of the format may carry a colour profile, which is valid and for such images.
    func accepts(profile: [UInt8], isGrey: Bool) -> Bool
}

extension ImageEncoding {
    func accepts(profile: [UInt8], isGrey: Bool) -> Bool { true }
}

/// The features that files of one format can store, and the settings of their encoder.
struct EncoderCapabilities: Sendable {
    /// The maximum width and height in pixels.
    let maxSide: Int
    /// Whether the format supports transparency; without it, images are flattened before encoding.
    var keepsAlpha = false
    /// Whether grey images have only one channel, so that they can carry a grey profile.
    var keepsGrey = false
    /// Whether the encoder has a quality setting.
    var hasQuality = false
    /// The kinds of subsampling that can give the smallest file of certain looks, the most likely first.
    var smallSubsamplings: [ThumbnailOptions.Subsampling] = []
    /// Whether the encoder can keep every visible pixel unchanged if asked to; the quality is then ignored.
    var canBeLossless = false
}

/// Copies the output of a C encoder and frees it; throws if the encoder failed.
func takeOutput(
    of format: ImageFormat, _ status: CodecStatus, _ bytes: UnsafeMutablePointer<UInt8>?, _ count: Int,
    release: (UnsafeMutablePointer<UInt8>) -> Void
) throws(ImagingError) -> [UInt8] {
    guard status != .memory else { throw ImagingError(.decodeLimit, "no memory for the \(format.title) encoder") }
    guard status == .ok, let bytes = unsafe bytes else {
        throw ImagingError(.internal, "\(format.name) encoder failed")
    }
    defer { unsafe release(bytes) }
    return unsafe [UInt8](UnsafeBufferPointer(start: bytes, count: count))
}

/// Writes animations of one format.
protocol AnimationEncoding: ImageEncoding {
    /// Starts an animation that is played `loops` times, or for ever if that is 0.
    func makeAnimation(
        width: Int, height: Int, loops: Int, _ settings: ImageEncoder
    ) throws(ImagingError) -> any AnimationWriting
}

/// An animation that is being written.
protocol AnimationWriting: AnyObject {
    /// Adds a frame of the animation's size, which is shown from `milliseconds` after the start on.
    func add(_ raster: Raster, at milliseconds: Int) throws(ImagingError)
    /// Ends the animation `milliseconds` after its start, and returns the file.
    func finish(at milliseconds: Int) throws(ImagingError) -> [UInt8]
}

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
    /// Whether a JPEG is written by Sluice's own encoder, which takes fewer bytes and more time than libjpeg-turbo.
    ///
    /// In a search for a score, subsampling then is chosen as well.
    package var isCompact = false
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
