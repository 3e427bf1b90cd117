// SPDX-License-Identifier: MIT

import Foundation
import SluiceImaging
import SluiceLedger
import SluiceModel
import SluiceOrigin
import SluiceTransfer
import TestSupport
import Testing

@testable import Sluice
@testable import SluiceEngine

@Suite("Adopting", .serialized, .timeLimit(.minutes(10))) struct AdoptTests {
    /// Serves a different picture for every URL and logs the requests.
    private final class Service: OriginService {
        let asked = Locked<[String]>([])

        static func picture(_ path: String) -> [UInt8] {
            let seed = path.utf8.reduce(0) { $0 &* 31 &+ Int($1) }
            let pixels = (0..<(32 * 32)).flatMap { place -> [UInt8] in
                let light = UInt8(truncatingIfNeeded: place &* (seed % 13 + 1))
                return [light, light &+ UInt8(truncatingIfNeeded: seed), light, 255]
            }
            return (try? ImageEncoder(.png).encode(pixels, width: 32, height: 32)) ?? []
        }

        func reply(to request: OriginRequest) -> OriginReply {
            asked.withLock { $0.append(request.path) }
            return OriginReply(type: "image/png", Self.picture(request.path))
        }
    }

    private let folder: TemporaryFolder
    private let service = Service()
    private let origin: OriginServer

    init() throws {
        folder = try TemporaryFolder()
        origin = try OriginServer(service)
        try FileManager.default.createDirectory(atPath: folder.path("files"), withIntermediateDirectories: true)
    }

    private var options: MirrorOptions {
        var options = MirrorOptions()
        options.thumbnails.sizes = [ThumbnailSize(width: 16, height: 16)]
        options.network.allowsPrivate = true
        options.network.allowedPorts = [Int(origin.port)]
        return options
    }

    private func address(_ path: String) -> String { "http://127.0.0.1:\(origin.port)\(path)" }

    /// Writes a JSON list of URLs with their other fields.
    private func list(_ photos: [(path: String, more: String)]) throws {
        let lines = photos.map { "{\"url\":\"\(address($0.path))\"\($0.more)}" }
        try Data(lines.joined(separator: "\n").utf8).write(to: folder.url.appending(path: "list.jsonl"))
    }

    private func put(_ bytes: [UInt8], _ name: String) throws {
        let file = folder.url.appending(path: "files/\(name)")
        try FileManager.default.createDirectory(
            at: file.deletingLastPathComponent(), withIntermediateDirectories: true)
        try Data(bytes).write(to: file)
    }

    private func mirror() async throws -> Summary {
        try await PhotoMirror(of: folder.path("list.jsonl"), into: folder.path("out"), options: options).run()
    }

    private func adopt(walking: Bool = true) async throws -> (summary: Summary, files: [String: FoundFile]) {
        let files = Locked<[String: FoundFile]>([:])
        let adopting = PhotoMirror(
            of: folder.path("list.jsonl"), into: folder.path("out"), options: options, adopting: folder.path("files"),
            walkingFeed: walking)
        let summary = try await adopting.run { event in
            if case .fileFound(let file) = event { files.withLock { $0[file.path] = file } }
        }
        return (summary, files.withLock(\.self))
    }

    private func receipts() throws -> [Receipt?] {
        let place = try MirrorFolder.open(reading: folder.path("out"))
        let receipts = try place.ledger.entries(after: 0, limit: 100).map(\.receipt)
        place.close()
        return receipts
    }

    @Test("Facts of sidecars complete those of the feed, and survive later runs and XMP sidecars")
    func facts() async throws {
        try list([("/x/1.png", ",\"caption\":\"feed\""), ("/x/IMG.png", ""), ("/x/IMG(1).png", ""), ("/x/4.png", "")])
        for name in ["1", "IMG", "IMG(1)", "4"] { try put(Service.picture("/x/\(name).png"), "\(name).png") }
        try put(Array(#"{"description":"other","author":"Ida","tags":["a","b"]}"#.utf8), "1.png.json")
        let takeout = #"{"title":"x","photoTakenTime":{"timestamp":"1594000000"},"description":"#
        try put(Array((takeout + "\"first\"}").utf8), "IMG.png.supplemental-meta.json")
        try put(Array((takeout + "\"second\"}").utf8), "IMG.png.supplemental-metadata(1).json")
        let xmp = "<rdf:RDF xmlns:rdf='r' xmlns:d='d'><rdf:Description d:title='third'/></rdf:RDF>"
        try put(Array(xmp.utf8), "4.xmp")
        func photos() throws -> [Photo] {
            let place = try MirrorFolder.open(reading: folder.path("out"))
            let photos = try place.ledger.entries(after: 0, limit: 10).map(\.item.photo)
            place.close()
            return photos
        }
        let (summary, files) = try await adopt()
        #expect(summary.done == 4 && files.count == 4, "sidecars are no photos: \(files.keys)")
        for run in 0..<2 {
            let found = try photos()
            #expect(found.map(\.caption) == ["feed", "first", "second", "third"], "\(run)")
            #expect(found[0].author == "Ida" && found[0].tags == "a, b" && found[1].date == 1_594_000_000)
            var options = options
            options.writesSidecars = true
            let again = try await PhotoMirror(
                of: folder.path("list.jsonl"), into: folder.path("out"), options: options
            ).run()
            #expect(again.kept == 4)
        }
        let sidecar = try #require(
            folder.names().first { $0.hasPrefix("out/originals/") && $0.contains("00004") && $0.hasSuffix(".xmp") })
        #expect(String(decoding: try folder.bytes(of: sidecar), as: UTF8.self).contains("third"))
    }

    @Test("Files are adopted by hash, note, name and ID; the next run requests only the others")
    func fresh() async throws {
        let hash = SHA256.digest(of: Service.picture("/x/hashed.png"))
        try list([
            ("/x/hashed.png", ",\"sha256\":\"\(hash)\""), ("/x/noted.png", ""), ("/a/same.png", ""),
            ("/b/same.png", ""),
            ("/q?n=1", ",\"id\":\"photo-71\""), ("/x/none.png", ""),
        ])
        try put(Service.picture("/x/hashed.png"), "whatever.dat")
        try put(Service.picture("/x/noted.png"), "000000007.jpg")
        try put(Array("{\"key\":\"7\",\"url\":\"\(address("/x/noted.png"))\"}".utf8), "000000007.json")
        try put(Service.picture("/a/same.png"), "a/same.png")
        try put(Service.picture("/b/same.png"), "b/same.png")
        try put(Service.picture("/q"), "list_photo-71.png")
        try put(Array("no picture".utf8), "readme.txt")
        let before = folder.names().filter { $0.hasPrefix("files/") }

        let (summary, files) = try await adopt()
        #expect(summary.done == 5 && summary.failed == 0 && summary.failedPages == 0)
        #expect(service.asked.withLock(\.self) == [])
        #expect(files["whatever.dat"]?.basis == .hash && files["000000007.jpg"]?.basis == .address)
        #expect(files["a/same.png"]?.items == [3] && files["b/same.png"]?.items == [4])
        #expect(files["list_photo-71.png"]?.basis == .id && files["readme.txt"]?.verdict == .unknown)
        #expect(files["000000007.json"] == nil && files.count == 6)
        #expect(folder.names().filter { $0.hasPrefix("files/") } == before)

        // A receipt records the origin of the bytes and has no response headers, because no host was contacted.
        let receipt = try #require(try receipts()[0])
        #expect(receipt.finalURL == "file://\(folder.path("files/whatever.dat"))")
        #expect(receipt.status == nil && receipt.etag == nil && receipt.original?.sha256 == hash)
        #expect(receipt.thumbs.count == 1 && receipt.url == address("/x/hashed.png"))

        let run = try await mirror()
        #expect(run.kept == 5 && run.done == 1)
        let asked = service.asked.withLock(\.self)
        #expect(asked.filter { !["/robots.txt", "/.well-known/tdmrep.json"].contains($0) } == ["/x/none.png"])
    }

    @Test("Failed photos and missing files are adopted without reading the feed")
    func known() async throws {
        try list([("/one.png", ""), ("/two.png", ""), ("/three.png", "")])
        #expect(try await mirror().done == 3)
        let names = folder.names().filter { $0.hasPrefix("out/originals/") }
        try FileManager.default.removeItem(atPath: folder.path(names[1]))
        service.asked.withLock { $0 = [] }
        // Under any name, because the ledger has the hash. Another picture with the same name is not adopted.
        try put(Service.picture("/two.png"), "renamed")
        try put(Service.picture("/other.png"), "two.png")
        try FileManager.default.removeItem(atPath: folder.path("list.jsonl"))
        try list([])
        let (summary, files) = try await adopt(walking: false)
        #expect(summary.done == 1 && files["renamed"]?.items == [2] && files["two.png"]?.verdict == .unknown)
        #expect(service.asked.withLock(\.self) == [])
        #expect(try receipts()[1]?.finalURL?.hasPrefix("file://") == true)
    }

    @Test("A file whose name is not valid UTF-8 is adopted")
    func invalidName() async throws {
        let hash = SHA256.digest(of: Service.picture("/cafe.png"))
        try list([("/cafe.png", ",\"sha256\":\"\(hash)\"")])
        try folder.write(Service.picture("/cafe.png"), named: Array("files/caf".utf8) + [0xE9] + Array(".png".utf8))
        let (summary, files) = try await adopt()
        #expect(summary.done == 1 && files["caf%E9.png"]?.items == [1], "\(files)")
        #expect(try receipts()[0]?.finalURL?.hasSuffix("/files/caf%E9.png") == true)
        #expect(try receipts()[0]?.finalURL?.hasPrefix("file:///") == true)
        #expect(service.asked.withLock(\.self) == [])
    }

    @Test("A file that contradicts the feed is not adopted, and the photo's state is unchanged")
    func unfit() async throws {
        let wrong = String(repeating: "0", count: 64)
        try list([
            ("/cut.png", ""), ("/small.png", ",\"width\":640,\"height\":480"),
            ("/other.png", ",\"sha256\":\"\(wrong)\""),
        ])
        try put(Array(Service.picture("/cut.png").dropLast(40)), "cut.png")
        try put(Service.picture("/small.png"), "small.png")
        try put(Service.picture("/other.png"), "other.png")
        let (summary, files) = try await adopt()
        #expect(summary.done == 0 && files["other.png"]?.verdict == .unknown)
        #expect(summary.causes == [.truncated: 1, .policy: 1])
        #expect(try receipts().allSatisfy { $0 == nil })
        // The host does not serve a file with that hash either.
        let run = try await mirror()
        #expect(run.done == 2 && run.causes == [.corrupt: 1])
    }

    @Test("A dry run reports the same verdicts and creates nothing")
    func rehearsal() async throws {
        try list([("/one.png", ""), ("/a/two.png", ""), ("/b/two.png", "")])
        try put(Service.picture("/one.png"), "one.png")
        try put(Service.picture("/a/two.png"), "two.png")
        let rehearsal = try await PhotoMirror(
            of: folder.path("list.jsonl"), into: folder.path("out"), options: options
        ).dryRun(adopting: folder.path("files"), walkingFeed: true)
        #expect(!folder.names().contains { $0.hasPrefix("out") })
        let (_, files) = try await adopt()
        #expect(rehearsal.files.sorted { $0.path < $1.path } == files.values.sorted { $0.path < $1.path })
        #expect(rehearsal.files.map(\.verdict) == [.match, .ambiguous])
        #expect(rehearsal.summary == "2 files: 1 matched, 1 ambiguous")
    }

    @Test("A missing folder is refused with a message before a mirror is created")
    func refused() async throws {
        try list([("/one.png", "")])
        let adopting = PhotoMirror(
            of: folder.path("list.jsonl"), into: folder.path("out"), options: options, adopting: folder.path("nowhere"),
            walkingFeed: true)
        await #expect(throws: MirrorError.self) { try await adopting.run() }
        #expect(!folder.names().contains { $0.hasPrefix("out") })
    }
}
