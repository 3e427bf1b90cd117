// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

@Suite("Raw photos", .timeLimit(.minutes(2))) struct RAWTests {
    private static let names = ImageFormat.rawPhotos.map(\.name)
    private static let picture = SampleImages.landscape(40, 30)
    private static let preview = (try? SampleImages.file(.jpeg, picture)) ?? []

    private static func little(_ values: Int...) -> [UInt8] {
        values.flatMap { value in (0..<4).map { UInt8(truncatingIfNeeded: value >> ($0 * 8)) } }
    }

    private static func entry(_ tag: UInt8, _ tagHigh: UInt8, type: UInt8 = 4, count: Int = 1, _ value: Int) -> [UInt8]
    {
        [tag, tagHigh, type, 0] + little(count, value)
    }

    /// Makes a CR2 with one directory, followed by data that starts at offset 200.
    private static func file(_ entries: [[UInt8]], next: Int = 0, _ data: [UInt8]) -> [UInt8] {
        let start = Array("II*\0".utf8) + little(16) + [0x43, 0x52, 2, 0, 0, 0, 0, 0]
        let directory = [UInt8(entries.count), 0] + entries.joined() + little(next)
        return start + directory + [UInt8](repeating: 0, count: 200 - start.count - directory.count) + data
    }

    @Test("The preview is decoded, upright by the orientation of the raw photo", arguments: names)
    func preview(name: String) throws {
        let file = RAWTestFile.bytes(as: name, preview: Self.preview, orientation: 6)
        let info = try ImageInfo(bytes: file)
        #expect(info.format.name == name && info.width == 40 && info.height == 30)
        // RAF has no orientation of its own, so that of the preview counts.
        #expect(info.orientation == (name == "raf" ? 1 : 6))
        #expect(try decode(file) == decode(Self.preview))
        let thumbnail = try Thumbnailer().thumbnails(of: file).thumbnails[0]
        #expect(thumbnail.width == (name == "raf" ? 40 : 30))
    }

    @Test("A preview of a portrait keeps its own orientation if the raw photo states none")
    func ownOrientation() throws {
        let turned = FormatFixture.of(.jpeg).insert(.exif(EXIFBlock.block(orientation: 8)), Self.preview, 40, 30)
        #expect(try ImageInfo(bytes: RAWTestFile.bytes(as: "raf", preview: turned)).orientation == 8)
        #expect(try ImageInfo(bytes: RAWTestFile.bytes(as: "cr2", preview: turned, orientation: 3)).orientation == 3)
    }

    @Test("Of several previews the one with the most pixels is used, in strips, maker's notes or by its own tags")
    func largest() throws {
        let small = try SampleImages.file(.jpeg, SampleImages.landscape(16, 12))
        func info(_ data: [UInt8], _ entries: [[UInt8]]) throws -> ImageInfo {
            try ImageInfo(bytes: Self.file(entries, data))
        }
        let places = [Self.entry(1, 2, 200), Self.entry(2, 2, small.count)]
        let strips = [Self.entry(0x11, 1, 200 + small.count), Self.entry(0x17, 1, Self.preview.count)]
        #expect(try info(small + Self.preview, places).width == 16)
        #expect(try info(small + Self.preview, strips).width == 40)
        #expect(try info(small + Self.preview, places + strips).width == 40)
        #expect(try info(small + Self.preview, [Self.entry(0x2E, 0, type: 7, count: small.count, 200)]).width == 16)
        // The colours of a sensor: the strip is no preview.
        let sensor = places + strips + [Self.entry(6, 1, 32803)]
        #expect(try info(small + Self.preview, sensor).width == 16)

        // A Panasonic RW2 keeps the sensor's data where other tags say.
        let elsewhere = [Self.entry(0x11, 1, 0xFFFF_FFFF), Self.entry(0x17, 1, 1000)]
        #expect(failure(of: Self.file(places + elsewhere, small)) == nil)

        let settings = [1, 0] + Self.entry(0x20, 0x20, 40) + Self.little(0)
        let olympus = [2, 0] + Self.entry(1, 1, 80) + Self.entry(2, 1, Self.preview.count) + Self.little(0)
        let notes =
            Array("OLYMPUS\0II\u{3}\0".utf8) + settings + [UInt8](repeating: 0, count: 40 - 12 - settings.count)
            + olympus + [UInt8](repeating: 0, count: 40 - olympus.count) + Self.preview
        #expect(try info(notes, [Self.entry(0x7C, 0x92, type: 7, count: notes.count, 200)]).width == 40)
    }

    @Test("A CR3's track has a larger preview than its box")
    func track() throws {
        func box(_ type: String, _ content: [UInt8]) -> [UInt8] {
            UInt32(content.count + 8).bigEndianBytes + Array(type.utf8) + content
        }
        func film(_ start: Int) -> [UInt8] {
            let sizes = box("stsz", [0, 0, 0, 0] + UInt32(Self.preview.count).bigEndianBytes + [0, 0, 0, 1])
            let places = box("co64", [0, 0, 0, 0, 0, 0, 0, 1, 0, 0, 0, 0] + UInt32(start).bigEndianBytes)
            return box("moov", box("trak", box("mdia", box("minf", box("stbl", sizes + places)))))
        }
        let small = RAWTestFile.bytes(as: "cr3", preview: try SampleImages.file(.jpeg, SampleImages.landscape(16, 12)))
        let start = small.count + film(0).count + 8
        let file = small + film(start) + box("mdat", Self.preview)
        #expect(try ImageInfo(bytes: small).width == 16 && ImageInfo(bytes: file).width == 40)
        #expect(try decode(file) == decode(Self.preview))
    }

    @Test("A raw photo without a usual preview is unsupported, in words")
    func none() throws {
        let lossless: [UInt8] = [0xFF, 0xD8] + FileBuilder.frame(width: 40, height: 30, marker: 0xC3) + [0xFF, 0xD9]
        for data in [lossless, [UInt8](repeating: 7, count: 100), [0xFF, 0xD8, 0xFF, 0xD9]] {
            let file = Self.file([Self.entry(1, 2, 200), Self.entry(2, 2, data.count)], data)
            let refusal = failure(of: file)
            #expect(refusal?.code == .unsupported && refusal?.detail == "raw photo without a JPEG preview")
            #expect(refusal?.format?.name == "cr2")
        }
    }

    @Test("Every prefix that has the directories is truncated, decoded or only checked", arguments: names)
    func truncation(name: String) throws {
        let preview = try SampleImages.file(.jpeg, SampleImages.landscape(8, 8))
        let file = RAWTestFile.bytes(as: name, preview: preview)
        var checkOnly = ThumbnailOptions()
        checkOnly.sizes = []
        for count in file.count - preview.count..<file.count {
            let prefix = Array(file.prefix(count))
            #expect(failure(of: prefix)?.code == .truncated && failure(of: prefix, checkOnly)?.code == .truncated)
        }
    }

    @Test("A raw photo that lacks data of the sensor is truncated, and salvaged whole")
    func missingData() throws {
        let places = [Self.entry(1, 2, 200), Self.entry(2, 2, Self.preview.count)]
        let tiles = [Self.entry(0x44, 1, 200 + Self.preview.count), Self.entry(0x45, 1, 1000)]
        let data = Self.preview + [UInt8](repeating: 1, count: 1000)
        let file = Self.file(places + tiles, data)
        let whole = try Thumbnailer().thumbnails(of: file)
        let cut = Array(file.dropLast())
        #expect(failure(of: cut)?.code == .truncated)
        var options = ThumbnailOptions()
        options.salvages = true
        let salvaged = try Thumbnailer(options).thumbnails(of: cut)
        #expect(salvaged.thumbnails == whole.thumbnails && salvaged.damage?.code == .truncated)
        #expect(try Thumbnailer(options).thumbnails(of: file).damage == nil)
    }

    @Test("A raw photo that lacks its largest preview is truncated, and salvaged with a smaller one")
    func missingPreview() throws {
        let small = try SampleImages.file(.jpeg, SampleImages.landscape(16, 12))
        let places = [Self.entry(1, 2, 200), Self.entry(2, 2, small.count)]
        let strips = [Self.entry(0x11, 1, 200 + small.count), Self.entry(0x17, 1, Self.preview.count)]
        let cut = Array(Self.file(places + strips, small + Self.preview).dropLast(100))
        #expect(failure(of: cut)?.code == .truncated)
        var options = ThumbnailOptions()
        options.salvages = true
        let salvaged = try Thumbnailer(options).thumbnails(of: cut)
        #expect(salvaged.thumbnails[0].width == 16 && salvaged.damage?.code == .truncated)
        // Nothing can be salvaged without a complete preview.
        #expect(failure(of: Array(cut.prefix(200 + small.count / 2)), options)?.code == .truncated)
    }

    @Test("The preview's profile and credits are found", arguments: names)
    func metadata(name: String) throws {
        let fixture = FormatFixture.of(.jpeg)
        let profile = [UInt8](repeating: 5, count: 300)
        let packet = Array("<x:xmpmeta xmlns:x='adobe:ns:meta/'/>".utf8)
        let preview = fixture.insert(.xmp(packet), fixture.insert(.profile(profile), Self.preview, 40, 30), 40, 30)
        let input = ImageInput(RAWTestFile.bytes(as: name, preview: preview))
        let header = try ImageHeader(of: input)
        #expect(try header.readProfile(input) == profile)
        let found = try #require(header.creditLocations.xmp)
        #expect(try input.read(at: found.lowerBound, count: found.count) == packet)
    }

    @Test("Directories in a circle, very many and huge ones end soon")
    func hostile() {
        let places = [Self.entry(1, 2, 200), Self.entry(2, 2, Self.preview.count)]
        #expect(failure(of: Self.file(places, next: 16, Self.preview)) == nil)
        let chain: [UInt8] = (0..<2000).flatMap { [0, 0] + Self.little(206 + $0 * 6) }
        #expect(failure(of: Self.file([], next: 200, chain))?.code == .unsupported)
        #expect(failure(of: Self.file([], next: 200, [0xFF, 0xFF] + chain))?.code == .badChunk)
        // Subdirectories and strips that claim four thousand million values.
        for tag: (UInt8, UInt8) in [(0x4A, 1), (0x11, 1), (0x17, 1)] {
            let file = Self.file(places + [Self.entry(tag.0, tag.1, count: 0xFFFF_FFFF, 16)], Self.preview)
            #expect([.truncated, .badChunk, nil].contains(failure(of: file)?.code))
        }
        let far = [Self.entry(1, 2, 0xFFFF_FFFF), Self.entry(2, 2, 0xFFFF_FFFF)]
        #expect(failure(of: Self.file(far, Self.preview))?.code == .unsupported)
    }
}
