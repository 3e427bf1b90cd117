// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

@Suite("Gain maps", .timeLimit(.minutes(10))) struct GainMapTests {
    private static let note = "the gain map for HDR displays is not kept"
    private static let picture = SampleImages.landscape(40, 30)
    private static let secondPicture = FileBuilder.segment(0xE2, Array("MPF\0MM\0*".utf8))
    private static let properties = FileBuilder.segment(
        0xE1,
        Array(
            """
            http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/"><r xmlns:hdrgm=\
            "http://ns.adobe.com/hdr-gain-map/1.0/" hdrgm:Version="1.0"/></x:xmpmeta>
            """.utf8))

    /// Returns the notes about a JPEG with more segments and a second picture after its end.
    private static func notes(_ segments: [UInt8]) throws -> [String] {
        let file = try SampleImages.file(.jpeg, picture)
        let result = try Thumbnailer().thumbnails(of: FileBuilder.jpeg(file, inserting: segments) + file)
        #expect(try result.thumbnails == Thumbnailer().thumbnails(of: file).thumbnails)
        return result.notes
    }

    @Test("The base picture is used, and a note says that the gain map is lost")
    func noted() throws {
        #expect(try Self.notes(Self.properties + Self.secondPicture) == [Self.note])
        let standard = FileBuilder.segment(0xE2, Array("urn:iso:std:iso:ts:21496:-1\0\0\0\0\0".utf8))
        #expect(try Self.notes(standard) == [Self.note])
    }

    @Test("An AVIF shows its base picture, too")
    func avif() throws {
        let file = try SampleImages.file(.avif, Self.picture)
        let result = try Thumbnailer().thumbnails(of: AVIFParts(file).addingGainMap())
        #expect(result.notes == [Self.note])
        #expect(try result.thumbnails == Thumbnailer().thumbnails(of: file).thumbnails)
    }

    @Test("A second picture alone, as many cameras write it, is no gain map")
    func others() throws {
        #expect(try Self.notes(Self.secondPicture).isEmpty)
        #expect(try Self.notes(Self.properties).isEmpty)
        #expect(try Self.notes([]).isEmpty)
    }
}
