// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// `sluice recheck` against a server that has withdrawn photos.
@Suite("Recheck", .timeLimit(.minutes(10))) struct RecheckTests {
    private let folder: TemporaryFolder
    private let server: RawServer

    /// Mirrors seven photos.
    ///
    /// From the second request on, the server confirms the first, sends another photo, answers 404 and 500, opts out of
    /// collection, and reserves the training of models for a confirmed and for a changed photo.
    init() throws {
        folder = try TemporaryFolder()
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
        let list = (0..<7).map { server.url(DemoPictures.path($0)) + "\n" }.joined()
        try Data(list.utf8).write(to: folder.url.appending(path: "list.txt"))
        let result = try run("mirror", "list.txt", "-o", "m", "--sizes", "64", "--xmp")
        try #require(result.code == 0, "\(result.err)")
    }

    private func run(_ arguments: String...) throws -> Binary.Result {
        let network = ["--allow-private", "--no-robots", "--allow-port", "\(server.port)", "--retries", "0"]
        return try Binary.run(arguments + network, folder: folder.url)
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
        let refused = try run("recheck", "m", "--prune")
        #expect(refused.code == 8 && refused.err.contains("prune-refused: 4 of 7 photos"), "\(refused.err)")
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
}
