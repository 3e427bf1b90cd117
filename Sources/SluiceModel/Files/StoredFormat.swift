// SPDX-License-Identifier: MIT

/// A format of the image files in a mirror, for modules that must not depend on the codecs.
///
/// `StoredFormatTests` compares this table with the list of codecs.
public struct StoredFormat: Sendable, Hashable {
    /// The name in manifests and receipts.
    public let name: String
    /// The file name extension, without the dot.
    public let fileExtension: String
    /// The media type in HTTP.
    public let mediaType: String
    /// The letter in the gallery's index: one lower-case ASCII letter, unique, and not ``otherLetter``.
    public let indexLetter: Unicode.Scalar
    /// Whether all current browsers show the format.
    public var isShownByBrowsers = true

    /// The gallery's letter for files of all other formats.
    public static let otherLetter: Unicode.Scalar = "o"

    /// JPEG.
    public static let jpeg = StoredFormat(
        name: "jpeg", fileExtension: "jpg", mediaType: "image/jpeg", indexLetter: "j")
    /// PNG.
    public static let png = StoredFormat(
        name: "png", fileExtension: "png", mediaType: "image/png", indexLetter: "p")
    /// WebP.
    public static let webp = StoredFormat(
        name: "webp", fileExtension: "webp", mediaType: "image/webp", indexLetter: "w")

    /// AVIF.
    public static let avif = StoredFormat(
        name: "avif", fileExtension: "avif", mediaType: "image/avif", indexLetter: "a")
    /// HEIC.
    public static let heic = StoredFormat(
        name: "heic", fileExtension: "heic", mediaType: "image/heic", indexLetter: "h", isShownByBrowsers: false)
    /// GIF.
    public static let gif = StoredFormat(
        name: "gif", fileExtension: "gif", mediaType: "image/gif", indexLetter: "g")

    /// The raw formats of cameras.
    private static let rawPhotos = [
        raw("cr2", "x-canon-cr2", "c"), raw("cr3", "x-canon-cr3", "d"), raw("dng", "x-adobe-dng", "e"),
        raw("nef", "x-nikon-nef", "n"), raw("arw", "x-sony-arw", "s"), raw("pef", "x-pentax-pef", "t"),
        raw("raf", "x-fuji-raf", "f"), raw("orf", "x-olympus-orf", "l"), raw("rw2", "x-panasonic-rw2", "r"),
    ]

    private static func raw(_ name: String, _ mediaType: String, _ letter: Unicode.Scalar) -> StoredFormat {
        StoredFormat(
            name: name, fileExtension: name, mediaType: "image/\(mediaType)", indexLetter: letter,
            isShownByBrowsers: false)
    }

    /// The formats that Hugging Face `datasets` recognises as images in tar files.
    public static let readByDatasets = [jpeg, png, webp, gif]

    /// Every format that Sluice reads or writes.
    public static let all = [jpeg, png, webp, avif, heic, gif] + rawPhotos
}

extension StoredFormat {
    /// The format with this name; `nil` for an unknown name.
    public init?(named name: String) {
        guard let format = Self.all.first(where: { $0.name == name }) else { return nil }
        self = format
    }
}
