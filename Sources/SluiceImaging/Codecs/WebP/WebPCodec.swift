// SPDX-License-Identifier: MIT

internal import CWebP

extension ImageFormat {
    /// WebP, which is smaller than JPEG and can be transparent, lossless or animated.
    public static let webp = ImageFormat(named: "webp")
}

extension ThumbnailOptions.Format {
    /// WebP.
    public static let webp = fixed(.webp)
}

extension Codec {
    static let webp = Codec(
        format: .webp, title: "WebP", mediaType: "image/webp", fileExtensions: ["webp"],
        signatures: [ImageSignature((0, Array("RIFF".utf8)), (8, Array("WEBP".utf8)))], decoder: WebPDecoder(),
        encoder: WebPEncoder(),
        embed: { WebPEmbedding.embed($0, in: $1) },
        linkedLibrary: CodecVersion(name: "libwebp", number: Int(WebPGetDecoderVersion()), base: 256))
}
