// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Mirrors and plans whose SOURCE another user wrote, at a private address.
@Suite("Sources of strangers", .timeLimit(.minutes(10))) struct StrangerSourceTests {
    private let folder = TemporaryFolder()
    private let server: RawServer

    /// Mirrors a feed with one photo on its own host.
    init() throws {
        let feed = """
            <rss version="2.0"><channel><title>a</title><item><guid>1</guid>
            <enclosure url="\(DemoPictures.path(0))" type="image/jpeg" length="1"/></item></channel></rss>
            """
        let pictures = try DemoPictures(1, in: folder)
        server = try RawServer(
            sequences: [
                "/feed.xml": [DemoPictures.reply("200 OK", Array(feed.utf8))],
                DemoPictures.path(0): [pictures.reply(0, headers: "")],
            ])
        try run("mirror \(server.url("/feed.xml")) -o m --sizes none", as: "owner").require()
    }

    /// Runs a command as a user with a home folder of this name.
    private func run(_ line: String, as user: String) throws -> Binary.Result {
        let environment = ["HOME": folder.path(user), "SLUICE_ROBOTS": "0"]
        // Plans take no variables, and verify has no such option.
        let option = line.hasPrefix("verify") ? "" : " --no-robots"
        return try Binary.shell("sluice \(line)\(option)", environment: environment, folder: folder.url)
    }

    @Test("The owner continues a mirror without a question, in a folder that only the owner can read")
    func owner() throws {
        try run("mirror -o m", as: "owner").expect()
        let state = folder.path("owner/.local/state/sluice/sources")
        #expect(try FileManager.default.contentsOfDirectory(atPath: state).count == 1)
        let mode = try FileManager.default.attributesOfItem(atPath: state)[.posixPermissions] as? Int
        #expect(mode == 0o700)
        let drift = try run("drift m", as: "owner")
        #expect(drift.code == 0 && drift.err.hasSuffix("drift: 1 same\n"), "\(drift.out)\(drift.err)")
    }

    @Test("Another user must name the source before it is contacted, and is then not asked again")
    func confirmation() throws {
        let count = server.requests.count
        let refused = try run("mirror -o m", as: "stranger")
        let url = server.url("/feed.xml")
        #expect(
            refused.code == 2
                && refused.err == """
                    sluice: cannot continue 'm': you have not used its source '\(url)' on this machine
                    hint: to contact it, run: sluice mirror \(url) --out=m --no-robots

                    """,
            "\(refused.err)")
        #expect(server.requests.count == count && !folder.contains("stranger"))
        for line in ["mirror \(url) --out=m", "mirror --out=m"] {
            try run(line, as: "stranger").expect()
        }
        // The answer is about this mirror only.
        try FileManager.default.copyItem(atPath: folder.path("m"), toPath: folder.path("copy"))
        #expect(try run("mirror -o copy", as: "stranger").code == 2)
    }

    @Test("drift and repairs reach no private address that a stranger's ledger names, until the user allows it")
    func ledger() throws {
        let count = server.requests.count
        let drift = try run("drift m", as: "stranger")
        #expect(drift.code == 3 && drift.out.contains("(address-refused"), "\(drift.out)\(drift.err)")
        let original = try #require(folder.names().first { $0.hasPrefix("m/originals/") && $0.hasSuffix(".jpg") })
        try folder.remove(original)
        let manifest = try Data(contentsOf: folder.url.appending(path: "m/manifest.jsonl"))
        let repair = try run("verify m --repair", as: "stranger")
        #expect(repair.code == 7 && server.requests.count == count, "\(repair.out)\(repair.err)")
        #expect(try Data(contentsOf: folder.url.appending(path: "m/manifest.jsonl")) == manifest)
        let line = "sluice verify m --repair --allow-address 127.0.0.0/8 --allow-port \(server.port)"
        #expect(repair.err.hasSuffix("  to allow the refused addresses: \(line)\n"), "\(repair.err)")
        let repaired = try run(String(line.dropFirst("sluice ".count)), as: "stranger")
        #expect(repaired.code == 0 && server.requests.count == count + 1, "\(repaired.out)\(repaired.err)")
        let allowed = try run("drift m --allow-address 127.0.0.1 --allow-port \(server.port)", as: "stranger")
        #expect(allowed.code == 0 && server.requests.count == count + 2, "\(allowed.out)\(allowed.err)")
    }

    /// The receipt with its checksum and thumbnails was replaced by the failure.
    @Test("A run that refuses the address of a missing file keeps the file's receipt")
    func refusedRun() throws {
        try folder.write("\(server.url(DemoPictures.path(0)))\n", to: "list.txt")
        let given = "--allow-address 127.0.0.1 --allow-port \(server.port)"
        try run("mirror list.txt -o l --sizes 32 \(given)", as: "owner").require()
        let manifest = try Data(contentsOf: folder.url.appending(path: "l/manifest.jsonl"))
        let original = try #require(folder.names().first { $0.hasPrefix("l/originals/") && $0.hasSuffix(".jpg") })
        try folder.remove(original)
        try run("mirror list.txt -o l --sizes 32", as: "owner").expect(3, err: "address-refused")
        #expect(try Data(contentsOf: folder.url.appending(path: "l/manifest.jsonl")) == manifest)
        let repaired = try run("verify l --repair \(given)", as: "owner")
        #expect(repaired.code == 0, "\(repaired.out)\(repaired.err)")
    }

    /// The shard was committed with a failure for each photo, which no later attempt could replace.
    @Test("work commits nothing if a plan's source is at a private address, until the user allows it")
    func plan() throws {
        try run("plan \(server.url("/feed.xml")) --shards 1 --sizes none -o plan", as: "owner").require()
        let (count, names) = (server.requests.count, folder.names())
        let refused = try run("work plan --shard 0 -o out", as: "owner")
        #expect(
            refused.code == 2
                && refused.err == """
                    sluice: cannot work on the plan: its source '\(server.url("/feed.xml"))' is refused, because \
                    127.0.0.1 is loopback, and port \(server.port) is not allowed
                    hint: allow with --allow-address 127.0.0.0/8 --allow-port \(server.port)

                    """,
            "\(refused)")
        #expect(server.requests.count == count && folder.names() == names)
        let given = "--allow-address 127.0.0.0/8 --allow-port \(server.port)"
        try run("work plan --shard 0 -o out \(given)", as: "owner").expect(err: "1 done")
        #expect(server.requests.count == count + 1)
    }

    @Test("work processes photos on other hosts although the plan's source is at a private address")
    func otherHosts() throws {
        let other = try DemoPictures(1, in: folder)
        let photos = try RawServer([DemoPictures.path(0): other.reply(0, headers: "")], host: "127.0.0.2")
        let list = Array("url\n\(photos.url(DemoPictures.path(0)))\n".utf8)
        let lists = try RawServer(["/list.csv": DemoPictures.reply("200 OK", list)])
        defer {
            photos.stop()
            lists.stop()
        }
        try run("plan \(lists.url("/list.csv")) --shards 1 --sizes none -o plan", as: "owner").require()
        let given = "--allow-address 127.0.0.2 --allow-port \(photos.port)"
        try run("work plan --shard 0 -o out \(given)", as: "owner").expect(err: "1 done")
    }
}
