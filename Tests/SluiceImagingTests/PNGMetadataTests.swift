// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

@Suite("PNG metadata", .timeLimit(.minutes(10))) struct PNGMetadataTests {
    static let plain = (try? SampleImages.file(.png)) ?? []

    /// An EXIF block as ImageMagick stores it.
    static func text(of block: [UInt8], prefix: [UInt8] = Array("Exif\0\0".utf8)) -> [UInt8] {
        let digits = Array("0123456789abcdef".utf8)
        var text = Array("\nexif\n      \(block.count + prefix.count)\n".utf8)
        for (index, byte) in (prefix + block).enumerated() {
            text += [digits[Int(byte >> 4)], digits[Int(byte & 15)]]
            if index % 36 == 35 { text.append(UInt8(ascii: "\n")) }
        }
        return text + [UInt8(ascii: "\n")]
    }

    /// A chunk with a text under a keyword.
    static func chunk(_ name: String, _ keyword: String, _ text: [UInt8], compressed: Bool = false) -> [UInt8] {
        let body = compressed ? FileBuilder.zlib(text) : text
        let fields: [UInt8] =
            switch name {
            case "tEXt": []
            case "zTXt": [0]
            default: [compressed ? 1 : 0, 0] + Array("en\0EXIF\0".utf8)
            }
        return FileBuilder.chunk(name, Array(keyword.utf8) + [0] + fields + body)
    }

    static func profile(_ name: String, orientation: Int, compressed: Bool = false) -> [UInt8] {
        chunk(
            name, "Raw profile type exif", text(of: EXIFBlock.block(orientation: orientation)), compressed: compressed)
    }

    static func xmp(_ statement: String, name: String = "iTXt", compressed: Bool = false) -> [UInt8] {
        let packet = "<x:xmpmeta><rdf:RDF><rdf:Description \(statement)</rdf:Description></rdf:RDF></x:xmpmeta>"
        return chunk(name, "XML:com.adobe.xmp", Array(packet.utf8), compressed: compressed)
    }

    static func exif(_ orientation: Int) -> [UInt8] {
        FileBuilder.chunk("eXIf", EXIFBlock.block(orientation: orientation))
    }

    /// Inserts chunks before the end chunk.
    static func file(before: [UInt8] = [], after: [UInt8] = []) -> [UInt8] {
        let file = FileBuilder.png(plain, inserting: before)
        return Array(file.dropLast(12)) + after + file.suffix(12)
    }

    static let cases: [(String, file: [UInt8], orientation: Int)] = [
        ("eXIf", file(before: exif(6)), 6),
        ("eXIf after the pixels", file(after: exif(6)), 6),
        ("text", file(before: profile("tEXt", orientation: 6)), 6),
        ("compressed text", file(before: profile("zTXt", orientation: 5, compressed: true)), 5),
        ("international text", file(before: profile("iTXt", orientation: 8)), 8),
        ("compressed international text", file(before: profile("iTXt", orientation: 7, compressed: true)), 7),
        ("text after the pixels", file(after: profile("zTXt", orientation: 3, compressed: true)), 3),
        (
            "text without the prefix of JPEG",
            file(
                before: chunk(
                    "tEXt", "Raw profile type exif", text(of: EXIFBlock.block(orientation: 6), prefix: []))), 6
        ),
        ("XMP", file(before: xmp(#"tiff:Orientation="6">"#)), 1),
        ("eXIf before text", file(before: profile("tEXt", orientation: 6) + exif(3)), 3),
        ("a later eXIf before text", file(before: profile("tEXt", orientation: 6), after: exif(3)), 3),
        ("an earlier eXIf before a later", file(before: exif(3), after: exif(6)), 3),
        ("the last of two texts", file(before: profile("tEXt", orientation: 6) + profile("tEXt", orientation: 8)), 8),
        ("text before XMP", file(before: xmp(#"tiff:Orientation="6">"#) + profile("tEXt", orientation: 8)), 8),
        ("eXIf before XMP", file(before: xmp(#"tiff:Orientation="6">"#) + exif(1)), 1),
        ("another text", file(before: chunk("tEXt", "Raw profile type iptc", Array("\n\n\n00".utf8))), 1),
    ]

    @Test("The orientation is found wherever EXIF is, and that in XMP does not count", arguments: cases)
    func orientation(name: String, file: [UInt8], orientation: Int) throws {
        let result = try Thumbnailer().thumbnails(of: file)
        #expect(result.info.orientation == orientation && result.notes.isEmpty)
        let isTall = orientation > 4
        #expect(result.thumbnails[0].width == (isTall ? 16 : 24) && result.thumbnails[0].height == (isTall ? 24 : 16))
    }

    @Test("An impossible orientation is ignored with a note, and XMP does not replace it")
    func impossible() throws {
        let exif = FileBuilder.chunk("eXIf", EXIFBlock.block(orientation: 9))
        let result = try Thumbnailer().thumbnails(of: Self.file(before: Self.xmp(#"tiff:Orientation="6">"#) + exif))
        #expect(result.info.orientation == 1 && result.notes == ["EXIF ignored: orientation 9"])
    }

    static let broken: [(String, [UInt8])] = [
        ("no digits", Array("\nexif\n4\nzz".utf8)), ("an odd digit", Array("\nexif\n4\n4d4".utf8)),
        ("too few lines", Array("\nexif\n4d4d".utf8)), ("no block", Array("\nexif\n2\n4d4d".utf8)),
    ]

    @Test("A broken text is ignored with a note", arguments: broken)
    func brokenText(name: String, text: [UInt8]) throws {
        let result = try Thumbnailer().thumbnails(
            of: Self.file(before: Self.chunk("tEXt", "Raw profile type exif", text)))
        #expect(result.info.orientation == 1)
        #expect(result.notes.count == 1 && result.notes[0].hasPrefix("EXIF ignored:"))
    }

    @Test("A text that unpacks to more than a megabyte is ignored with a note")
    func bomb() throws {
        let text = [UInt8](repeating: 0x20, count: 3 << 20)
        let chunk = Self.chunk("zTXt", "Raw profile type exif", text, compressed: true)
        // The stream is stored, so that its own size is above the limit, too; a cut one cannot be unpacked at all.
        for body in [chunk, Self.chunk("zTXt", "Raw profile type exif", [1, 2, 3])] {
            let result = try Thumbnailer().thumbnails(of: Self.file(before: body))
            #expect(result.notes == ["EXIF ignored: its text cannot be unpacked"])
        }
    }

    @Test("Kept metadata come from a text, too")
    func kept() throws {
        var options = ThumbnailOptions()
        options.format = .png
        options.keptMetadata = [.exif]
        let made = try Thumbnailer(options).thumbnails(
            of: Self.file(before: Self.profile("zTXt", orientation: 6, compressed: true)))
        let header = try ImageHeader(of: ImageInput(made.thumbnails[0].bytes))
        #expect(header.exif != nil && header.info.orientation == 1)
    }

    @Test("Damage after the pixels does not change the header")
    func damage() throws {
        let cut = Array(Self.file(before: Self.profile("tEXt", orientation: 6), after: Self.exif(3)).dropLast(20))
        let info = try ImageInfo(bytes: cut)
        #expect(info.orientation == 6 && info.width == 24)
        #expect(failure(of: cut)?.code == .truncated)
    }
}
