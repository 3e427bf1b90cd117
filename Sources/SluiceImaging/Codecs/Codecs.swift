// SPDX-License-Identifier: MIT

/// The image formats that Sluice knows.
///
/// Everything that lists formats reads this list: detection, options, `doctor`, file names, media types, benchmarks and
/// fuzz targets. To add a format, describe it in a folder beside this file and add it here.
enum Codecs {
    static let all: [Codec] =
        [.jpeg, .png, .webp, .avif, .heic, .jxl, .gif] + Codec.rawPhotos + [.tiff, .bmp, .qoi, .jp2, .psd, .svg]
        + Codec.otherPictures + Codec.documents

    private static let byFormat = Dictionary(uniqueKeysWithValues: all.map { ($0.format, $0) })

    /// Returns the description of a format.
    static func codec(of format: ImageFormat) -> Codec {
        guard let codec = byFormat[format] else { preconditionFailure("\(format) is not in the list of codecs") }
        return codec
    }

    /// Returns the decoder for a format; throws `unsupported` for a format that is only recognised.
    static func decoder(for format: ImageFormat) throws(ImagingError) -> any ImageDecoding {
        guard let decoder = codec(of: format).decoder else {
            throw ImagingError(.unsupported, "Sluice cannot read \(format.title)")
        }
        return decoder
    }

    /// Returns the format that a file's first bytes identify.
    static func format(of bytes: [UInt8]) -> ImageFormat? {
        all.first { codec in codec.signatures.contains { $0.matches(bytes) } }?.format
    }

    /// Returns whether the bytes are too few to detect a format but match the start of a known signature.
    static func couldStart(with bytes: [UInt8]) -> Bool {
        all.contains { codec in codec.signatures.contains { $0.isPartialMatch(bytes) } }
    }
}
