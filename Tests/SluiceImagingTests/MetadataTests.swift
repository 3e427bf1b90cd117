// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

@Suite("Metadata", .timeLimit(.minutes(10))) struct MetadataTests {
    static let formats = ImageFormat.encodable.map { ThumbnailOptions.Format.fixed($0) }

    /// The entries of a block by directory.
    struct ParsedEXIF {
        var main: [Int: EXIFReader.Entry] = [:]
        var exif: [Int: EXIFReader.Entry] = [:]
        var gps: [Int: EXIFReader.Entry] = [:]
        /// The offset of the directory after the first, which holds the preview; 0 for none.
        var next = 0

        init(_ block: [UInt8]) throws {
            let reader = try EXIFReader(block)
            let first = try reader.firstDirectory
            main = try Self.entries(reader, first)
            if let pointer = main[0x8769] { exif = try Self.entries(reader, Self.number(pointer, reader)) }
            if let pointer = main[0x8825] { gps = try Self.entries(reader, Self.number(pointer, reader)) }
            next = try reader.number(at: first + 2 + main.count * 12, 4)
        }

        private static func number(_ entry: EXIFReader.Entry, _ reader: EXIFReader) -> Int {
            Int(entry.value[...].number(bigEndian: reader.isBigEndian))
        }

        private static func entries(_ reader: EXIFReader, _ directory: Int) throws -> [Int: EXIFReader.Entry] {
            var entries: [Int: EXIFReader.Entry] = [:]
            var last = -1
            for offset in try reader.entries(at: directory) {
                let entry = try #require(try reader.entry(at: offset))
                #expect(entry.tag > last, "tags ascend without duplicates")
                last = entry.tag
                entries[entry.tag] = entry
            }
            return entries
        }
    }

    /// Returns the EXIF block of a file, as the library reads it.
    static func block(of file: [UInt8]) throws -> [UInt8]? { try ImageHeader(of: ImageInput(file)).exif }

    static func made(
        _ exif: [UInt8], _ wanted: Set<ThumbnailOptions.Metadata>, from source: ImageFormat = .jpeg,
        as format: ThumbnailOptions.Format = .jpeg
    ) throws -> (file: [UInt8], notes: [String]) {
        try ColorTests.thumbnail(FilesWithMetadata.file(SampleImages.landscape(60, 40), source, exif: exif)) {
            $0.format = format
            $0.keptMetadata = wanted
        }
    }

    @Test("By default no metadata is kept", arguments: formats, ImageFormat.encodable)
    func byDefault(format: ThumbnailOptions.Format, source: ImageFormat) throws {
        let made = try Self.made(EXIFBlocks.camera(), [], from: source, as: format)
        #expect(try made.notes.isEmpty && Self.block(of: made.file) == nil)
        #expect(!Self.holds(made.file, "Ada") && !Self.holds(made.file, "Kodak"))
    }

    @Test(
        "EXIF is kept with orientation 1 and without location, preview and maker notes", arguments: formats,
        ImageFormat.encodable)
    func exif(format: ThumbnailOptions.Format, source: ImageFormat) throws {
        for bigEndian in [true, false] {
            let original = EXIFBlocks.camera(bigEndian: bigEndian)
            let made = try Self.made(original, [.exif], from: source, as: format)
            let info = try ImageInfo(bytes: made.file)
            #expect(made.notes.isEmpty && info.orientation == 1)
            // AVIF does not turn pictures by EXIF's orientation.
            #expect((source == .avif ? [info.height, info.width] : [info.width, info.height]) == [40, 60])
            let before = try ParsedEXIF(original)
            let after = try ParsedEXIF(try #require(try Self.block(of: made.file)))
            #expect(Set(after.main.keys) == [0x010F, 0x0110, 0x0112, 0x0132, 0x013B, 0x8298, 0x8769])
            #expect(Set(after.exif.keys) == [0x9003, 0x8827, 0xA434, 0x9286])
            for (tag, entry) in after.main where tag != 0x0112 && tag != 0x8769 { #expect(entry == before.main[tag]) }
            for (tag, entry) in after.exif { #expect(entry == before.exif[tag]) }
            #expect(after.gps.isEmpty && after.next == 0 && before.next > 0)
            for secret in ["Vienna", "preview", "GPS", "****"] {
                #expect(Self.holds(original, secret) && !Self.holds(made.file, secret))
            }
        }
    }

    @Test("Only artist and copyright are kept on request")
    func copyright() throws {
        let made = try Self.made(EXIFBlocks.camera(), [.copyright])
        let parsed = try ParsedEXIF(try #require(try Self.block(of: made.file)))
        #expect(Set(parsed.main.keys) == [0x013B, 0x8298] && parsed.exif.isEmpty && parsed.gps.isEmpty)
        #expect(!Self.holds(made.file, "Kodak") && Self.holds(made.file, "(c) Ada 2024"))
    }

    @Test("The location is kept only if it is requested by name")
    func gps() throws {
        for wanted in [[.exif], [.copyright], [.exif, .copyright]] as [Set<ThumbnailOptions.Metadata>] {
            #expect(!Self.holds(try Self.made(EXIFBlocks.camera(), wanted).file, "****"))
        }
        let alone = try ParsedEXIF(try #require(try Self.block(of: Self.made(EXIFBlocks.camera(), [.gps]).file)))
        #expect(Set(alone.main.keys) == [0x8825] && Set(alone.gps.keys) == [1, 2, 0x1D] && alone.exif.isEmpty)
        let all = try Self.made(EXIFBlocks.camera(), [.gps, .exif, .copyright], as: .webp)
        let parsed = try ParsedEXIF(try #require(try Self.block(of: all.file)))
        #expect(
            parsed.gps == (try ParsedEXIF(EXIFBlocks.camera()).gps) && parsed.exif.count == 4 && parsed.main.count == 8)
    }

    @Test("No EXIF block is written if there is nothing to keep")
    func nothing() throws {
        let made = try Self.made(EXIFBlock.block(orientation: 6), [.copyright, .gps])
        #expect(try made.notes.isEmpty && Self.block(of: made.file) == nil)
        let plain = try ColorTests.thumbnail(SampleImages.file(.jpeg)) { $0.keptMetadata = [.exif] }
        #expect(try Self.block(of: plain.file) == nil)
    }

    @Test("A profile and EXIF can both be kept", arguments: formats)
    func both(format: ThumbnailOptions.Format) throws {
        let image = SampleImages.landscape(60, 40)
        let file = FilesWithMetadata.file(
            of: try FilesWithMetadata.file(image, .jpeg, exif: EXIFBlocks.camera()), image, .jpeg,
            LCMSProfiles.displayP3)
        let made = try ColorTests.thumbnail(file) {
            $0.format = format
            $0.keptMetadata = [.exif]
            $0.profile = .keep
        }
        #expect(try ProfileOptionTests.profile(of: made.file) == LCMSProfiles.displayP3)
        #expect(try ParsedEXIF(try #require(try Self.block(of: made.file))).exif.count == 4)
        #expect(try decode(made.file).width == 40)
    }

    static let hostile: [(String, [UInt8])] = {
        let head: [UInt8] = [0x4D, 0x4D, 0, 42]
        let artist: [UInt8] = [0x01, 0x3B, 0, 2]
        func directory(_ entries: [[UInt8]]) -> [UInt8] {
            head + [0, 0, 0, 8] + UInt16(entries.count).bigEndianBytes + entries.flatMap { $0 } + [0, 0, 0, 0]
        }
        let far = artist + UInt32.max.bigEndianBytes + UInt32.max.bigEndianBytes
        let wide = [0x01, 0x3B, 0, 12] + UInt32.max.bigEndianBytes + [0, 0, 0, 0]
        let over = artist + UInt32(100_000).bigEndianBytes + [0, 0, 0, 8]
        return [
            ("no header", [1, 2, 3, 4, 5, 6, 7, 8]), ("nothing", []),
            ("a directory outside", head + [0xFF, 0xFF, 0xFF, 0xFF]),
            ("a cut directory", head + [0, 0, 0, 8, 0xFF, 0xFF]), ("a value outside", directory([far])),
            ("a count that overflows", directory([wide])),
            ("a shot outside", directory([[0x87, 0x69, 0, 4, 0, 0, 0, 1, 0x7F, 0xFF, 0xFF, 0xFF]])),
            (
                "overlapping values that exceed the maximum size",
                directory([over, [0x82, 0x98] + over.dropFirst(2)]) + [UInt8](repeating: 65, count: 100_008)
            ),
        ]
    }()

    @Test("A hostile EXIF block is dropped with a note", arguments: hostile)
    func refused(name: String, block: [UInt8]) throws {
        let file = try FilesWithMetadata.file(SampleImages.landscape(60, 40), .png, exif: block)
        let made = try ColorTests.thumbnail(file) {
            $0.format = .jpeg
            $0.keptMetadata = [.exif, .copyright, .gps]
        }
        #expect(made.notes.contains { $0.hasPrefix("EXIF not kept: ") }, "\(made.notes)")
        #expect(try Self.block(of: made.file) == nil)
    }

    @Test("Cyclic, truncated and changed blocks are kept or rejected without a trap")
    func changed() throws {
        let around: [UInt8] = [
            0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0, 0, 8, 0, 0, 0, 8,
        ]
        #expect(try EXIFBlock.select([.exif], from: around).count < 100)
        let all = Set(ThumbnailOptions.Metadata.allCases)
        for bigEndian in [true, false] {
            let block = EXIFBlocks.camera(bigEndian: bigEndian)
            for offset in block.indices {
                for value in [0, 1, 0x7F, 0x80, 0xFF, block[offset] ^ 0x10] as [UInt8] {
                    var changed = block
                    changed[offset] = value
                    if let kept = try? EXIFBlock.select(all, from: changed) { _ = try ParsedEXIF(kept) }
                }
                _ = try? EXIFBlock.select(all, from: Array(block.prefix(offset)))
            }
        }
    }

    static func holds(_ file: [UInt8], _ text: String) -> Bool {
        let wanted = Array(text.utf8)
        return file.indices.contains { file[$0] == wanted[0] && file[$0...].starts(with: wanted) }
    }
}

@Suite("Camera facts", .timeLimit(.minutes(5))) struct CameraFactsTests {
    @Test("Camera, lens, exposure and date are read, and the place only if it is wanted", arguments: [true, false])
    func facts(bigEndian: Bool) throws {
        let block = EXIFBlocks.camera(bigEndian: bigEndian)
        let camera: [CameraFacts.Fact] = [
            CameraFacts.Fact(name: "DateTimeOriginal", value: .text("2024:05:06 07:08:10")),
            CameraFacts.Fact(name: "ISOSpeedRatings", value: .integer(400)),
            CameraFacts.Fact(name: "LensModel", value: .text("Petzval 85mm")),
            CameraFacts.Fact(name: "Make", value: .text("Kodak")),
            CameraFacts.Fact(name: "Model", value: .text("Brownie No. 2")),
        ]
        #expect(CameraFacts(try EXIFReader(block), withPlace: false)?.facts == camera)
        // 1 degree, 1 minute and 1 second
        let place = CameraFacts.Fact(name: "GPSLatitude", value: .text("1.016944"))
        #expect(CameraFacts(try EXIFReader(block), withPlace: true)?.facts == [camera[0], place] + camera[1...])
    }

    @Test("Exposures are fractions, other numbers are decimal, and an impossible number is left out")
    func numbers() throws {
        func rational(_ tag: Int, _ numerator: UInt8, _ denominator: UInt8) -> EXIFReader.Entry {
            EXIFReader.Entry(tag: tag, type: 5, count: 1, value: [0, 0, 0, numerator, 0, 0, 0, denominator])
        }
        let block = EXIFBlocks.block(
            main: [], exif: [rational(0x829A, 1, 250), rational(0x829D, 28, 10), rational(0x920A, 5, 0)])
        let expected = [
            CameraFacts.Fact(name: "ExposureTime", value: .text("1/250")),
            CameraFacts.Fact(name: "FNumber", value: .decimal(2.8)),
        ]
        #expect(CameraFacts(try EXIFReader(block), withPlace: true)?.facts == expected)
    }

    @Test("Damaged blocks crash nothing")
    func damage() throws {
        let block = EXIFBlocks.camera()
        for offset in block.indices {
            for value: UInt8 in [0, 1, 0x7F, 0xFF] {
                var changed = block
                changed[offset] = value
                if let reader = try? EXIFReader(changed) { _ = CameraFacts(reader, withPlace: true) }
            }
            if let reader = try? EXIFReader(Array(block.prefix(offset))) { _ = CameraFacts(reader, withPlace: true) }
        }
    }
}

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
