// SPDX-License-Identifier: MIT

internal import CLibraries
internal import CSluice

extension ImageFormat {
    /// TIFF, which archives, scanners and geographers use; Sluice reads it in sandboxed processes only.
    public static let tiff = ImageFormat(named: "tiff")
}

extension Codec {
    static let tiff = Codec(
        format: .tiff, title: "TIFF", mediaType: "image/tiff", fileExtensions: ["tiff", "tif"],
        signatures: [
            ImageSignature(0x49, 0x49, 0x2A, 0x00), ImageSignature(0x4D, 0x4D, 0x00, 0x2A),
            ImageSignature(0x49, 0x49, 0x2B, 0x00), ImageSignature(0x4D, 0x4D, 0x00, 0x2B),
        ],
        decoder: TIFFDecoder(),
        statedSize: { (window) throws(ImagingError) in
            let page = try TIFFLayout(&window).main
            return (page.width, page.height)
        },
        loader: CodecLoader(
            package: "libtiff6", load: { clibraries_load(clibraries_tiff) },
            library: {
                guard clibraries_is_loaded(clibraries_tiff) else { return nil }
                // For example "LIBTIFF, Version 4.5.0" and a copyright.
                let line = unsafe String(cString: csluice_tiff_version()).prefix { $0 != "\n" }
                return CodecVersion(name: "libtiff", version: String(line.drop { !$0.isNumber }))
            }), isRestricted: true,
        makeTestFile: { tiffTestFile })

    /// The self-test's picture without compression.
    private static var tiffTestFile: [UInt8] {
        let entries = [
            (256, 16), (257, 16), (258, 8), (259, 1), (262, 2), (273, 8), (277, 3), (278, 16),
            (279, testPicture.bytes.count),
        ]
        var directory = little(entries.count, 2)
        for (tag, value) in entries { directory += little(tag, 2) + little(4, 2) + little(1, 4) + little(value, 4) }
        return Array("II*\0".utf8) + little(8 + testPicture.bytes.count, 4) + testPicture.bytes + directory
            + little(0, 4)
    }

    private static func little(_ value: Int, _ count: Int) -> [UInt8] {
        (0..<count).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) }
    }
}
