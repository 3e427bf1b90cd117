// SPDX-License-Identifier: MIT

/// A picture that was made of an original.
public struct Thumbnail: Sendable, Hashable {
    /// The size that was asked for.
    public var size: ThumbnailSize
    /// The width that it came to.
    public var width: Int
    /// The height that it came to.
    public var height: Int
    /// What it is written as.
    public var format: ImageFormat
    /// The file.
    public var bytes: [UInt8]

    /// Makes a thumbnail of its parts, such as come back from another process.
    public init(size: ThumbnailSize, width: Int, height: Int, format: ImageFormat, bytes: [UInt8]) {
        self.size = size
        self.width = width
        self.height = height
        self.format = format
        self.bytes = bytes
    }
}

/// What came of one original.
public struct PictureResult: Sendable, Hashable {
    /// What the original is.
    public var info: ImageInfo
    /// The thumbnails, in the order of the sizes asked for.
    public var thumbnails: [Thumbnail]
    /// The colour that most of the picture has, as `#rrggbb`; `nil` if no thumbnail was made.
    public var color: String?
    /// A ThumbHash in Base64, to be shown until a thumbnail comes; `nil` if no thumbnail was made.
    public var placeholder: String?
    /// A 64-bit perceptual hash in 16 hexadecimal digits, to find copies by; `nil` if no thumbnail was made.
    ///
    /// Few bits differ between two copies of a photograph whose sizes, formats and qualities do; even ramps, which have
    /// hardly any waves, may differ in many. It is made of the smallest thumbnail, so one that was cropped is to be
    /// compared with such as were cropped alike.
    public var phash: String?
    /// What was odd about the file but did no harm.
    public var notes: [String]
    /// What is wrong with the file, `truncated` or `corrupt`: the thumbnails show what could be decoded of it.
    ///
    /// Always `nil` unless ``ThumbnailOptions/salvages`` is on: without it such a file fails.
    public var damage: ImagingError?

    /// Makes a result of its parts, such as come back from another process.
    public init(
        info: ImageInfo, thumbnails: [Thumbnail], color: String?, placeholder: String? = nil, phash: String? = nil,
        notes: [String], damage: ImagingError? = nil
    ) {
        self.info = info
        self.thumbnails = thumbnails
        self.color = color
        self.placeholder = placeholder
        self.phash = phash
        self.notes = notes
        self.damage = damage
    }
}
