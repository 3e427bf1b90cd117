// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

@Suite("Metadata", .timeLimit(.minutes(10))) struct MetadataTests {
    static let formats: [ThumbnailOptions.Format] = [.jpeg, .png, .webp]

    /// What a block says, directory by directory.
    struct Told {
        var main: [Int: EXIFReader.Entry] = [:]
        var shot: [Int: EXIFReader.Entry] = [:]
        var place: [Int: EXIFReader.Entry] = [:]
        /// Where the directory after the first stands, which has the small preview; 0 for none.
        var next = 0

        init(_ block: [UInt8]) throws {
            let reader = try EXIFReader(block)
            let first = try reader.first
            main = try Self.entries(reader, first)
            if let pointer = main[0x8769] { shot = try Self.entries(reader, Self.number(pointer, reader)) }
            if let pointer = main[0x8825] { place = try Self.entries(reader, Self.number(pointer, reader)) }
            next = try reader.number(at: first + 2 + main.count * 12, 4)
        }

        private static func number(_ entry: EXIFReader.Entry, _ reader: EXIFReader) -> Int {
            Int(entry.value[...].number(bigEndian: reader.isBigEndian))
        }

        private static func entries(_ reader: EXIFReader, _ directory: Int) throws -> [Int: EXIFReader.Entry] {
            var entries: [Int: EXIFReader.Entry] = [:]
            var last = -1
            for place in try reader.entries(at: directory) {
                let entry = try #require(try reader.entry(at: place))
                #expect(entry.tag > last, "tags ascend, and none comes twice")
                last = entry.tag
                entries[entry.tag] = entry
            }
            return entries
        }
    }

    /// The EXIF block that a file carries, as the library reads it.
    static func block(of file: [UInt8]) throws -> [UInt8]? { try PictureHeader(of: PictureBytes(file)).exif }

    static func made(
        _ exif: [UInt8], _ keeps: Set<ThumbnailOptions.Metadata>, from source: ImageFormat = .jpeg,
        as format: ThumbnailOptions.Format = .jpeg
    ) throws -> (file: [UInt8], notes: [String]) {
        try ColorTests.thumbnail(Profiled.file(Pictures.landscape(60, 40), source, exif: exif)) {
            $0.format = format
            $0.keeps = keeps
        }
    }

    @Test("By default nothing is kept", arguments: formats, [ImageFormat.jpeg, .png, .webp])
    func byDefault(format: ThumbnailOptions.Format, source: ImageFormat) throws {
        let made = try Self.made(EXIFBlocks.camera(), [], from: source, as: format)
        #expect(try made.notes.isEmpty && Self.block(of: made.file) == nil)
        #expect(!Self.holds(made.file, "Ada") && !Self.holds(made.file, "Kodak"))
    }

    @Test(
        "EXIF is kept upright, without its place, its preview and the camera's own notes", arguments: formats,
        [ImageFormat.jpeg, .png, .webp])
    func exif(format: ThumbnailOptions.Format, source: ImageFormat) throws {
        for bigEndian in [true, false] {
            let original = EXIFBlocks.camera(bigEndian: bigEndian)
            let made = try Self.made(original, [.exif], from: source, as: format)
            let info = try ImageInfo(bytes: made.file)
            #expect(made.notes.isEmpty && info.orientation == 1 && info.width == 40 && info.height == 60)
            let before = try Told(original)
            let after = try Told(try #require(try Self.block(of: made.file)))
            #expect(Set(after.main.keys) == [0x010F, 0x0110, 0x0112, 0x0132, 0x013B, 0x8298, 0x8769])
            #expect(Set(after.shot.keys) == [0x9003, 0x8827, 0xA434, 0x9286])
            for (tag, entry) in after.main where tag != 0x0112 && tag != 0x8769 { #expect(entry == before.main[tag]) }
            for (tag, entry) in after.shot { #expect(entry == before.shot[tag]) }
            #expect(after.place.isEmpty && after.next == 0 && before.next > 0)
            for secret in ["Vienna", "preview", "GPS", "****"] {
                #expect(Self.holds(original, secret) && !Self.holds(made.file, secret))
            }
        }
    }

    @Test("Artist and copyright alone are kept if nothing else is named")
    func copyright() throws {
        let made = try Self.made(EXIFBlocks.camera(), [.copyright])
        let told = try Told(try #require(try Self.block(of: made.file)))
        #expect(Set(told.main.keys) == [0x013B, 0x8298] && told.shot.isEmpty && told.place.isEmpty)
        #expect(!Self.holds(made.file, "Kodak") && Self.holds(made.file, "(c) Ada 2024"))
    }

    @Test("The place is kept if it is named, and not by any other name")
    func gps() throws {
        for keeps in [[.exif], [.copyright], [.exif, .copyright]] as [Set<ThumbnailOptions.Metadata>] {
            #expect(!Self.holds(try Self.made(EXIFBlocks.camera(), keeps).file, "****"))
        }
        let alone = try Told(try #require(try Self.block(of: Self.made(EXIFBlocks.camera(), [.gps]).file)))
        #expect(Set(alone.main.keys) == [0x8825] && Set(alone.place.keys) == [1, 2, 0x1D] && alone.shot.isEmpty)
        let all = try Self.made(EXIFBlocks.camera(), [.gps, .exif, .copyright], as: .webp)
        let told = try Told(try #require(try Self.block(of: all.file)))
        #expect(told.place == (try Told(EXIFBlocks.camera()).place) && told.shot.count == 4 && told.main.count == 8)
    }

    @Test("Nothing is written where there is nothing to keep")
    func nothing() throws {
        let made = try Self.made(EXIFBlock.saying(orientation: 6), [.copyright, .gps])
        #expect(try made.notes.isEmpty && Self.block(of: made.file) == nil)
        let plain = try ColorTests.thumbnail(Pictures.file(.jpeg)) { $0.keeps = [.exif] }
        #expect(try Self.block(of: plain.file) == nil)
    }

    @Test("A profile and EXIF are kept side by side", arguments: formats)
    func both(format: ThumbnailOptions.Format) throws {
        let picture = Pictures.landscape(60, 40)
        let file = Profiled.file(
            of: try Profiled.file(picture, .jpeg, exif: EXIFBlocks.camera()), picture, .jpeg, MadeProfiles.displayP3)
        let made = try ColorTests.thumbnail(file) {
            $0.format = format
            $0.keeps = [.exif]
            $0.profile = .keep
        }
        #expect(try ProfileOptionTests.profile(of: made.file) == MadeProfiles.displayP3)
        #expect(try Told(try #require(try Self.block(of: made.file))).shot.count == 4)
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
                "values of one place that are too much together",
                directory([over, [0x82, 0x98] + over.dropFirst(2)]) + [UInt8](repeating: 65, count: 100_008)
            ),
        ]
    }()

    @Test("A hostile block is a note, and not kept", arguments: hostile)
    func refused(name: String, block: [UInt8]) throws {
        let file = try Profiled.file(Pictures.landscape(60, 40), .png, exif: block)
        let made = try ColorTests.thumbnail(file) {
            $0.format = .jpeg
            $0.keeps = [.exif, .copyright, .gps]
        }
        #expect(made.notes.contains { $0.hasPrefix("EXIF not kept: ") }, "\(made.notes)")
        #expect(try Self.block(of: made.file) == nil)
    }

    @Test("A block that points at itself ends, and every cut or changed one is kept or refused without a trap")
    func changed() throws {
        let around: [UInt8] = [
            0x4D, 0x4D, 0, 42, 0, 0, 0, 8, 0, 1, 0x87, 0x69, 0, 4, 0, 0, 0, 1, 0, 0, 0, 8, 0, 0, 0, 8,
        ]
        #expect(try EXIFBlock.keeping([.exif], of: around).count < 100)
        let all = Set(ThumbnailOptions.Metadata.allCases)
        for bigEndian in [true, false] {
            let block = EXIFBlocks.camera(bigEndian: bigEndian)
            for place in block.indices {
                for value in [0, 1, 0x7F, 0x80, 0xFF, block[place] ^ 0x10] as [UInt8] {
                    var changed = block
                    changed[place] = value
                    if let kept = try? EXIFBlock.keeping(all, of: changed) { _ = try Told(kept) }
                }
                _ = try? EXIFBlock.keeping(all, of: Array(block.prefix(place)))
            }
        }
    }

    static func holds(_ file: [UInt8], _ text: String) -> Bool {
        let wanted = Array(text.utf8)
        return file.indices.contains { file[$0] == wanted[0] && file[$0...].starts(with: wanted) }
    }
}
