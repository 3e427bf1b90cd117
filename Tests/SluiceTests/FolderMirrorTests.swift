// SPDX-License-Identifier: MIT

import Foundation
import Sluice
import SluiceEngine
import SluiceFeeds
import SluiceFiles
import SluiceImaging
import SluiceModel
import TestSupport
import Testing

/// Runs over a local folder; `EndToEnd/Transcripts/folders.txt` has the others.
@Suite("Mirrors of folders", .timeLimit(.minutes(10))) struct FolderMirrorTests {
    private let folder = TemporaryFolder()

    private func run(_ change: (inout MirrorOptions) -> Void) async throws {
        var options = MirrorOptions()
        options.thumbnails.sizes = [ThumbnailSize(width: 32, height: 32)]
        change(&options)
        _ = try await PhotoMirror(of: folder.path("in"), into: folder.path("mirror"), options: options).run()
    }

    /// A JPEG with the facts of a camera, and with a place.
    private func photograph() throws -> [UInt8] {
        func numbers(_ values: [Int], _ size: Int) -> [UInt8] {
            values.flatMap { value in (0..<size).reversed().map { UInt8(value >> (8 * $0) & 255) } }
        }
        func entry(_ tag: Int, _ type: Int, _ count: Int, _ value: [UInt8]) -> [UInt8] {
            numbers([tag, type], 2) + numbers([count], 4) + value
        }
        let main =
            numbers([3], 2) + entry(0x010F, 2, 4, Array("Ada\0".utf8)) + entry(0x8769, 4, 1, numbers([50], 4))
            + entry(0x8825, 4, 1, numbers([68], 4))
        let date = Array("2010:06:01 12:00:00\0".utf8)
        let details = numbers([1], 2) + entry(0x9003, 2, date.count, numbers([170], 4))
        let place =
            numbers([4], 2) + entry(1, 2, 2, Array("N\0\0\0".utf8)) + entry(2, 5, 3, numbers([122], 4))
            + entry(3, 2, 2, Array("E\0\0\0".utf8)) + entry(4, 5, 3, numbers([146], 4))
        let block =
            Array("MM\0*".utf8) + numbers([8], 4) + main + numbers([0], 4) + details + numbers([0], 4) + place
            + numbers([0], 4) + numbers([48, 1, 30, 1, 0, 1, 11, 1, 15, 1, 0, 1], 4) + date
        let plain = try gradient(shade: 200)
        return plain[..<2] + [0xFF, 0xE1] + numbers([block.count + 8], 2) + Array("Exif\0\0".utf8) + block + plain[2...]
    }

    @Test("The gallery has the facts of the camera, and the place only if it is kept", arguments: [false, true])
    func camera(keepsPlace: Bool) async throws {
        try folder.write(photograph(), to: "in/top.jpg")
        let place = keepsPlace ? #"\"GPSLatitude\":\"48.500000\",\"GPSLongitude\":\"11.250000\","# : ""
        let facts = #"{\"DateTimeOriginal\":\"2010:06:01 12:00:00\",\#(place)\"Make\":\"Ada\"}"#
        func check(_ name: String) throws {
            let data = try folder.text(name)
            #expect(data.split(separator: #""exif":"# + "\"").count == 2 && data.contains(facts), "\(data)")
        }
        try await run { $0.thumbnails.keptMetadata = keepsPlace ? [.gps] : [] }
        try check("mirror/gallery/data/1.js")
        // An unchanged original keeps its facts when it gets other thumbnails.
        try await run {
            $0.thumbnails.keptMetadata = keepsPlace ? [.gps] : []
            $0.thumbnails.sizes = [ThumbnailSize(width: 16, height: 16)]
        }
        try check("mirror/gallery/data/1.js")
        #expect(try !folder.manifest(of: "mirror").contains { $0["exif"] != nil })
        let dates = try folder.manifest(of: "mirror").map { $0["date"]?.text }
        #expect(dates == ["1275393600"], "\(dates)")

        var options = ThumbnailRunOptions()
        options.thumbnails.keptMetadata = keepsPlace ? [.gps] : []
        _ = try await ThumbnailRun(of: [folder.path("in/top.jpg")], into: folder.path("thumbs"), options: options).run()
        try check("thumbs/gallery/data/1.js")
    }

    @Test("Sidecars precede what a photo states, and the time of a file is stated nowhere")
    func statedFacts() async throws {
        let xmp = """
            <x:xmpmeta xmlns:x="adobe:ns:meta/"><rdf:RDF xmlns:rdf="http://www.w3.org/1999/02/22-rdf-syntax-ns#">
            <rdf:Description xmlns:photoshop="http://ns.adobe.com/photoshop/1.0/" xmlns:exif="http://ns.adobe.com/exif/1.0/"
             photoshop:DateCreated="1998-07-01T10:00:00+02:00" exif:GPSLatitude="48,30.5S" exif:GPSLongitude="11,15,36W"/>
            </rdf:RDF></x:xmpmeta>
            """
        func takeout(_ title: String) -> [UInt8] {
            let json =
                #"{"title":"\#(title)","description":"","photoTakenTime":{"timestamp":"86400"},"#
                + #""geoData":{"latitude":48.25,"longitude":-11.5},"geoDataExif":{"latitude":0,"longitude":0}}"#
            return Array(json.utf8)
        }
        let long = String(repeating: "n", count: 60)
        let cut = String(long.prefix(46))
        let photo = try photograph()
        for name in ["camera", "edited", "twin", "twin(1)", "posted", String(long.prefix(47))] {
            try folder.write(photo, to: "in/\(name).jpg")
        }
        try folder.write(Array(xmp.utf8), to: "in/edited.xmp")
        try folder.write(takeout("twin.jpg"), to: "in/twin.jpg(1).json")
        try folder.write(takeout("\(long).jpg"), to: "in/\(cut).json")
        try folder.write(
            Array(#"{"description":"A post","author":"Ida","date":"2020-01-01"}"#.utf8), to: "in/posted.jpg.json")
        try folder.write(png(), to: "in/plain.png")
        try await run {
            $0.writesSidecars = true
            $0.thumbnails.keptMetadata = [.gps]
            $0.name = "{seq}"
        }
        let rows = try folder.manifest(of: "mirror")
        let found = try rows.map { row in
            let sidecar = try #require(row["sidecar"]?["file"]?.text)
            let text = try folder.text("mirror/\(sidecar)")
            let date = text.firstRange(of: "<xmp:CreateDate>").map { text[$0.upperBound...].prefix { $0 != "<" } }
            let place = text.firstRange(of: "Latitude xmlns").map {
                text[$0.upperBound...].drop { $0 != ">" }.dropFirst().prefix { $0 != "<" }
            }
            return [
                row["caption"]?.text, row["date_source"]?.text, date.map(String.init), place.map(String.init),
                row["camera_facts"]?["GPSLongitude"]?.text,
            ].map { $0 ?? "-" }.joined(separator: " ")
        }
        let camera = "exif-local 2010-06-01T12:00:00 48,30.0000N 11.250000"
        #expect(
            found == [
                "camera \(camera)", "edited sidecar 1998-07-01T08:00:00Z 48,30.5000S -11.260000",
                "\(long) sidecar 1970-01-02T00:00:00Z 48,15.0000N -11.500000", "plain file - - -",
                "A post \(camera)", "twin(1) sidecar 1970-01-02T00:00:00Z 48,15.0000N -11.500000", "twin \(camera)",
            ], "\(found)")
        #expect(rows.map { $0["author"]?.text } == [nil, nil, nil, nil, "Ida", nil, nil])
    }
}
