// SPDX-License-Identifier: MIT

internal import CSluice

extension ImageFormat {
    /// PNG, which is lossless and can be transparent.
    public static let png = ImageFormat(named: "png")
}

extension ThumbnailOptions.Format {
    /// PNG.
    public static let png = fixed(.png)
}

extension Codec {
    static let png = Codec(
        format: .png, title: "PNG", mediaType: "image/png", fileExtensions: ["png"],
        signatures: [ImageSignature(0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A)], decoder: PNGDecoder(),
        encoder: PNGEncoder(),
        embed: { PNGEmbedding.embed($0, in: $1) },
        linkedLibrary: CodecVersion(name: "libpng", number: Int(csluice_png_version()), base: 100))
}
