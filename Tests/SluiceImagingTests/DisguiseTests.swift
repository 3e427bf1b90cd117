// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

/// Fault D8: files that are an image and also something else.
@Suite("Disguises", .timeLimit(.minutes(10))) struct DisguiseTests {
    static let script = "<script>alert(1)</script>"
    static let formats = ImageFormat.encodable.map { ThumbnailOptions.Format.fixed($0) }

    /// Makes an image that contains a page where the format has room for it, followed by an archive.
    static func disguised(_ format: ImageFormat) throws -> [UInt8] {
        let image = SampleImages.landscape(40, 30)
        let plain = try SampleImages.file(format, image)
        let page = Array(script.utf8)
        let archive: [UInt8] = [0x50, 0x4B, 0x03, 0x04, 20, 0, 0, 0] + page
        return FormatFixture.of(format).insert(.comment(page), plain, image.width, image.height) + archive
    }

    @Test("Thumbnails contain none of an image's hidden content", arguments: ImageFormat.encodable, formats)
    func hidden(source: ImageFormat, format: ThumbnailOptions.Format) throws {
        let file = try Self.disguised(source)
        #expect(Self.holds(file, Self.script))
        for wanted in [[], [.exif, .copyright, .gps]] as [Set<ThumbnailOptions.Metadata>] {
            var options = ThumbnailOptions()
            options.format = format
            options.keptMetadata = wanted
            let result = try Thumbnailer(options).thumbnails(of: file)
            #expect(result.info.format == source && !Self.holds(result.thumbnails[0].bytes, "script"))
        }
    }

    @Test("A page or an archive before an image is not an image", arguments: ImageFormat.encodable)
    func first(format: ImageFormat) throws {
        for start in [Array("<!doctype html>".utf8), [0x50, 0x4B, 0x03, 0x04]] as [[UInt8]] {
            #expect(failure(of: start + (try Self.disguised(format)))?.code == .notAnImage)
        }
    }

    private static func holds(_ file: [UInt8], _ text: String) -> Bool {
        let wanted = Array(text.utf8)
        return file.indices.contains { file[$0...].starts(with: wanted) }
    }
}
