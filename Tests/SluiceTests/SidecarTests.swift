// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceImaging
import SluiceLedger
import SluiceModel
import SluiceOrigin
import TestSupport
import Testing

@testable import Sluice
@testable import SluiceEngine

@Suite("Sidecars", .serialized, .timeLimit(.minutes(10))) struct SidecarTests: MirrorSuite {
    let folder = TemporaryFolder()
    let origin: OriginServer

    init() throws { origin = try OriginServer(ScriptedService { _ in OriginReply(type: "image/png", png()) }) }

    func prepare(_ options: inout MirrorOptions) {
        options.sharesContent = false
        options.name = "{seq}"
    }

    private func list(_ photos: [String]) throws {
        let lines = photos.map { $0.replacingOccurrences(of: "ORIGIN", with: "http://127.0.0.1:\(origin.port)") }
        try folder.write(lines.joined(separator: "\n"), to: "list.jsonl")
    }

    private static let exifTool = ["/usr/bin/exiftool", "/usr/local/bin/exiftool"].first {
        FileManager.default.isExecutableFile(atPath: $0)
    }

    /// Returns the XMP tags of a file as ExifTool reads them.
    private func tags(ofSidecar seq: Int) throws -> JSON {
        let process = Process()
        process.executableURL = URL(filePath: try #require(Self.exifTool))
        process.arguments = ["-j", "-G1", "-XMP:all", folder.path("out/originals/\(seq).png.xmp")]
        let output = Pipe()
        process.standardOutput = output
        try process.run()
        let bytes = output.fileHandleForReading.readDataToEndOfFile()
        process.waitUntilExit()
        return try #require(try JSON(parsing: Array(bytes)).elements?.first)
    }

    @Test("Originals get the date that the feed states as their time, and a folder by month")
    func times() async throws {
        try list([
            #"{"id":"a","url":"ORIGIN/a.png","date":"2023-11-14T22:13:20Z","SKU":"X1"}"#,
            #"{"id":"b","url":"ORIGIN/b.png"}"#,
        ])
        let begun = Date().addingTimeInterval(-60)
        let run = mirror("list.jsonl") {
            $0.datesFiles = true
            $0.name = "{date:%Y-%m}/{seq}-{columns.SKU}"
        }
        #expect(try await run.run().done == 2)
        let times = try ["2023-11/1-X1.png", "none/2-none.png"].map {
            try FileManager.default.attributesOfItem(atPath: folder.path("out/originals/\($0)"))[.modificationDate]
                as? Date
        }
        #expect(times[0] == Date(timeIntervalSince1970: 1_700_000_000))
        #expect(try #require(times[1]) > begun)
    }

    @Test(
        "ExifTool reads every fact of a photo with its value",
        .enabled(if: exifTool != nil, "ExifTool is missing; Scripts/setup --tests installs it"))
    func judged() async throws {
        try list([
            #"{"id":"a","url":"ORIGIN/a.png?x=1&y=<2>","caption":"Dämmerung \"am\" See & <b>Berg</b>\r\nzwei]]>\u0000\u0008","#
                + #""author":"Ida O’Neill & Söhne","author_url":"https://a.test/ida?b=1&c=2","#
                + #""page_url":"https://a.test/photos/1?q=\"x\"","license":"CC BY-SA 4.0","#
                + #""license_url":"https://creativecommons.org/licenses/by-sa/4.0/","attribution":"Ida, via a.test","#
                + #""date":"2023-11-14T22:13:20Z","tags":["See","früh & <spät>","Paris, Texas"]}"#,
            #"{"id":"b","url":"ORIGIN/b.png","license":"CC0-1.0","#
                + #""license_url":"https://creativecommons.org/publicdomain/zero/1.0/"}"#,
        ])
        #expect(try await mirror("list.jsonl") { $0.writesSidecars = true }.run().done == 2)
        let tags = try tags(ofSidecar: 1)
        let expected = [
            "XMP-dc:Title": "Dämmerung \"am\" See & <b>Berg</b>",
            "XMP-dc:Description": "Dämmerung \"am\" See & <b>Berg</b>\r\nzwei]]>",
            "XMP-dc:Creator": "Ida O’Neill & Söhne",
            "XMP-dc:Identifier": "http://127.0.0.1:\(origin.port)/a.png?x=1&y=<2>",
            "XMP-dc:Source": "https://a.test/photos/1?q=\"x\"", "XMP-dc:Rights": "Ida, via a.test",
            "XMP-photoshop:Credit": "Ida, via a.test", "XMP-photoshop:DateCreated": "2023:11:14 22:13:20Z",
            "XMP-xmp:CreateDate": "2023:11:14 22:13:20Z", "XMP-xmpRights:UsageTerms": "CC BY-SA 4.0",
            "XMP-xmpRights:WebStatement": "https://creativecommons.org/licenses/by-sa/4.0/",
            "XMP-cc:License": "https://creativecommons.org/licenses/by-sa/4.0/",
            "XMP-cc:AttributionName": "Ida O’Neill & Söhne", "XMP-cc:AttributionURL": "https://a.test/ida?b=1&c=2",
        ]
        for (name, value) in expected { #expect(tags[name]?.text == value, "\(name)") }
        #expect(tags["XMP-xmpRights:Marked"] == .bool(true))
        #expect(tags["XMP-dc:Subject"]?.elements?.map(\.text) == ["See", "früh & <spät>", "Paris Texas"])
        let bare = try self.tags(ofSidecar: 2)
        #expect(bare["XMP-xmpRights:Marked"] == .bool(false) && bare["XMP-dc:Description"] == nil)
        #expect(bare["XMP-dc:Rights"]?.text == "CC0-1.0" && bare["XMP-dc:Subject"] == nil)
    }
}
