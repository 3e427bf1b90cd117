// SPDX-License-Identifier: MIT

/// A format of the image files in a mirror, for modules that must not depend on the codecs.
///
/// `StoredFormatTests` compares this table with the list of codecs.
package struct StoredFormat: Sendable, Hashable {
    /// The name in manifests and receipts.
    package let name: String
    /// The file name extension, without the dot.
    package let fileExtension: String
    /// The media type in HTTP.
    package let mediaType: String
    /// The letter in the gallery's index: one lower-case ASCII letter, unique, and not ``otherLetter``.
    package let indexLetter: Unicode.Scalar
    /// Whether all current browsers show the format.
    package var isShownByBrowsers = true

    /// The gallery's letter for files of all other formats.
    package static let otherLetter: Unicode.Scalar = "o"

    package static let jpeg = StoredFormat(
        name: "jpeg", fileExtension: "jpg", mediaType: "image/jpeg", indexLetter: "j")
    package static let png = StoredFormat(
        name: "png", fileExtension: "png", mediaType: "image/png", indexLetter: "p")
    package static let webp = StoredFormat(
        name: "webp", fileExtension: "webp", mediaType: "image/webp", indexLetter: "w")

    package static let avif = StoredFormat(
        name: "avif", fileExtension: "avif", mediaType: "image/avif", indexLetter: "a")
    package static let heic = StoredFormat(
        name: "heic", fileExtension: "heic", mediaType: "image/heic", indexLetter: "h", isShownByBrowsers: false)
    package static let gif = StoredFormat(
        name: "gif", fileExtension: "gif", mediaType: "image/gif", indexLetter: "g")

    package static let tiff = StoredFormat(
        name: "tiff", fileExtension: "tiff", mediaType: "image/tiff", indexLetter: "i", isShownByBrowsers: false)

    package static let bmp = StoredFormat(
        name: "bmp", fileExtension: "bmp", mediaType: "image/bmp", indexLetter: "b")
    package static let qoi = StoredFormat(
        name: "qoi", fileExtension: "qoi", mediaType: "image/qoi", indexLetter: "q", isShownByBrowsers: false)

    package static let jxl = StoredFormat(
        name: "jxl", fileExtension: "jxl", mediaType: "image/jxl", indexLetter: "x", isShownByBrowsers: false)

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

    /// The formats that web pages use for drawings more than for photos.
    package static let usedForDrawings = [gif, png]

    /// The formats that Hugging Face `datasets` recognises as images in tar files.
    package static let readByDatasets = [jpeg, png, webp, gif]

    /// Every format that Sluice reads or writes.
    package static let all = [jpeg, png, webp, avif, heic, jxl, gif] + rawPhotos + [tiff, bmp, qoi]
}

extension StoredFormat {
    /// The format with this name; `nil` for an unknown name.
    package init?(named name: String) {
        guard let format = Self.all.first(where: { $0.name == name }) else { return nil }
        self = format
    }
}
