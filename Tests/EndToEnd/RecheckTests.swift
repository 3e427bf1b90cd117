// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// `sluice recheck` against a server that has withdrawn photos.
@Suite("Recheck", .timeLimit(.minutes(10))) struct RecheckTests {
    private let folder = TemporaryFolder()
    private let server: RawServer

    /// Mirrors seven photos.
    ///
    /// From the second request on, the server confirms the first, sends another photo, answers 404 and 500, opts out of
    /// collection, and reserves the training of models for a confirmed and for a changed photo.
    init() throws {
        let pictures = try DemoPictures(8, in: folder)
        let first = (0..<7).map { pictures.reply($0, headers: "ETag: \"\($0)\"\r\n") }
        let reserved = "TDM-Reservation: 1\r\n"
        let second = [
            DemoPictures.reply("304 Not Modified"), pictures.reply(7), DemoPictures.reply("404 Not Found"),
            DemoPictures.reply("500 Error"), pictures.reply(4, headers: "X-Robots-Tag: noai\r\n"),
            [.text("HTTP/1.1 304 Not Modified\r\n\(reserved)\r\n"), .again], pictures.reply(7, headers: reserved),
        ]
        server = try RawServer(
            sequences: Dictionary(
                uniqueKeysWithValues: (0..<7).map {
                    (DemoPictures.path($0), [first[$0]] + Array(repeating: second[$0], count: 4))
                }))
        try folder.write(DemoPictures.list(7, on: server), to: "list.txt")
        try run("mirror", "list.txt", "-o", "m", "--sizes", "64", "--xmp").require()
    }

    private func run(_ arguments: String...) throws -> Binary.Result {
        try Binary.run(arguments + server.access, folder: folder.url)
    }

    @Test("Withdrawn photos are listed with their reasons, and nothing changes without --prune")
    func listing() throws {
        let before = try Tree(of: folder.path("m")).visible
        let result = try run("recheck", "m")
        let lines = result.out.split(separator: "\n").map { $0.split(separator: " ").map(String.init) }
        #expect(result.code == 3 && result.isPlain, "\(result)")
        #expect(lines.map(\.first) == ["gone", "failed", "opted-out", "reserved", "reserved"], "\(result.out)")
        #expect(lines.map { $0[1] } == [2, 3, 4, 5, 6].map { server.url(DemoPictures.path($0)) })
        #expect(result.out.contains("(tdm-reservation: 1)") && result.out.contains("X-Robots-Tag: noai"))
        #expect(
            result.err.hasSuffix("recheck: 2 may be kept, 1 gone, 1 opted-out, 2 reserved, 1 failed\n"), "\(result.err)"
        )
        #expect(server.requests.filter { $0.contains("If-None-Match: \"") }.count == 7)
        let events = try RunEvent.all(in: run("recheck", "m", "--json", "--respect", "none").out)
        #expect(events.map(\.name) == ["recheck", "recheck", "recheck"])
        #expect(events.compactMap { $0[text: "state"] } == ["gone", "failed", "opted-out"])
        #expect(try Tree(of: folder.path("m")).visible == before)
    }

    @Test("--prune removes withdrawn photos with all files, within its limit, and no later run downloads them")
    func pruning() throws {
        try run("recheck", "m", "--prune").expect(8, err: "prune-refused: 4 of 7 photos")
        #expect(folder.names().filter { $0.hasPrefix("m/originals/") }.count == 14)
        let pruned = try run("recheck", "m", "--prune", "--prune-limit", "60%")
        // A host that gave no answer may answer later.
        #expect(pruned.code == 3 && pruned.err.hasSuffix("removed 4 photos\n"), "\(pruned.err)")
        #expect(folder.names().filter { $0.hasPrefix("m/originals/") }.count == 6)
        #expect(folder.names().filter { $0.hasPrefix("m/thumbs/64/") }.count == 3)
        #expect(try Binary.run(["verify", "m"], folder: folder.url).code == 0)
        let lines = try RunEvent.all(in: Tree(of: folder.path("m")).text("manifest.jsonl"))
        #expect(lines.compactMap { $0[text: "cause"] } == Array(repeating: "withdrawn", count: 4))
        let asked = server.requests.count
        let again = try run("mirror", "list.txt", "-o", "m", "--sizes", "64", "--xmp")
        #expect(again.code == 0 && server.requests.count == asked, "\(again.err)")
        let retried = try run("mirror", "list.txt", "-o", "m", "--sizes", "64", "--retry", "withdrawn")
        #expect(retried.code == 3 && server.requests.count == asked + 4, "\(retried.err)")
    }

    /// A list of eight photos that their host confirms, with the licences that the list states.
    private func confirmed(_ licenses: [Int: String]) throws -> (
        server: RawServer, list: ([Int: String]) throws -> Void
    ) {
        let pictures = try DemoPictures(8, in: folder)
        let server = try RawServer(
            sequences: Dictionary(
                uniqueKeysWithValues: (0..<8).map {
                    let first = pictures.reply($0, headers: "ETag: \"\($0)\"\r\n")
                    return (
                        DemoPictures.path($0),
                        [first] + Array(repeating: DemoPictures.reply("304 Not Modified"), count: 4)
                    )
                }))
        let list = { [folder] (licenses: [Int: String]) in
            let lines = (0..<8).map { "\(server.url(DemoPictures.path($0))),\(licenses[$0] ?? "")\n" }
            try folder.write("url,license\n" + lines.joined(), to: "list.csv")
        }
        try list(licenses)
        return (server, list)
    }

    private func run(_ arguments: [String], at server: RawServer) throws -> Binary.Result {
        try Binary.run(arguments + server.access, folder: folder.url)
    }

    @Test("A licence that the feed has changed since the download is reported, and --prune keeps the photo")
    func licenses() throws {
        let (server, list) = try confirmed([0: "CC BY 4.0", 1: "CC BY 4.0", 2: "CC0", 3: "CC BY-SA 2.0"])
        try #require(try run(["mirror", "list.csv", "-o", "n", "--sizes", "64"], at: server).code == 0)
        let same = try run(["recheck", "n"], at: server)
        #expect(same.code == 0 && same.out.isEmpty, "\(same)")
        // A rebuilt ledger once had no licences of downloads, so that no change was noticed.
        for name in ["ledger.sqlite", "ledger.sqlite-wal", "ledger.sqlite-shm"] {
            try? folder.remove("n/.sluice/\(name)")
        }
        try Binary.run(["gallery", "n", "--rebuild"], folder: folder.url).require()
        // Photo 1 has another licence, photo 2 the same one, photo 3 none, and photo 4 had none.
        try list([0: "CC BY 4.0", 1: "CC BY-NC 4.0", 2: "CC0", 4: "CC0"])
        // New thumbnails do not change what the licence was.
        try #require(try run(["mirror", "list.csv", "-o", "n", "--sizes", "32"], at: server).code == 0)
        let result = try run(["recheck", "n", "--prune"], at: server)
        let lines = result.out.split(separator: "\n").map(String.init)
        #expect(result.code == 3 && lines.count == 2, "\(result)")
        #expect(
            lines.first?.hasPrefix("relicensed") == true
                && lines.first?.contains("was CC BY 4.0, is now CC BY-NC 4.0") == true)
        #expect(lines.last?.contains("was CC BY-SA 2.0, is now not stated") == true)
        #expect(folder.names().count { $0.hasPrefix("n/originals/") } == 8)
    }

    @Test("--sample asks for the photos whose addresses have a small hash, and for no others")
    func sample() throws {
        let (server, _) = try confirmed([:])
        try #require(try run(["mirror", "list.csv", "-o", "n", "--sizes", "64"], at: server).code == 0)
        let asked = server.requests.count
        let wanted = (0..<8).filter { number in
            let hash = sha256(Array(server.url(DemoPictures.path(number)).utf8))
            return UInt64(hash.prefix(8), radix: 16).map { Double($0) < 0.5 * Double(1 << 32) } ?? false
        }
        for _ in 0..<2 {
            try run(["recheck", "n", "--sample", "50%"], at: server).expect(err: "recheck: \(wanted.count) may be kept")
        }
        let paths = server.requests.dropFirst(asked).compactMap {
            $0.split(separator: " ").dropFirst().first.map(String.init)
        }
        #expect(paths.sorted() == (wanted + wanted).map(DemoPictures.path).sorted())
    }
}
