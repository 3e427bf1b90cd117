// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

/// Artist and copyright from XMP and IPTC.
@Suite("Credits", .timeLimit(.minutes(10))) struct CreditTests {
    static let xmp = Array(
        """
        <?xpacket begin='' id='W5M0MpCehiHzreSzNTczkc9d'?><x:xmpmeta xmlns:x='adobe:ns:meta/'><rdf:RDF>
        <rdf:Description rdf:about='' xmp:Label='GPS'>
        <dc:creator><rdf:Seq><rdf:li>Ada &amp; Charles</rdf:li> <rdf:li>Mary &#x160;.</rdf:li></rdf:Seq></dc:creator>
        <dc:rights><rdf:Alt><rdf:li xml:lang='x-default'>&#169; 2024 &lt;Ada&gt; &nope;</rdf:li>
        <rdf:li xml:lang='de'>anders</rdf:li></rdf:Alt></dc:rights></rdf:Description></rdf:RDF></x:xmpmeta>
        """.utf8)
    static let ofXMP = Credit(artist: "Ada & Charles; Mary Š.", copyright: "© 2024 <Ada> &nope;")

    static func record(_ facts: [(UInt8, [UInt8])]) -> [UInt8] {
        facts.flatMap { fact, text in [0x1C, 2, fact] + UInt16(text.count).bigEndianBytes + text }
    }

    /// Makes Photoshop's resource blocks; the second is the IPTC record.
    static func photoshop(_ record: [UInt8]) -> [UInt8] {
        func block(_ id: UInt16, _ name: String, _ body: [UInt8]) -> [UInt8] {
            let pascal = [UInt8(name.utf8.count)] + Array(name.utf8) + (name.utf8.count % 2 == 0 ? [0] : [])
            let padding: [UInt8] = body.count % 2 == 1 ? [0] : []
            return Array("8BIM".utf8) + id.bigEndianBytes + pascal + UInt32(body.count).bigEndianBytes + body + padding
        }
        return block(0x03ED, "resolution", [1, 2, 3]) + block(0x0404, "", record) + block(0x0405, "a", [9])
    }

    static let iptc = photoshop(
        record([(5, Array("title".utf8)), (80, [0x41, 0x64, 0xE4]), (80, Array("Bea".utf8)), (116, Array("© B".utf8))]))
    static let ofIPTC = Credit(artist: "Adä; Bea", copyright: "© B")

    static func file(_ format: ImageFormat, exif: [UInt8]? = nil, xmp: [UInt8]? = nil, iptc: [UInt8]? = nil) throws
        -> [UInt8]
    {
        let image = SampleImages.landscape(60, 40)
        let parts = [exif.map { .exif($0) }, iptc.map { .iptc($0) }, xmp.map { .xmp($0) }] as [FormatFixture.Part?]
        return parts.compactMap(\.self).reduce(try SampleImages.file(format, image)) { file, part in
            FormatFixture.of(format).insert(part, file, image.width, image.height)
        }
    }

    /// Returns the artist and copyright in the EXIF block of a file's thumbnail.
    static func keptCredit(_ wanted: Set<ThumbnailOptions.Metadata>, of file: [UInt8]) throws -> (
        Credit, notes: [String]
    ) {
        let made = try ColorTests.thumbnail(file) {
            $0.format = .jpeg
            $0.keptMetadata = wanted
        }
        guard let block = try MetadataTests.block(of: made.file) else { return (Credit(), made.notes) }
        let reader = try EXIFReader(block)
        var credit = Credit()
        for offset in try reader.entries(at: reader.firstDirectory) {
            guard let entry = try reader.entry(at: offset), entry.type == 2 else { continue }
            let text = String(decoding: entry.value.dropLast(), as: UTF8.self)
            if entry.tag == 0x013B { credit.artist = text }
            if entry.tag == 0x8298 { credit.copyright = text }
        }
        return (credit, made.notes)
    }

    @Test("Artist and copyright come from XMP if EXIF has none", arguments: ImageFormat.encodable)
    func xmp(format: ImageFormat) throws {
        let file = try Self.file(format, xmp: Self.xmp)
        #expect(try Self.keptCredit([.copyright], of: file).0 == Self.ofXMP)
        for wanted in [[], [.exif], [.gps]] as [Set<ThumbnailOptions.Metadata>] {
            #expect(try Self.keptCredit(wanted, of: file).0 == Credit())
        }
        let both = try Self.file(format, exif: EXIFBlock.block(orientation: 6), xmp: Self.xmp)
        if format != .webp { #expect(try Self.keptCredit([.copyright, .exif], of: both).0 == Self.ofXMP) }
    }

    @Test("EXIF takes precedence over XMP, and XMP over IPTC, for each field")
    func order() throws {
        #expect(try Self.keptCredit([.copyright], of: Self.file(.jpeg, iptc: Self.iptc)).0 == Self.ofIPTC)
        #expect(try Self.keptCredit([.copyright], of: Self.file(.jpeg, xmp: Self.xmp, iptc: Self.iptc)).0 == Self.ofXMP)
        let camera = try Self.keptCredit([.copyright], of: Self.file(.jpeg, exif: EXIFBlocks.camera(), xmp: Self.xmp)).0
        #expect(camera == Credit(artist: "Ada Lovelace", copyright: "(c) Ada 2024"))
        let rights = Array("<dc:rights><rdf:li>mine</rdf:li></dc:rights>".utf8)
        let mixed = try Self.keptCredit([.copyright], of: Self.file(.jpeg, xmp: rights, iptc: Self.iptc)).0
        #expect(mixed == Credit(artist: Self.ofIPTC.artist, copyright: "mine"))
    }

    @Test("XMP credits are used if the EXIF block is invalid")
    func broken() throws {
        let made = try Self.keptCredit([.copyright], of: Self.file(.jpeg, exif: Array("no TIFF".utf8), xmp: Self.xmp))
        #expect(made.0 == Self.ofXMP && made.notes.contains { $0.hasPrefix("EXIF not kept") })
    }

    @Test("Truncated and invalid packets are read up to the first error")
    func hostile() {
        for count in 0...Self.xmp.count { _ = XMPPacket(Array(Self.xmp.prefix(count))).credit }
        for count in 0...Self.iptc.count { _ = IPTCRecord(Array(Self.iptc.prefix(count))).credit }
        for offset in Self.iptc.indices {
            for byte in [0, 1, 0x7F, 0x80, 0xFF] as [UInt8] {
                var changed = Self.iptc
                changed[offset] = byte
                _ = IPTCRecord(changed).credit
            }
        }
        #expect(
            IPTCRecord(Self.photoshop(Self.record([(116, Array("a".utf8))]) + [0x1C, 2, 80, 0xFF, 0xFF])).credit
                .copyright == "a")
        #expect(
            XMPPacket(Array("<dc:rights><rdf:li>&#xD800;&#x110000;&#;</rdf:li></dc:rights>".utf8)).credit.copyright
                == "&#xD800;&#x110000;&#;")
    }
}

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

    /// A JPEG with a second picture after it, whose index is before or after the segment with XMP.
    private static func twoPictures(_ isBigEndian: Bool, xmp: [UInt8], first: Bool) throws -> [UInt8] {
        func bytes(_ value: Int, _ count: Int) -> [UInt8] {
            let big = (0..<count).map { UInt8(truncatingIfNeeded: value >> (8 * (count - 1 - $0))) }
            return isBigEndian ? big : big.reversed()
        }
        func segment(_ marker: UInt8, _ content: [UInt8]) -> [UInt8] {
            [0xFF, marker, UInt8((content.count + 2) >> 8), UInt8((content.count + 2) & 0xFF)] + content
        }
        let (picture, second) = (try file(.jpeg), try file(.jpeg))
        let before = first ? [] : xmp
        let after = first ? xmp : []
        // The segment has 4 bytes of marker and length, and 4 of its name, before the header; its content has 62 in
        // all.
        let size = 2 + before.count + 66 + after.count + picture.count - 2
        let distance = size - (2 + before.count + 8)
        let order = isBigEndian ? Array("MM\0*".utf8) : Array("II*\0".utf8)
        let directory = bytes(1, 2) + bytes(0xB002, 2) + bytes(7, 2) + bytes(32, 4) + bytes(26, 4)
        let entries =
            [bytes(0x30000, 4), bytes(size, 4), bytes(0, 4), bytes(0, 4)].flatMap(\.self)
            + [bytes(0, 4), bytes(second.count, 4), bytes(distance, 4), bytes(0, 4)].flatMap(\.self)
        let index = Array("MPF\0".utf8) + order + bytes(8, 4) + directory + bytes(0, 4) + entries
        return [0xFF, 0xD8] + before + segment(0xE2, index) + after + picture.dropFirst(2) + second
    }

    /// Such files, those of phones with gain maps among them, were exported without the feed's facts.
    @Test(
        "The index of a file with several pictures leads to them after the change", arguments: [false, true], [0, 1, 2])
    func severalPictures(isBigEndian: Bool, place: Int) throws {
        let content = Array("http://ns.adobe.com/xap/1.0/\0<old/>".utf8)
        let old = place == 0 ? [] : [0xFF, 0xE1, 0, UInt8(content.count + 2)] + content
        let file = try Self.twoPictures(isBigEndian, xmp: old, first: place == 1)
        var metadata = Self.xmp("<new text='\(String(repeating: "x", count: 700))'/>")
        metadata.iptc = [0x1C, 2, 80, 0, 1, 0x41]
        let changed = try #require(ImageFormat.jpeg.embedding(metadata, in: file))
        #expect(changed.count > file.count)
        #expect(try decode(changed) == decode(file))
        let start = try #require(changed.firstRange(of: Array("MPF\0".utf8))).lowerBound
        let index = try #require(JPEGPictureIndex(Array(changed[start..<start + 62])))
        #expect(index.isValid(at: start, in: changed))
        let picture = try Self.file(.jpeg)
        #expect(changed.suffix(picture.count).elementsEqual(picture))
        // A number of the index that leads nowhere.
        var wrong = file
        let entry = try #require(wrong.firstRange(of: Array("MPF\0".utf8))).lowerBound + 4 + 26 + 16 + 8
        wrong[entry + 1] ^= 0x10
        #expect(ImageFormat.jpeg.embedding(metadata, in: wrong) == nil)
    }

    @Test("Signed files, files with a damaged index of pictures, and other formats stay as they are")
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
