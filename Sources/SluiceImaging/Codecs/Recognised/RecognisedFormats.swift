// SPDX-License-Identifier: MIT

/// Formats without a decoder, which are detected so that messages can name them.
extension Codec {
    static let jp2 = Codec(
        format: ImageFormat(named: "jp2"), title: "JPEG 2000", mediaType: "image/jp2",
        fileExtensions: ["jp2", "jpx", "j2k", "j2c"],
        signatures: [
            ImageSignature(0, 0, 0, 12, 0x6A, 0x50, 0x20, 0x20, 0x0D, 0x0A, 0x87, 0x0A),
            ImageSignature(0xFF, 0x4F, 0xFF, 0x51),
        ], statedSize: sizeOfJPEG2000)

    static let psd = Codec(
        format: ImageFormat(named: "psd"), title: "Photoshop", mediaType: "image/vnd.adobe.photoshop",
        fileExtensions: ["psd", "psb"],
        signatures: [1, 2].map { ImageSignature((0, Array("8BPS\0".utf8) + [$0])) }, statedSize: sizeOfPhotoshop)

    static let svg = Codec(
        format: ImageFormat(named: "svg"), title: "SVG", mediaType: "image/svg+xml", fileExtensions: ["svg"],
        signatures: [ImageSignature(test: isSVG)])

    /// Whether a text's first element is `svg`, after any declaration, comments and document type.
    private static func isSVG(_ bytes: [UInt8]) -> Bool {
        var rest = bytes[...]
        if rest.starts(with: [0xEF, 0xBB, 0xBF]) { rest = rest.dropFirst(3) }
        while true {
            rest = rest.drop { [0x09, 0x0A, 0x0D, 0x20].contains($0) }
            let end: String
            if rest.starts(with: Array("<?xml".utf8)) {
                end = "?>"
            } else if rest.starts(with: Array("<!--".utf8)) {
                end = "-->"
            } else {
                return ["<svg ", "<svg>", "<svg\t", "<svg\n", "<svg\r", "<svg:svg ", "<!DOCTYPE svg "].contains {
                    rest.starts(with: Array($0.utf8))
                }
            }
            guard let found = rest.firstRange(of: Array(end.utf8)) else { return false }
            rest = rest[found.upperBound...]
        }
    }
}
