// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

/// Metadata that is written into picture files.
@Suite("Embedded metadata", .timeLimit(.minutes(10))) struct EmbeddingTests {
    /// A picture of an odd size, so that chunks need padding.
    private static func file(_ format: ImageFormat, lossless: Bool = false) throws -> [UInt8] {
        var encoder = ImageEncoder(format)
        encoder.isLossless = lossless
        let pixels = (0..<(4 * 33 * 17)).map { UInt8(truncatingIfNeeded: $0 * 7) }
        return try encoder.encode(pixels, width: 33, height: 17)
    }

    private static func xmp(_ text: String) -> EmbeddedMetadata {
        var metadata = EmbeddedMetadata()
        metadata.xmp = { _ in Array(text.utf8) }
        return metadata
    }

    @Test(
        "A packet is written, read again and replaced, and the file stays readable",
        arguments: [(ImageFormat.jpeg, false), (.png, false), (.webp, false), (.webp, true)])
    func roundTrip(format: ImageFormat, lossless: Bool) throws {
        let file = try Self.file(format, lossless: lossless)
        let first = try #require(format.embedding(Self.xmp("<one/>"), in: file))
        // A file that has the packet already stays as it is.
        #expect(format.embedding(Self.xmp("<one/>"), in: first) == nil)
        var metadata = EmbeddedMetadata()
        metadata.xmp = { ($0 ?? []) + Array("<two/>".utf8) }
        let second = try #require(format.embedding(metadata, in: first))
        #expect(second.firstRange(of: Array("<one/><two/>".utf8)) != nil && second.count - first.count == 6)
        #expect(try decode(second) == decode(file))
    }

    @Test("No beginning of a file and no changed byte of its structure ends the process")
    func damaged() throws {
        for format in [ImageFormat.jpeg, .png, .webp] {
            var metadata = Self.xmp("<one/>")
            metadata.iptc = [1, 2, 3]
            let file = try #require(format.embedding(metadata, in: try Self.file(format)))
            for count in 0..<min(file.count, 600) {
                _ = format.embedding(Self.xmp("<two/>"), in: Array(file.prefix(count)))
                for byte: UInt8 in [0, 0x7F, 0xFF] {
                    var changed = file
                    changed[count] = byte
                    _ = format.embedding(metadata, in: changed)
                }
            }
        }
    }

    @Test("IPTC is added once, beside other resources of Photoshop, and a file's own record stays")
    func iptc() throws {
        var metadata = EmbeddedMetadata()
        metadata.iptc = [0x1C, 2, 80, 0, 1, 0x41]
        let file = try Self.file(.jpeg)
        let first = try #require(ImageFormat.jpeg.embedding(metadata, in: file))
        #expect(ImageFormat.jpeg.embedding(metadata, in: first) == nil)
        let other = Array("Photoshop 3.0\0".utf8) + Array("8BIM".utf8) + [0x03, 0xED, 0, 0, 0, 0, 0, 2, 7, 7]
        let segment = [0xFF, 0xED, 0, UInt8(other.count + 2)] + other
        let both = try #require(ImageFormat.jpeg.embedding(metadata, in: [0xFF, 0xD8] + segment + file.dropFirst(2)))
        #expect(both.firstRange(of: [0x03, 0xED, 0, 0, 0, 0, 0, 2, 7, 7]) != nil)
        #expect(both.count == file.count + segment.count + 12 + 6)
        #expect(ImageFormat.jpeg.embedding(metadata, in: both) == nil)
        #expect(try ImageFormat.png.embedding(metadata, in: Self.file(.png)) == nil)
    }

    @Test("Signed files, files with a list of pictures in them, and other formats stay as they are")
    func refused() throws {
        let jpeg = try Self.file(.jpeg)
        for (marker, name) in [(UInt8(0xEB), "JP"), (0xE2, "MPF\0")] {
            let segment = [0xFF, marker, 0, UInt8(name.utf8.count + 2)] + Array(name.utf8)
            #expect(ImageFormat.jpeg.embedding(Self.xmp("x"), in: [0xFF, 0xD8] + segment + jpeg.dropFirst(2)) == nil)
        }
        let png = try Self.file(.png)
        let signature = [0, 0, 0, 0] + Array("caBX".utf8) + [0, 0, 0, 0]
        let signed = Array(png[..<33]) + signature + Array(png[33...])
        #expect(ImageFormat.png.embedding(Self.xmp("x"), in: signed) == nil)
        // A packet that does not fit into a segment.
        #expect(ImageFormat.jpeg.embedding(Self.xmp(String(repeating: "x", count: 65_600)), in: jpeg) == nil)
        #expect(!ImageFormat.gif.embedsMetadata && ImageFormat.webp.embedsMetadata)
    }
}
