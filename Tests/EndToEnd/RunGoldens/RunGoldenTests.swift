// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Compares events, manifest, ledger and report of every kind of run with stored ones.
///
/// `SLUICE_UPDATE_GOLDENS=1` stores the current ones. A change that is not meant to change what runs do must leave them
/// as they are.
@Suite("Goldens of runs", .timeLimit(.minutes(10))) struct RunGoldenTests {
    private static let isUpdate = ProcessInfo.processInfo.environment["SLUICE_UPDATE_GOLDENS"] == "1"
    private static let place = URL(filePath: #filePath).deletingLastPathComponent().appending(path: "Expected")
    private static let demo = "demo --pages 2 --per-page 2 --variant thumb --sizes 64 -o m"
    private static let network = "--allow-private --no-robots --retries 0 --sizes 64 -o m"

    private func compare(_ transcript: RunTranscript, with name: String) throws {
        let file = Self.place.appending(path: "\(name).txt")
        if Self.isUpdate { return try Data(transcript.text.utf8).write(to: file) }
        let expected = try String(contentsOf: file, encoding: .utf8).split(separator: "\n")
        let found = transcript.text.split(separator: "\n")
        let differing = zip(expected, found).first { $0 != $1 }
        #expect(differing == nil, "\(name): expected \(differing?.0 ?? ""), found \(differing?.1 ?? "")")
        #expect(expected.count == found.count, "\(name): expected \(expected.count) lines, found \(found.count)")
    }

    /// A server with photos of the demo, damaged and missing ones, and with a feed of two photos.
    private func server(for transcript: inout RunTranscript) throws -> RawServer {
        try transcript.prepare(
            "sluice mirror demo --pages 1 --per-page 3 --variant thumb --sizes none --name {seq} -o source")
        let photos = try (1...3).map {
            try Data(contentsOf: transcript.url.appending(path: "source/originals/\($0).jpg"))
        }
        let feed = """
            <?xml version="1.0"?><rss version="2.0"><channel><title>f</title><item><guid>1</guid><title>One</title>
            <enclosure url="http://127.0.0.1:{port}/1.jpg" type="image/jpeg"/></item><item><guid>2</guid>
            <enclosure url="http://127.0.0.1:{port}/2.jpg" type="image/jpeg"/></item></channel></rss>
            """
        let known = Self.reply(photos[0], "ETag: \"one\"\r\n")
        let unchanged = [RawServer.Step.text("HTTP/1.1 304 Not Modified\r\nETag: \"one\"\r\n\r\n"), .again]
        let late = [RawServer.Step.text("HTTP/1.1 503 Busy\r\nContent-Length: 0\r\n\r\n"), .again]
        let head = "HTTP/1.1 200 OK\r\nContent-Type: application/rss+xml\r\nConnection: close\r\n\r\n"
        let server = try RawServer(sequences: [
            "/1.jpg": [known, unchanged], "/2.jpg": [Self.reply(photos[1])],
            "/late.jpg": [late, Self.reply(photos[2])],
            "/cut.jpg": [Self.reply(photos[2].prefix(photos[2].count / 2))],
            "/text.jpg": [Self.reply(Data("text".utf8))],
            "/feed.xml": [[.text(head + feed)]],
        ])
        transcript.port = server.port
        return server
    }

    private static func reply(_ bytes: some Sequence<UInt8>, _ headers: String = "") -> [RawServer.Step] {
        let bytes = Array(bytes)
        let head = "HTTP/1.1 200 OK\r\n\(headers)Content-Length: \(bytes.count)\r\n\r\n"
        return [.text(head), .raw(bytes), .again]
    }

    /// Writes a list of the server's photos, and an invalid line.
    private func writeList(of server: RawServer, in transcript: RunTranscript) throws {
        let paths = ["1", "2", "late", "cut", "text", "none", "1"]
        let lines = paths.map { server.url("/\($0).jpg") } + ["nonsense"]
        try transcript.folder.write(lines.map { "\($0)\n" }.joined(), to: "list.txt")
    }

    @Test("A service: a first run, one with other options, one that skips deleted photos, and a dry run")
    func service() throws {
        var transcript = RunTranscript()
        try transcript.run("mirror \(Self.demo) --dry-run")
        try transcript.run("mirror \(Self.demo) --json")
        try transcript.show("m")
        try transcript.run("mirror \(Self.demo.replacing("--sizes 64", with: "--sizes 32")) --max-items 3 --json")
        try transcript.show("m")
        try transcript.prepare("rm m/originals/00001*")
        try transcript.run("mirror \(Self.demo) --skip-deleted --min-size 4000x4000 --json")
        try transcript.show("m")
        try transcript.run("mirror \(Self.demo) --no-originals -o n --json")
        try transcript.show("n")
        try compare(transcript, with: "service")
    }

    @Test("A list, a refresh and a retry")
    func list() throws {
        var transcript = RunTranscript()
        let server = try self.server(for: &transcript)
        try writeList(of: server, in: transcript)
        let port = "--allow-port \(server.port)"
        try transcript.run("mirror list.txt \(Self.network) \(port) --json")
        try transcript.show("m")
        try transcript.run("mirror list.txt \(Self.network) \(port) --retry http-5xx,truncated --json")
        try transcript.show("m")
        try transcript.run("mirror list.txt \(Self.network) \(port) --refresh --json")
        try transcript.show("m")
        try compare(transcript, with: "list")
    }

    @Test("A feed and its dry run") func feed() throws {
        var transcript = RunTranscript()
        let server = try self.server(for: &transcript)
        let line = "mirror \(server.url("/feed.xml")) \(Self.network) --allow-port \(server.port)"
        try transcript.run("\(line) --dry-run")
        try transcript.run("\(line) --json")
        try transcript.show("m")
        try compare(transcript, with: "feed")
    }

    @Test("A folder, and thumbnails of it in several runs") func files() throws {
        var transcript = RunTranscript()
        _ = try server(for: &transcript)
        try transcript.prepare(
            """
            mkdir -p p/a && mv source/originals/1.jpg p/a/1.jpg && mv source/originals/2.jpg p/2.jpg &&
            head -c 1500 source/originals/3.jpg >p/a/cut.jpg && echo text >p/text.jpg
            """)
        try transcript.run("mirror p --sizes 64 -o m --json")
        try transcript.show("m")
        let thumbs = "thumbs p p/text.jpg -o t --jobs 2 --json"
        try transcript.run("\(thumbs) --sizes 64")
        try transcript.show("t")
        try transcript.prepare(
            "touch p/a/1.jpg && cp p/2.jpg p/a/cut.jpg && echo more >>p/a/1.jpg && cp p/2.jpg p/3.jpg")
        try transcript.run("thumbs p -o t --jobs 2 --json --sizes 32")
        try transcript.show("t")
        try transcript.run("thumbs p -o t --jobs 2 --sizes 32 --json")
        try transcript.show("t")
        try transcript.run("mirror p --sizes 64 -o m --json")
        try transcript.show("m")
        try compare(transcript, with: "files")
    }

    @Test("Repairs of a mirror and of thumbnails") func repair() throws {
        var transcript = RunTranscript()
        try transcript.prepare("sluice mirror \(Self.demo)")
        try transcript.prepare("sluice thumbs m/originals -o t --sizes 64 --jobs 2")
        for (mirror, damaged) in [("m", "m/originals/00002* m/thumbs/64/00003*"), ("t", "t/64/00002*")] {
            try transcript.prepare("for file in \(damaged); do echo damage >$file; done")
            try transcript.run("verify \(mirror) --repair --json")
            try transcript.show(mirror)
        }
        try compare(transcript, with: "repair")
    }

    @Test("An adopted folder with and without a source") func adopt() throws {
        var transcript = RunTranscript()
        _ = try server(for: &transcript)
        try transcript.prepare("sluice mirror \(Self.demo) && mkdir d && cp m/originals/* d && rm d/00004* && mv m old")
        let line = "adopt d demo --pages 2 --per-page 2 --variant thumb --sizes 64"
        try transcript.prepare("cp old/originals/00004* d/other.jpg && echo x >d/x.txt")
        try transcript.prepare(
            "for i in 1 2; do mv d/0000$i* d/$(sed -n ${i}p old/manifest.jsonl | cut -d'\"' -f8).jpg; done")
        try transcript.run("\(line) -o m --dry-run")
        try transcript.run("\(line) -o m --json")
        try transcript.show("m")
        try transcript.prepare("rm old/originals/00003*")
        try transcript.run("adopt d -o old --json")
        try transcript.show("old")
        try compare(transcript, with: "adopt")
    }

    @Test("Shards and their merge") func shards() throws {
        var transcript = RunTranscript()
        try transcript.run("plan \(Self.demo.dropLast(5)) --shards 2 -o plan")
        for shard in 0...1 { try transcript.run("work plan --shard \(shard) -o m --json") }
        let attempts = try FileManager.default.subpathsOfDirectory(atPath: transcript.url.appending(path: "m").path)
            .filter { $0.hasSuffix("/.sluice/ledger.sqlite") }.map { String($0.dropLast(22)) }
        #expect(attempts.count == 2)
        for (number, attempt) in attempts.sorted().enumerated() {
            try transcript.prepare("mkdir shard-\(number) && cp -r m/\(attempt)/. shard-\(number)")
            try transcript.show("shard-\(number)")
        }
        try transcript.run("merge plan -o m --json")
        try transcript.show("m")
        try compare(transcript, with: "shards")
    }

    @Test("A locked list") func lock() throws {
        var transcript = RunTranscript()
        let server = try self.server(for: &transcript)
        try writeList(of: server, in: transcript)
        let line = "\(Self.network) --allow-port \(server.port)"
        _ = try Binary.shell("sluice mirror list.txt \(line) && rm -f x", folder: transcript.url)
        try transcript.prepare("sluice lock m >list.lock; mv m old")
        try transcript.run("mirror list.lock \(line) --json")
        try transcript.show("m")
        try compare(transcript, with: "lock")
    }

    @Test("Pruning and its dry run") func prune() throws {
        var transcript = RunTranscript()
        let server = try self.server(for: &transcript)
        try writeList(of: server, in: transcript)
        let line = "mirror list.txt \(Self.network) --allow-port \(server.port)"
        _ = try Binary.shell("sluice \(line)", folder: transcript.url)
        try transcript.prepare("sed -i 1,2d list.txt")
        try transcript.run("\(line) --prune --dry-run")
        try transcript.run("\(line) --prune --json")
        try transcript.run("\(line) --prune --prune-limit 60% --json")
        try transcript.show("m")
        try compare(transcript, with: "prune")
    }

    @Test("Objects of a bucket, mirrored and as thumbnails") func bucket() throws {
        var source = RunTranscript()
        _ = try server(for: &source)
        let photos = try (1...2).map {
            try Data(contentsOf: source.url.appending(path: "source/originals/\($0).jpg"))
        }
        let objects = photos.indices.map { index in
            "<Contents><Key>in/\(index).jpg</Key><LastModified>2025-01-01T00:00:00.000Z</LastModified>"
                + "<ETag>&quot;e\(index)&quot;</ETag><Size>\(photos[index].count)</Size></Contents>"
        }
        let listing = "<?xml version=\"1.0\"?><ListBucketResult>\(objects.joined())</ListBucketResult>"
        let server = try RawServer([
            "/photos?encoding-type=url&list-type=2&max-keys=1000&prefix=in%2F": Self.reply(listing.utf8),
            "/photos/in/0.jpg": Self.reply(photos[0], "ETag: \"e0\"\r\n"),
            "/photos/in/1.jpg": Self.reply(photos[1], "ETag: \"e1\"\r\n"),
        ])
        var transcript = RunTranscript([
            "AWS_ENDPOINT_URL_S3": "http://127.0.0.1:\(server.port)", "AWS_ACCESS_KEY_ID": "a",
            "AWS_SECRET_ACCESS_KEY": "b", "AWS_REGION": "r",
        ])
        transcript.port = server.port
        for _ in 1...2 {
            try transcript.run("mirror s3://photos/in --sizes 64 --no-isolate -o m --json")
            try transcript.show("m")
            try transcript.run("thumbs s3://photos/in --sizes 64 --no-isolate --jobs 2 -o t --json")
            try transcript.show("t")
        }
        try compare(transcript, with: "bucket")
    }
}
