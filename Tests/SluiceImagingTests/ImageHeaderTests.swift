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
    ]

    @Test("Formats are detected by content", arguments: signatures)
    func sniffing(bytes: [UInt8], format: ImageFormat) {
        #expect(ImageFormat(sniffing: bytes) == format)
    }

    static let refusals: [(String, ImagingError.Code)] = [
        ("", .emptyInput), ("<!DOCTYPE html>", .notAnImage), ("RIFF\0\0\0\0WAVE", .notAnImage),
        ("RIF", .truncated), ("GIF89a\u{1}\0\u{1}\0", .unsupported),
    ]

    @Test("Other content is rejected by kind, and possible starts of images are truncated", arguments: refusals)
    func refusal(text: String, code: ImagingError.Code) {
        #expect(failure { () throws(ImagingError) in try ImageInfo(bytes: Array(text.utf8)) }?.code == code)
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
