// SPDX-License-Identifier: MIT

extension ThumbnailOptions {
    /// How finely a JPEG's colour is kept, by the usual names.
    public enum Subsampling: String, Sendable, Hashable, CaseIterable {
        /// One colour for four pixels: small, and enough for photographs.
        case half = "420"
        /// One colour for two pixels side by side.
        case columns = "422"
        /// Each pixel its own: for text, drawings and red edges.
        case full = "444"
    }

    /// The encoder of one picture's thumbnail.
    func encoder(for picture: Raster, _ metadata: PictureMetadata) -> PictureEncoder {
        var encoder = PictureEncoder(format.format(for: picture))
        encoder.quality = quality
        encoder.isProgressive = isProgressive
        encoder.subsampling = subsampling
        encoder.isLossless = isLossless
        encoder.metadata = metadata
        return encoder
    }
}

extension ThumbnailOptions.Format {
    /// What a picture is written as.
    fileprivate func format(for picture: Raster) -> ImageFormat {
        switch self {
        case .jpeg: .jpeg
        case .webp: .webp
        case .png: .png
        case .auto: picture.layout.hasAlpha ? .png : .jpeg
        }
    }
}
