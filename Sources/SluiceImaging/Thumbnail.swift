// SPDX-License-Identifier: MIT

/// A thumbnail of an image.
public struct Thumbnail: Sendable, Hashable {
    /// The requested size.
    public var size: ThumbnailSize
    /// The actual width in pixels.
    public var width: Int
    /// The actual height in pixels.
    public var height: Int
    /// The format of the encoded file.
    public var format: ImageFormat
    /// The encoded file.
    public var bytes: [UInt8]

    /// Creates a thumbnail from its parts, for example after decoding in another process.
    package init(size: ThumbnailSize, width: Int, height: Int, format: ImageFormat, bytes: [UInt8]) {
        (self.size, self.width, self.height, self.format, self.bytes) = (size, width, height, format, bytes)
    }
}

/// The result of processing one image: its thumbnails and the facts derived from its pixels.
public struct ThumbnailResult: Sendable, Hashable {
    /// The properties of the original.
    public var info: ImageInfo
    /// The thumbnails, in the order of the requested sizes.
    public var thumbnails: [Thumbnail]
    /// The dominant colour as `#rrggbb`; `nil` if no thumbnail was made.
    public var color: String?
    /// A ThumbHash in Base64 to show while the thumbnail loads; `nil` if no thumbnail was made.
    public var placeholder: String?
    /// A 64-bit perceptual hash in 16 hexadecimal digits, for finding copies; `nil` if no thumbnail was made.
    ///
    /// The hashes of two copies of a photograph differ in few bits, even if sizes, formats and qualities differ. Smooth
    /// gradients have few frequencies, so their hashes may differ more. The hash is computed from the smallest
    /// thumbnail; compare cropped thumbnails only with thumbnails of the same crop.
    public var phash: String?
    /// The pixels of the smallest thumbnail that ``ThumbnailOptions/sampling`` asks for.
    package var sample: [UInt8] = []
    /// Irregularities in the file that did no harm.
    public var notes: [String]
    /// The file's damage, `truncated` or `corrupt`; the thumbnails show what could be decoded.
    ///
    /// Always `nil` unless ``ThumbnailOptions/salvages`` is on, because without it a damaged file fails.
    public var damage: ImagingError?

    /// The number of places of ``sample`` in each direction.
    package static let sampleSide = 128

    /// Creates a result from its parts, for example after decoding in another process.
    package init(
        info: ImageInfo, thumbnails: [Thumbnail], color: String?, placeholder: String? = nil, phash: String? = nil,
        notes: [String], damage: ImagingError? = nil
    ) {
        (self.info, self.thumbnails, self.color, self.placeholder) = (info, thumbnails, color, placeholder)
        (self.phash, self.notes, self.damage) = (phash, notes, damage)
    }
}

/// The time spent in each stage of thumbnailing.
package struct ImagingTimes: Sendable, Hashable {
    package var decode = Duration.zero
    /// Time spent scaling, rotating, cropping and converting colours.
    package var resample = Duration.zero
    package var encode = Duration.zero

    package init() {}

    /// Adds the duration of `body` to a stage.
    static func measured<Value, Problem: Error>(
        _ part: inout Duration, _ body: () throws(Problem) -> Value
    ) throws(Problem) -> Value {
        let start = ContinuousClock.now
        defer { part += ContinuousClock.now - start }
        return try body()
    }
}
