// SPDX-License-Identifier: MIT

extension Codec {
    /// Documents and videos, which folders of pictures often contain.
    ///
    /// Their signatures are less specific than those of pictures, so they follow all of those in ``Codecs/all``.
    static let documents = [pdf, ico] + videos

    private static let pdf = Codec(
        format: ImageFormat(named: "pdf"), title: "PDF", mediaType: "application/pdf", fileExtensions: ["pdf"],
        signatures: [ImageSignature((0, Array("%PDF-".utf8)))])

    private static let ico = Codec(
        format: ImageFormat(named: "ico"), title: "Icon", mediaType: "image/vnd.microsoft.icon",
        fileExtensions: ["ico", "cur"], signatures: [ImageSignature(test: isIcon)])

    private static let videos = [
        Codec(
            format: ImageFormat(named: "mp4"), title: "MP4 or QuickTime video", mediaType: "video/mp4",
            fileExtensions: ["mp4", "mov", "m4v", "3gp"],
            signatures: [ImageSignature(test: isFilm)]
                + ["moov", "mdat", "wide"].map { ImageSignature((0, [0, 0]), (4, Array($0.utf8))) }),
        Codec(
            format: ImageFormat(named: "webm"), title: "WebM or Matroska video", mediaType: "video/webm",
            fileExtensions: ["webm", "mkv"], signatures: [ImageSignature(0x1A, 0x45, 0xDF, 0xA3)]),
        Codec(
            format: ImageFormat(named: "avi"), title: "AVI video", mediaType: "video/x-msvideo",
            fileExtensions: ["avi"], signatures: [ImageSignature((0, Array("RIFF".utf8)), (8, Array("AVI ".utf8)))]),
        Codec(
            format: ImageFormat(named: "mpeg"), title: "MPEG video", mediaType: "video/mpeg",
            fileExtensions: ["mpg", "mpeg", "vob"],
            signatures: [ImageSignature(0, 0, 1, 0xBA), ImageSignature(0, 0, 1, 0xB3)]),
    ]

    /// Whether a file starts with the brand of an ISO base media file; that of a picture has been recognised before.
    private static func isFilm(_ bytes: [UInt8]) -> Bool {
        bytes.count >= 12 && bytes[0..<2].elementsEqual([0, 0]) && bytes[4..<8].elementsEqual("ftyp".utf8)
    }

    /// Whether a file starts as a list of icons or cursors, the first of which lies after the list.
    private static func isIcon(_ bytes: [UInt8]) -> Bool {
        guard bytes.count >= 22, bytes[0] == 0, bytes[1] == 0, [1, 2].contains(bytes[2]), bytes[3] == 0 else {
            return false
        }
        let count = Int(bytes[4..<6].number(bigEndian: false))
        let start = Int(bytes[18..<22].number(bigEndian: false))
        return count > 0 && bytes[9] == 0 && start >= 6 + count * 16 && start < 1 << 20
    }
}
