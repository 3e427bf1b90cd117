// SPDX-License-Identifier: MIT

/// The thumbnails that options make of an image, as far as the image's header tells.
///
/// A process that receives thumbnails from another one compares them with it.
package struct ExpectedThumbnails {
    /// The bytes of an encoded pixel at most; PNG takes up to four, and no encoder twice as many.
    private static let bytesPerPixel = 8
    /// The bytes of a file's headers and tables at most, without a colour profile.
    private static let overhead = 256 << 10

    private let options: ThumbnailOptions
    private let isAnimated: Bool
    private let frames: Int
    private let sizes: [(width: Int, height: Int)]

    /// Computes the sizes of the thumbnails of an image with this header.
    package init(of info: ImageInfo, _ options: ThumbnailOptions) throws(ImagingError) {
        self.options = options
        frames = info.frames
        isAnimated = options.animation == .keep && info.frames > 1
        var sizes: [(width: Int, height: Int)] = []
        for size in options.sizes { sizes.append(try ThumbnailPlan(size, of: info, options).result) }
        self.sizes = sizes
    }

    /// The number of bytes that all thumbnails take at most.
    package var maxBytes: Int {
        let pixels = sizes.reduce(0) { $0 + $1.width * $1.height }
        let frames = isAnimated ? min(self.frames, options.maxFrames(pixels: pixels)) : 1
        let profile = options.profile == .keep ? ImageHeader.maxProfileBytes : 0
        let bytes = sizes.reduce(0.0) { sum, size in
            sum + Double(size.width) * Double(size.height) * Double(Self.bytesPerPixel * frames)
                + Double(Self.overhead + profile)
        }
        return Int(min(bytes, 1e15))
    }

    /// Whether these are pictures of the expected formats and sizes; reads only their headers.
    package func matches(_ thumbnails: [Thumbnail]) -> Bool {
        thumbnails.count == sizes.count
            && zip(thumbnails, sizes).allSatisfy { thumbnail, size in
                guard formats.contains(thumbnail.format), (thumbnail.width, thumbnail.height) == size,
                    let info = try? ImageHeader(of: ImageInput(thumbnail.bytes)).info
                else { return false }
                return info.format == thumbnail.format && (info.width, info.height) == size && info.orientation == 1
            }
    }

    private var formats: Set<ImageFormat> {
        isAnimated ? options.format.formats.union([.webp]) : options.format.formats
    }
}
