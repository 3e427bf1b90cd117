// SPDX-License-Identifier: MIT

internal import CAVIF
internal import CLibraries

extension ImageFormat {
    /// AVIF, which is smaller than JPEG and can be transparent, deep or animated.
    public static let avif = ImageFormat(named: "avif")
}

extension ThumbnailOptions.Format {
    /// AVIF.
    public static let avif = fixed(.avif)
}

extension Codec {
    static let avif = Codec(
        format: .avif, title: "AVIF", mediaType: "image/avif", fileExtensions: ["avif"],
        signatures: ["avif", "avis"].map { ImageSignature(brand: $0) } + [
            ImageSignature(test: isCompatibleWithAVIF)
        ],
        decoder: AVIFDecoder(), encoder: AVIFEncoder(),
        loader: CodecLoader(
            package: "libavif", load: { clibraries_load(clibraries_avif) },
            library: {
                guard clibraries_is_loaded(clibraries_avif) else { return nil }
                return CodecVersion(name: "libavif", version: unsafe String(cString: avifVersion()))
            }))

    /// Whether a file of another HEIF brand says that readers of AVIF can read it.
    private static func isCompatibleWithAVIF(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 16, bytes[4..<12].elementsEqual("ftypmif1".utf8) else { return false }
        let end = min(bytes.count, Int(bytes[0..<4].number(bigEndian: true)))
        return stride(from: 16, through: end - 4, by: 4).contains {
            bytes[$0..<$0 + 4].elementsEqual("avif".utf8)
        }
    }
}

/// libavif, which is loaded when it is first needed.
enum AVIFLibrary {
    /// Whether the library finds the transparency of each tile of a grid.
    static var readsAlphaOfTiles: Bool { AVIF_VERSION_MAJOR >= 1 }

    /// Whether the library decodes with libaom, as Debian's does.
    static var hasCheckingDecoder: Bool {
        unsafe avifCodecName(AVIF_CODEC_CHOICE_AOM, AVIF_CODEC_FLAG_CAN_DECODE.rawValue) != nil
    }

    /// Throws `unsupported` if the library cannot be loaded.
    static func load() throws(ImagingError) {
        guard clibraries_load(clibraries_avif) else {
            throw ImagingError(.unsupported, "AVIF needs libavif, which cannot be loaded").of(.avif)
        }
    }
}
