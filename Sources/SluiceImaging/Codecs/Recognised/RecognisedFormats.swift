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

extension Codec {
    /// Pictures of drawing programs, games, scanners and renderers, which are kept without thumbnails.
    static let otherPictures = [
        picture(
            "dds", "DirectDraw texture", "image/vnd-ms.dds", ImageSignature((0, Array("DDS ".utf8) + [124, 0, 0, 0]))),
        picture("exr", "OpenEXR", "image/x-exr", ImageSignature(0x76, 0x2F, 0x31, 0x01)),
        picture("hdr", "Radiance", "image/vnd.radiance", ImageSignature((0, Array("#?RADIANCE".utf8)))),
        picture("icns", "Apple icon", "image/icns", ImageSignature((0, Array("icns\0".utf8)))),
        picture(
            "ilbm", "Interleaved bitmap", "image/x-ilbm",
            ImageSignature((0, Array("FORM".utf8)), (8, Array("ILBM".utf8))),
            ImageSignature((0, Array("FORM".utf8)), (8, Array("PBM ".utf8)))),
        picture("jxr", "JPEG XR", "image/jxr", ImageSignature(0x49, 0x49, 0xBC, 0x01)),
        picture("ktx", "Khronos texture", "image/ktx", ImageSignature((0, [0xAB] + Array("KTX ".utf8)))),
        picture("pcx", "PCX", "image/vnd.zbrush.pcx", ImageSignature(test: isPCX)),
        picture("pnm", "Netpbm", "image/x-portable-anymap", ImageSignature(test: isNetpbm)),
        picture("sgi", "SGI", "image/sgi", ImageSignature(test: isSGI)),
        picture("xcf", "GIMP", "image/x-xcf", ImageSignature((0, Array("gimp xcf ".utf8)))),
        picture("xpm", "X pixmap", "image/x-xpixmap", ImageSignature((0, Array("/* XPM */".utf8)))),
    ]

    /// Describes a format whose name is its file extension.
    private static func picture(
        _ name: String, _ title: String, _ mediaType: String, _ signatures: ImageSignature...
    ) -> Codec {
        Codec(
            format: ImageFormat(named: name), title: title, mediaType: mediaType,
            fileExtensions: name == "pnm" ? ["pnm", "pbm", "pgm", "ppm", "pam"] : [name], signatures: signatures)
    }

    /// Whether a file starts as a PCX: its version, run lengths, and bits of a sample.
    private static func isPCX(_ bytes: [UInt8]) -> Bool {
        bytes.count >= 128 && bytes[0] == 10 && [0, 2, 3, 4, 5].contains(bytes[1]) && bytes[2] == 1
            && [1, 2, 4, 8].contains(bytes[3]) && bytes[64] == 0
    }

    /// Whether a file starts as one of Netpbm: its number, and after blanks a width or a comment.
    private static func isNetpbm(_ bytes: [UInt8]) -> Bool {
        let blanks: Set<UInt8> = [0x09, 0x0A, 0x0D, 0x20]
        guard bytes.count > 8, bytes[0] == UInt8(ascii: "P"), blanks.contains(bytes[2]) else { return false }
        let next = bytes.dropFirst(2).first { !blanks.contains($0) } ?? 0
        switch bytes[1] {
        case UInt8(ascii: "1")...UInt8(ascii: "6"):
            return next == UInt8(ascii: "#") || (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(next)
        case UInt8(ascii: "7"): return next == UInt8(ascii: "#") || next == UInt8(ascii: "W")
        default: return false
        }
    }

    /// Whether a file starts as one of SGI: its number, runs or none, bytes of a sample, and up to three dimensions.
    private static func isSGI(_ bytes: [UInt8]) -> Bool {
        bytes.count >= 512 && bytes[0] == 0x01 && bytes[1] == 0xDA && bytes[2] <= 1 && [1, 2].contains(bytes[3])
            && bytes[4] == 0 && [1, 2, 3].contains(bytes[5])
    }
}

extension ImageFormat {
    /// The size that the header of a file states, for some formats that are only recognised; `nil` for others.
    ///
    /// The header is not checked any further.
    package func statedSize(ofFileAt descriptor: Int32) -> (width: Int, height: Int)? {
        do throws(ImagingError) {
            var window = ByteWindow(try ImageInput(descriptor: descriptor))
            let size = try Codecs.codec(of: self).statedSize?(&window)
            return size.flatMap { (1..<1 << 30).contains($0.width) && (1..<1 << 30).contains($0.height) ? $0 : nil }
        } catch {
            return nil
        }
    }
}

extension Codec {
    /// Reads the size of a bitmap, whose height is below zero if its rows go from top to bottom.
    @Sendable static func sizeOfBitmap(
        _ window: inout ByteWindow
    ) throws(ImagingError) -> (width: Int, height: Int)? {
        let values = try window.bytes(at: 18, count: 8)
        let height = Int32(truncatingIfNeeded: values.suffix(4).number(bigEndian: false))
        return (Int(values.prefix(4).number(bigEndian: false)), Int(height.magnitude))
    }

    @Sendable static func sizeOfPhotoshop(
        _ window: inout ByteWindow
    ) throws(ImagingError) -> (width: Int, height: Int)? {
        (try window.uint32(at: 18), try window.uint32(at: 14))
    }

    /// Reads the size of a JPEG 2000 from its header box, which is near the start.
    @Sendable static func sizeOfJPEG2000(
        _ window: inout ByteWindow
    ) throws(ImagingError) -> (width: Int, height: Int)? {
        let start = try window.bytes(at: 0, count: min(window.count, 512))
        guard let name = start.firstRange(of: Array("ihdr".utf8)) else { return nil }
        let box = name.upperBound - start.startIndex
        return (try window.uint32(at: box + 4), try window.uint32(at: box))
    }
}
