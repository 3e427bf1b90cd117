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
    private let service = ScriptedService { _ in OriginReply(type: "image/png", png()) }
    let origin: OriginServer

    init() throws { origin = try OriginServer(service) }

    func prepare(_ options: inout MirrorOptions) {
        options.thumbnails.sizes = [ThumbnailSize(width: 4, height: 4)]
        options.sharesContent = false
        options.name = "{seq}"
    }

    private func list(_ photos: [String]) throws {
        let lines = photos.map { $0.replacingOccurrences(of: "ORIGIN", with: "http://127.0.0.1:\(origin.port)") }
        try folder.write(lines.joined(separator: "\n"), to: "list.jsonl")
    }

    private func list(_ captions: String...) throws {
        try list(
            captions.enumerated().map { index, caption in
                "{\"id\":\"\(index)\",\"url\":\"ORIGIN/\(index).png\",\"caption\":\"\(caption)\"}"
            })
    }

    @discardableResult
    private func run(_ change: (inout MirrorOptions) -> Void = { $0.writesSidecars = true }) async throws -> Summary {
        try await mirror("list.jsonl", change: change).run()
    }

    private func sidecar(_ seq: Int) throws -> String {
        try folder.text("out/originals/\(seq).png.xmp")
    }

    private func write(_ text: String, _ seq: Int) throws {
        try folder.write(text, to: "out/originals/\(seq).png.xmp")
    }

    private var sidecars: [String] { folder.names().filter { $0.hasSuffix(".xmp") }.sorted() }

    private func faults() async throws -> [FileFault.Kind: Int] {
        try await Verification(of: out, isDeep: true).run { _ in }.faults
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
        #expect(try await run().done == 2)
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

    @Test("Photos of earlier runs get sidecars without a download, and later runs rewrite them only for new facts")
    func later() async throws {
        try list("one", "two")
        try await run { _ in }
        #expect(sidecars.isEmpty)
        let asked = service.requests.count
        let second = try await run()
        #expect(second.kept == 2 && second.done == 0)
        #expect(sidecars == ["out/originals/1.png.xmp", "out/originals/2.png.xmp"])
        #expect(try sidecar(1).contains("one") && (try sidecar(2).contains("two")))
        #expect(try await faults() == [:])
        let before = try FileManager.default.attributesOfItem(atPath: folder.path("out/originals/1.png.xmp"))
        try list("one", "drei")
        // An item that has a sidecar keeps it current without the option.
        try await run { _ in }
        #expect(try sidecar(2).contains("drei"))
        let after = try FileManager.default.attributesOfItem(atPath: folder.path("out/originals/1.png.xmp"))
        #expect(before[.systemFileNumber] as? Int == after[.systemFileNumber] as? Int)
        #expect(try await faults() == [:])
        #expect(service.requests.count == asked)
    }

    @Test("Sidecars that another program has written or edited are never replaced, except by a repair")
    func foreign() async throws {
        try list("one", "two")
        try await run { _ in }
        try write("mine", 1)
        try await run()
        var faults = try await faults()
        #expect(try sidecar(1) == "mine" && faults == [.extra: 1])
        try write("edited", 2)
        try list("eins", "zwei")
        try await run()
        faults = try await self.faults()
        #expect(try sidecar(2) == "edited" && faults == [.extra: 1, .changed: 1])
        try folder.remove("out/originals/2.png.xmp")
        #expect(try await self.faults()[.missing] == 1)
        try await run()
        #expect(try sidecar(2).contains("zwei"))
    }

    @Test("A rebuilt ledger knows the sidecars, and pruning and --skip-deleted remove them with their photos")
    func leaving() async throws {
        try list("one", "two", "three")
        try await run()
        let manifest = try folder.bytes(of: "out/manifest.jsonl")
        try folder.remove("out/\(Ledger.name)")
        #expect(try PhotoMirror.rebuildLedger(out).lost == 0)
        #expect(try folder.bytes(of: "out/manifest.jsonl") == manifest)
        #expect(try await faults() == [:])
        try folder.remove("out/originals/1.png")
        try await run { ($0.skipsDeleted, $0.writesSidecars) = (true, true) }
        #expect(sidecars == ["out/originals/2.png.xmp", "out/originals/3.png.xmp"])
        try list("one", "two")
        try await run { options in
            (options.skipsDeleted, options.prune, options.writesSidecars) = (true, PruneOptions(), true)
            options.prune?.limit = 90
        }
        #expect(sidecars == ["out/originals/2.png.xmp"])
        #expect(try await faults() == [:])
    }
}
