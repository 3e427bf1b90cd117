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
