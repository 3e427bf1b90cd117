// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceImaging

/// What libjpeg warns of: some of it is damage, and some of it is only odd.
@Suite("Warnings") struct WarningTests {
    private static let picture = Pictures.landscape(64, 48)

    private static func file(progressive: Bool = false) throws -> [UInt8] {
        try Pictures.file(.jpeg, picture, progressive: progressive)
    }

    /// Where the segments of a marker begin.
    private static func places(of marker: Int, in file: [UInt8]) throws -> [Range<Int>] {
        var segments = JPEGSegments()
        var window = ByteWindow(PictureBytes(file))
        var places: [Range<Int>] = []
        while let segment = try segments.next(in: &window) {
            if segment.marker == marker { places.append(segment.body.lowerBound - 4..<segment.body.upperBound) }
        }
        return places
    }

    private func expectOdd(_ file: [UInt8], _ note: String) throws {
        let result = try Thumbnailer().thumbnails(of: file)
        #expect(result.notes.contains { $0.contains(note) }, "\(result.notes)")
        #expect(try result.thumbnails == Thumbnailer().thumbnails(of: Self.file()).thumbnails)
    }

    @Test("Bytes too many before a marker, wherever, are a note")
    func extraBytes() throws {
        let file = try Self.file()
        let tables = try #require(Self.places(of: 0xDB, in: file).first)
        try expectOdd(file.prefix(tables.lowerBound) + [1, 2, 3] + file[tables.lowerBound...], "extraneous bytes")
        try expectOdd(file.dropLast(2) + [UInt8](repeating: 9, count: 40) + file.suffix(2), "extraneous bytes")
    }

    @Test("Scan parameters that do not matter are a note")
    func parameters() throws {
        var file = try Self.file()
        let scan = try #require(Self.places(of: 0xDA, in: file).first)
        file[scan.upperBound - 2] = 0
        try expectOdd(file, "Invalid SOS parameters")
    }

    @Test("An EXIF block that is rubbish and a segment that nobody knows are no more than that")
    func markers() throws {
        let odd = Files.segment(0xE1, Array("Exif\0\0rubbish".utf8)) + Files.segment(0xEB, [1, 2, 3])
        try expectOdd(Files.jpeg(Self.file(), inserting: odd), "EXIF ignored")
    }

    @Test("A progressive file that lacks a scan is corrupt, and so is one that lacks all averages")
    func missingScan() throws {
        let file = try Self.file(progressive: true)
        let scans = try Self.scans(in: file)
        #expect(scans.count > 2)
        let unrefined = Array(file[..<scans[0].lowerBound] + file[scans[0].upperBound...])
        #expect(failure(of: unrefined)?.code == .corrupt)
        // The scans with spectral selection from 0 on are those of the averages: the first, and its refinement.
        let averages = scans.filter { file[$0.lowerBound + 5 + 2 * Int(file[$0.lowerBound + 4])] == 0 }
        var flat = file
        for scan in averages.reversed() { flat.removeSubrange(scan) }
        #expect(averages.count == 2 && failure(of: flat)?.description == "corrupt: a colour without its first scan")
    }

    /// Where the scans lie, each with its pixels, up to the next marker.
    private static func scans(in file: [UInt8]) throws -> [Range<Int>] {
        try places(of: 0xDA, in: file).map { header in
            let end = file[header.upperBound...].indices.dropLast().first { place in
                file[place] == 0xFF && file[place + 1] != 0
            }
            return header.lowerBound..<(end ?? file.count)
        }
    }

    @Test("Codes that mean nothing are corrupt")
    func badCodes() throws {
        var file = try Pictures.file(.jpeg, Pictures.landscape(256, 256))
        let scan = try #require(Self.places(of: 0xDA, in: file).first)
        for place in scan.upperBound + 300..<scan.upperBound + 420 { file[place] = 0xFE }
        #expect(failure(of: file)?.code == .corrupt)
    }
}
