// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

@Suite("Image headers", .timeLimit(.minutes(10))) struct ImageHeaderTests {
    static let signatures: [([UInt8], ImageFormat)] = [
        ([0xFF, 0xD8, 0xFF, 0xE0], .jpeg),
        (FileBuilder.pngSignature, .png),
        (Array("RIFF\0\0\0\0WEBPVP8 ".utf8), .webp),
        (Array("GIF89a".utf8), .gif),
        (Array("\0\0\0\u{18}ftypavif".utf8), .avif),
        (Array("\0\0\0\u{18}ftypheic".utf8), .heic),
        ([0xFF, 0x0A], .jxl),
        ([0x49, 0x49, 0x2A, 0x00], .tiff),
        (Array("BM\u{1}\0\0\0\0\0\0\0".utf8), .bmp),
        ([0x49, 0x49, 0x2A, 0, 16, 0, 0, 0, 0x43, 0x52, 2, 0], named("cr2")),
        (Array("\0\0\0\u{18}ftypcrx ".utf8), named("cr3")),
        (Array("FUJIFILMCCD-RAW 0201".utf8), named("raf")),
        (Array("IIRO\u{8}\0\0\0".utf8), named("orf")),
        ([0x49, 0x49, 0x55, 0, 24, 0, 0, 0], named("rw2")),
        (tiff([(0xFE, 1), (0x14A, 100)], make: "NIKON CORPORATION"), named("nef")),
        (tiff([(0xFE, 1), (0x14A, 100)], make: "SONY"), named("arw")),
        // A PEF describes the sensor's data first. Sluice took it for a TIFF.
        (tiff([(0x106, 32803)], make: "PENTAX Corporation"), named("pef")),
        (tiff([(0x106, 32803)], make: "RICOH IMAGING COMPANY, LTD.  "), named("pef")),
        (tiff([(0x106, 2)], make: "RICOH IMAGING COMPANY, LTD.  "), .tiff),
        (tiff([(0xFE, 1), (0xC612, 4)], make: "Google"), named("dng")),
        (tiff([(0xFE, 0)], make: "NIKON CORPORATION"), .tiff),
        (Array("\0\0\0\u{c}jP  \r\n".utf8) + [0x87, 0x0A], named("jp2")),
        ([0xFF, 0x4F, 0xFF, 0x51], named("jp2")),
        (Array("8BPS\0\u{1}".utf8), named("psd")),
        (Array("DDS |\0\0\0".utf8), named("dds")), ([0x76, 0x2F, 0x31, 0x01, 2], named("exr")),
        (Array("#?RADIANCE\n".utf8), named("hdr")), (Array("icns\0\0".utf8), named("icns")),
        (Array("FORM\0\0\0\u{9}ILBMBMHD".utf8), named("ilbm")), ([0x49, 0x49, 0xBC, 0x01], named("jxr")),
        (Array("P6\n# made\n8 8\n".utf8), named("pnm")), (Array("P7\nWIDTH 8\n".utf8), named("pnm")),
        ([10, 5, 1, 8] + [UInt8](repeating: 0, count: 124), named("pcx")), (Array("gimp xcf v".utf8), named("xcf")),
        ([0x01, 0xDA, 1, 1, 0, 3] + [UInt8](repeating: 0, count: 506), named("sgi")),
        (Array("/* XPM */".utf8), named("xpm")), ([0xAB] + Array("KTX 11".utf8), named("ktx")),
        (Array("<svg xmlns=\"http://www.w3.org/2000/svg\">".utf8), named("svg")),
        (Array("\u{FEFF}<?xml version=\"1.0\"?>\n<!-- <p> -->\n<svg>".utf8), named("svg")),
        (Array("<?xml version=\"1.0\"?>\n<!DOCTYPE svg PUBLIC>".utf8), named("svg")),
        (Array("%PDF-1.7\n".utf8), named("pdf")),
        ([0, 0, 1, 0, 1, 0, 16, 16, 0, 0, 1, 0, 32, 0, 0, 4, 0, 0, 22, 0, 0, 0], named("ico")),
        (Array("\0\0\0\u{18}ftypisom".utf8), named("mp4")), (Array("\0\0\0\u{14}ftypqt  ".utf8), named("mp4")),
        (Array("\0\0\0\u{8}wide\0\0\0\0mdat".utf8), named("mp4")),
        ([0x1A, 0x45, 0xDF, 0xA3, 0x9F], named("webm")), (Array("RIFF\0\0\0\0AVI LIST".utf8), named("avi")),
        ([0, 0, 1, 0xBA, 0x44], named("mpeg")),
    ]

    private static func named(_ name: String) -> ImageFormat { ImageFormat(named: name) }

    /// Makes the start of a TIFF file with these tags and the name of a maker.
    private static func tiff(_ tags: [(Int, Int)], make: String) -> [UInt8] {
        let entries = tags.map { EXIFBlocks.long($0.0, $0.1, bigEndian: true) } + [EXIFBlocks.text(0x010F, make)]
        return EXIFWriter(isBigEndian: true).block(main: entries, exif: [], gps: [])
    }

    @Test(
        "Other documents are not pictures",
        arguments: ["<?xml version=\"1.0\"?><rss>", "<!DOCTYPE html><svg>", "<svgs>", "<!-- <svg> ", "<?xml"])
    func documents(text: String) {
        #expect(ImageFormat(sniffing: Array(text.utf8)) == nil)
    }

    @Test("Formats are detected by content", arguments: signatures)
    func sniffing(bytes: [UInt8], format: ImageFormat) {
        #expect(ImageFormat(sniffing: bytes) == format)
    }

    static let refusals: [(String, ImagingError.Code)] = [
        ("", .emptyInput), ("<!DOCTYPE html>", .notAnImage), ("RIFF\0\0\0\0WAVE", .notAnImage),
        ("RIF", .truncated), ("ab\n", .notAnImage), ("GIF89a\u{1}\0\u{1}\0", .truncated),
        ("8BPS\0\u{1}", .unsupported), ("%PDF-1.4", .unsupported), (String(repeating: "\0", count: 24), .notAnImage),
    ]

    @Test("Other content is rejected by kind, and possible starts of images are truncated", arguments: refusals)
    func refusal(text: String, code: ImagingError.Code) {
        #expect(failure { () throws(ImagingError) in try ImageInfo(bytes: Array(text.utf8)) }?.code == code)
    }

    @Test("The refusal of a known format names it, as its own text and for the counts")
    func named() {
        let refusal = failure { () throws(ImagingError) in try ImageInfo(bytes: Array("%PDF-1.4".utf8)) }
        #expect(refusal?.detail == "Sluice cannot read PDF" && refusal?.format == Self.named("pdf"))
        let cut = failure { () throws(ImagingError) in try ImageInfo(bytes: FileBuilder.pngSignature) }
        #expect(cut?.code == .truncated && cut?.format == .png)
    }

    @Test("The header is read from the first bytes", arguments: ImageFormat.encodable)
    func header(format: ImageFormat) throws {
        let file = try SampleImages.file(format, SampleImages.landscape(300, 200))
        let start = Array(file.prefix(640))
        let info = try ImageInfo(bytes: start)
        #expect(info.format == format && info.width == 300 && info.height == 200 && info.orientation == 1)
        #expect(!info.hasAlpha && !info.isProgressive && !info.hasProfile && info.frames == 1)
    }

    @Test("Headers report progressive, interlaced, grey, 16-bit and transparent images")
    func kinds() throws {
        #expect(try ImageInfo(bytes: SampleImages.file(.jpeg, progressive: true)).isProgressive)
        #expect(
            try ImageInfo(bytes: SampleImages.file(.jpeg, SampleImages.plain(8, 8, .grey, [7]))).colorModel == .grey)
        let deep =
            FileBuilder.pngSignature + FileBuilder.header(width: 3, height: 2, depth: 16, colors: 6, interlaced: true)
        let info = try ImageInfo(bytes: deep + FileBuilder.chunk("IDAT", []))
        #expect(info.bitDepth == 16 && info.hasAlpha && info.isProgressive)
        #expect(
            try ImageInfo(bytes: SampleImages.file(.webp, SampleImages.plain(8, 8, .rgba, [1, 2, 3, 99]))).hasAlpha)
    }
}
