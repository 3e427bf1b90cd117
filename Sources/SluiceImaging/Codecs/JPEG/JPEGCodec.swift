// SPDX-License-Identifier: MIT

internal import CSluice

extension ImageFormat {
    /// JPEG, which most photographs use.
    public static let jpeg = ImageFormat(named: "jpeg")
}

extension ThumbnailOptions.Format {
    /// JPEG.
    public static let jpeg = fixed(.jpeg)
}

extension Codec {
    static let jpeg = Codec(
        format: .jpeg, title: "JPEG", mediaType: "image/jpeg", fileExtensions: ["jpg", "jpeg", "jpe", "jfif"],
        signatures: [ImageSignature(0xFF, 0xD8, 0xFF)], decoder: JPEGDecoder(), encoder: JPEGEncoder(),
        embed: { JPEGEmbedding.embed($0, in: $1) }, gainMaps: JPEGGainMapFile(),
        linkedLibrary: CodecVersion(name: "libjpeg-turbo", number: Int(csluice_jpeg_version()), base: 1000))
}
