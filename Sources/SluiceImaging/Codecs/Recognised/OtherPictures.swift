// SPDX-License-Identifier: MIT

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
