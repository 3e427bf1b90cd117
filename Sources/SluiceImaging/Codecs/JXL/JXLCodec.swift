// SPDX-License-Identifier: MIT

internal import CAVIF
internal import CSluice

extension ImageFormat {
    /// JPEG XL, into which JPEGs can be packed without loss; Sluice reads it in sandboxed processes only.
    public static let jxl = ImageFormat(named: "jxl")
}

extension Codec {
    static let jxl = Codec(
        format: .jxl, title: "JPEG XL", mediaType: "image/jxl", fileExtensions: ["jxl"],
        signatures: [
            ImageSignature(0xFF, 0x0A), ImageSignature(0, 0, 0, 12, 0x4A, 0x58, 0x4C, 0x20, 0x0D, 0x0A, 0x87, 0x0A),
        ],
        decoder: JXLDecoder(),
        statedSize: { (window) throws(ImagingError) in
            let info = try ImageHeader.jxl(&window).info
            return (info.width, info.height)
        },
        loader: CodecLoader(
            package: jxlPackage, load: { csluice_jxl_load() },
            library: {
                let number = Int(csluice_jxl_version())
                return number == 0 ? nil : CodecVersion(name: "libjxl", number: number, base: 1000)
            }), isRestricted: true,
        makeTestFile: { jxlTestFile })

    /// Whether the command was built with the libraries of Debian 13, which has libavif 1.0 or later.
    private static var isDebian13: Bool { AVIF_VERSION_MAJOR >= 1 }

    /// The library's package, whose name has the version.
    static let jxlPackage = isDebian13 ? "libjxl0.11" : "libjxl0.7"

    /// The self-test's picture as a JPEG XL of cjxl without loss.
    private static let jxlTestFile: [UInt8] = [
        0xFF, 0x0A, 0x43, 0x40, 0x40, 0x71, 0x21, 0x08, 0x02, 0x01, 0x00, 0xB8, 0x00, 0x4B, 0x18, 0x93, 0x8E, 0x83,
        0x83, 0x29, 0x11, 0xE3, 0x06, 0xC4, 0x23, 0x5D, 0x31, 0x06, 0x2F, 0x8D, 0x31, 0x78, 0xE9, 0x05, 0x02, 0x02,
        0x90, 0x81, 0x3E, 0x1A, 0x00, 0x00, 0xE4, 0xD4, 0x10, 0x00, 0x40, 0x00, 0x40, 0x06, 0xA9, 0x95, 0xCE, 0xFB,
        0x90, 0x46, 0x07, 0x78, 0x3C,
    ]
}
