// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

/// Row D8 of the faults: files that are pictures and something else beside.
@Suite("Disguises") struct DisguiseTests {
    static let script = "<script>alert(1)</script>"
    static let formats: [ThumbnailOptions.Format] = [.jpeg, .png, .webp]

    /// A page within every kind of picture, where each has room for it, and behind its end.
    static func disguised(_ format: ImageFormat) throws -> [UInt8] {
        let picture = Pictures.landscape(40, 30)
        let plain = try Pictures.file(format, picture)
        let page = Array(script.utf8)
        let archive: [UInt8] = [0x50, 0x4B, 0x03, 0x04] + page
        switch format {
        case .jpeg: return Files.jpeg(plain, inserting: Files.segment(0xFE, page) + Files.segment(0xED, page)) + archive
        case .png:
            return Files.png(plain, inserting: Files.chunk("tEXt", Array("Comment\0".utf8) + page)) + archive
        default:
            let chunk = Files.riffChunk("XMP ", page)
            return Files.extendedWebP(plain, width: 40, height: 30, flags: 4, after: chunk) + archive
        }
    }

    @Test("Nothing of what a picture hides is in its thumbnail", arguments: [ImageFormat.jpeg, .png, .webp], formats)
    func hidden(source: ImageFormat, format: ThumbnailOptions.Format) throws {
        let file = try Self.disguised(source)
        #expect(Self.holds(file, Self.script))
        for keeps in [[], [.exif, .copyright, .gps]] as [Set<ThumbnailOptions.Metadata>] {
            var options = ThumbnailOptions()
            options.format = format
            options.keeps = keeps
            let result = try Thumbnailer(options).thumbnails(of: file)
            #expect(result.info.format == source && !Self.holds(result.thumbnails[0].bytes, "script"))
        }
    }

    @Test("A page or an archive is no picture, though one follows", arguments: [ImageFormat.jpeg, .png, .webp])
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
