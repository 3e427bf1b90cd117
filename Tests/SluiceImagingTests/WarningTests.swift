// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

/// Which libjpeg warnings count as damage and which are harmless.
@Suite("Warnings", .timeLimit(.minutes(10))) struct WarningTests {
    private static let image = SampleImages.landscape(64, 48)

    private static func file(progressive: Bool = false) throws -> [UInt8] {
        try SampleImages.file(.jpeg, image, progressive: progressive)
    }

    /// Returns the byte ranges of a marker's segments.
    private static func segmentRanges(of marker: Int, in file: [UInt8]) throws -> [Range<Int>] {
        var segments = JPEGSegments()
        var window = ByteWindow(ImageInput(file))
        var ranges: [Range<Int>] = []
        while let segment = try segments.next(in: &window) {
            if segment.marker == marker { ranges.append(segment.body.lowerBound - 4..<segment.body.upperBound) }
        }
        return ranges
    }

    private func expectNote(_ file: [UInt8], _ note: String) throws {
        let result = try Thumbnailer().thumbnails(of: file)
        #expect(result.notes.contains { $0.contains(note) }, "\(result.notes)")
        #expect(try result.thumbnails == Thumbnailer().thumbnails(of: Self.file()).thumbnails)
    }

    @Test("Extra bytes before a marker are a note")
    func extraBytes() throws {
        let file = try Self.file()
        let tables = try #require(Self.segmentRanges(of: 0xDB, in: file).first)
        try expectNote(file.prefix(tables.lowerBound) + [1, 2, 3] + file[tables.lowerBound...], "extraneous bytes")
        try expectNote(file.dropLast(2) + [UInt8](repeating: 9, count: 40) + file.suffix(2), "extraneous bytes")
    }

    @Test("Irrelevant scan parameters are a note")
    func parameters() throws {
        var file = try Self.file()
        let scan = try #require(Self.segmentRanges(of: 0xDA, in: file).first)
        file[scan.upperBound - 2] = 0
        try expectNote(file, "Invalid SOS parameters")
    }

    @Test("An invalid EXIF block and unknown segments are only notes")
    func markers() throws {
        let segments = FileBuilder.segment(0xE1, Array("Exif\0\0rubbish".utf8)) + FileBuilder.segment(0xEB, [1, 2, 3])
        try expectNote(FileBuilder.jpeg(Self.file(), inserting: segments), "EXIF ignored")
    }

    @Test("A progressive file without a scan is corrupt, and so is one without its DC scans")
    func missingScan() throws {
        let file = try Self.file(progressive: true)
        let scans = try Self.scans(in: file)
        #expect(scans.count > 2)
        let unrefined = Array(file[..<scans[0].lowerBound] + file[scans[0].upperBound...])
        #expect(failure(of: unrefined)?.code == .corrupt)
        // Scans whose spectral selection starts at 0 hold the DC coefficients: the first one and its refinement.
        let dcScans = scans.filter { file[$0.lowerBound + 5 + 2 * Int(file[$0.lowerBound + 4])] == 0 }
        var flat = file
        for scan in dcScans.reversed() { flat.removeSubrange(scan) }
        #expect(
            dcScans.count == 2 && failure(of: flat)?.description == "corrupt: a colour component lacks its first scan")
    }

    /// Returns the byte ranges of the scans with their data, up to the next marker.
    private static func scans(in file: [UInt8]) throws -> [Range<Int>] {
        try segmentRanges(of: 0xDA, in: file).map { header in
            let end = file[header.upperBound...].indices.dropLast().first { place in
                file[place] == 0xFF && file[place + 1] != 0
            }
            return header.lowerBound..<(end ?? file.count)
        }
    }

    @Test("Invalid Huffman codes make a file corrupt")
    func badCodes() throws {
        var file = try SampleImages.file(.jpeg, SampleImages.landscape(256, 256))
        let scan = try #require(Self.segmentRanges(of: 0xDA, in: file).first)
        for place in scan.upperBound + 300..<scan.upperBound + 420 { file[place] = 0xFE }
        #expect(failure(of: file)?.code == .corrupt)
    }
}

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
