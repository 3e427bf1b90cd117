// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// `--blocklist` at download, merge and export.
@Suite("Blocklist commands", .timeLimit(.minutes(10))) struct BlocklistCommandTests {
    private let folder = TemporaryFolder()
    private let server: RawServer
    private let pictures: DemoPictures

    /// A list of four photos on a server.
    init() throws {
        pictures = try DemoPictures(4, in: folder)
        var replies = Dictionary(
            uniqueKeysWithValues: [0, 1, 2, 3].map { [pictures] in (DemoPictures.path($0), pictures.reply($0)) })
        replies["/block.txt"] = DemoPictures.reply("200 OK", Array("# none\n\(sha256(pictures.files[2]))\n".utf8))
        server = try RawServer(replies)
        try folder.write(DemoPictures.list(4, on: server), to: "list.txt")
    }

    private func run(_ words: String..., isNetworked: Bool = true) throws -> Binary.Result {
        let network = ["--allow-private", "--no-robots", "--allow-port", "\(server.port)"]
        return try Binary.run(words + (isNetworked ? network : []), folder: folder.url)
    }

    private func block(_ lines: String...) throws {
        try folder.write(lines.map { $0 + "\n" }.joined(), to: "block.txt")
    }

    /// The lines of a mirror's manifest.
    private func manifest(_ name: String) throws -> [RunEvent] {
        try RunEvent.all(in: Tree(of: folder.path(name)).text("manifest.jsonl"))
    }

    private func originals(_ name: String) -> Int {
        folder.names().count { $0.hasPrefix("\(name)/originals/") }
    }

    @Test("A blocked photo is not stored, is counted by its cause, and is not requested again without --retry")
    func download() throws {
        try #require(try run("mirror", "list.txt", "-o", "all", "--sizes", "64").code == 0)
        let phash = try #require(manifest("all")[0][text: "phash"])
        try block("# by content and by picture", sha256(pictures.files[1]), phash)
        try run("mirror", "list.txt", "-o", "m", "--sizes", "64", "--blocklist", "block.txt").expect(err: "2 blocked")
        #expect(originals("m") == 2 && folder.names().count { $0.hasPrefix("m/thumbs/64/") } == 2)
        #expect(try manifest("m").compactMap { $0[text: "cause"] } == ["blocked", "blocked"])
        #expect(try manifest("m").compactMap { $0[text: "detail"] }.last == "its SHA-256 is on the blocklist")
        let report = try Tree(of: folder.path("m")).text("report.json")
        #expect(report.contains("\"blocked\""))
        let asked = server.requests.count
        let again = try run("mirror", "list.txt", "-o", "m", "--sizes", "64")
        #expect(again.code == 0 && server.requests.count == asked, "\(again)")
        let retried = try run("mirror", "list.txt", "-o", "m", "--sizes", "64", "--retry", "blocked")
        #expect(retried.code == 0 && originals("m") == 4, "\(retried)")
        // The photos of earlier runs are removed, too, from a list at an address.
        let url = server.url("/block.txt")
        try run("mirror", "list.txt", "-o", "m", "--sizes", "64", "--blocklist", url).expect(
            err: "removed 1 photo on the blocklist")
        #expect(try originals("m") == 3 && Binary.run(["verify", "m"], folder: folder.url).code == 0)
    }

    @Test("An export and a merge leave blocked photos out")
    func exportAndMerge() throws {
        try #require(try run("mirror", "list.txt", "-o", "m", "--sizes", "64").code == 0)
        try block(sha256(pictures.files[1]))
        try run(
            "export", "m", "-o", "x", "--layout", "folder", "--blocklist", "block.txt", isNetworked: false
        ).expect(err: "left out 1 photo on the blocklist")
        #expect(folder.names().count { $0.hasPrefix("x/") && $0.hasSuffix(".jpg") } == 3)
        try #require(try run("plan", "list.txt", "--shards", "2", "-o", "plan", "--sizes", "64").code == 0)
        for shard in ["0", "1"] {
            try run("work", "plan", "--shard", shard, "-o", "merged").require()
        }
        try run("merge", "plan", "-o", "merged", "--blocklist", "block.txt").expect(
            err: "removed 1 photo on the blocklist")
        #expect(try manifest("merged").compactMap { $0[text: "cause"] } == ["blocked"])
        #expect(try originals("merged") == 3 && Binary.run(["verify", "merged"], folder: folder.url).code == 0)
    }

    @Test("Lists that cannot be read are refused before any photo is requested")
    func refused() throws {
        try block(sha256(pictures.files[1]), "not a hash")
        try run("mirror", "list.txt", "-o", "m", "--blocklist", "block.txt").expect(
            2, err: "cannot read blocklist 'block.txt': line 2: expected")
        try run("mirror", "list.txt", "-o", "m", "--blocklist", "none.txt").expect(
            2, err: "cannot read blocklist 'none.txt'")
        try run("mirror", "list.txt", "-o", "m", "--blocklist", "http://192.0.2.1/x").expect(
            2, err: "only https addresses are allowed")
        try run("mirror", "list.txt", "-o", "m", "--blocklist", server.url("/gone.txt")).expect(
            4, err: "cannot read blocklist")
        #expect(!server.requests.contains { $0.contains(".jpg") } && originals("m") == 0)
    }
}
