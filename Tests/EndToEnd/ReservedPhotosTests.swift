// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Statements of hosts about the use of photos ended as "done" without a word.
@Suite("Reserved photos", .timeLimit(.minutes(10))) struct ReservedPhotosTests {
    /// Mirrors the first photos of a server into the folder `m`.
    private func mirror(_ count: Int, of server: RawServer, in folder: TemporaryFolder) throws {
        try folder.write(DemoPictures.list(count, on: server), to: "list.txt")
        try Binary.run(
            ["mirror", "list.txt", "-o", "m", "--sizes", "64", "--allow-private", "--allow-port", "\(server.port)"],
            folder: folder.url
        ).expect()
    }

    /// Compares the statements in the report with those of three photos, of which two are reserved.
    private func checkReport(in folder: TemporaryFolder, host: String) throws {
        let report = try JSONSerialization.jsonObject(with: Data(folder.bytes(of: "m/report.json"))) as? [String: Any]
        let usage = try #require(report?["usage"] as? [String: Any])
        #expect(usage["photos"] as? Int == 3 && usage["reserved"] as? Int == 2 && usage["skipped"] as? Int == 1)
        #expect(
            usage["rules"] as? [String: Int] == [
                "tdm-reservation": 1, "x-robots-tag": 1, "robots.txt content-usage": 1, "x-robots-tag noai": 1,
            ])
        let hosts = usage["hosts"] as? [[String: Any]]
        #expect(hosts?.count == 1 && hosts?.first?["host"] as? String == host)
        let page = try folder.text("m/report.html")
        #expect(page.contains("3 photos of the mirror have statements about their use; 2 are reserved"))
    }

    @Test("The rules of tdmrep.json and statements in files are recorded and respected as headers are")
    func filesWithStatements() throws {
        let folder = TemporaryFolder()
        let pictures = try DemoPictures(3, in: folder)
        let rules = #"[{"location": "/1.jpg", "tdm-reservation": 1, "tdm-policy": "https://a.test/p"}]"#
        let xmp = Array(
            """
            http://ns.adobe.com/xap/1.0/\0<x:xmpmeta xmlns:x="adobe:ns:meta/"><plus:DataMining>\
            http://ns.useplus.org/ldf/vocab/DMI-PROHIBITED-AIMLTRAINING</plus:DataMining></x:xmpmeta>
            """.utf8)
        let length = xmp.count + 2
        let bytes = pictures.files[2]
        let marked =
            Array(bytes.prefix(2)) + [0xFF, 0xE1, UInt8(length >> 8), UInt8(length & 255)] + xmp + bytes.dropFirst(2)
        let server = try RawServer([
            "/.well-known/tdmrep.json": DemoPictures.reply("200 OK", Array(rules.utf8)),
            "/0.jpg": pictures.reply(0), "/1.jpg": pictures.reply(1),
            "/2.jpg": DemoPictures.reply("200 OK", marked),
        ])
        try mirror(3, of: server, in: folder)
        let manifest = try folder.text("m/manifest.jsonl")
        #expect(
            manifest.matches(of: /"usage":"([^"]*)"/).map { String($0.1) } == [
                "tdmrep.json tdm-reservation: 1; tdmrep.json tdm-policy: https://a.test/p",
                "iptc data-mining: DMI-PROHIBITED-AIMLTRAINING",
            ])
        #expect(server.requests.count { $0.hasPrefix("GET /.well-known/tdmrep.json ") } == 1)
        try Binary.run(["export", "m", "-o", "c", "--layout", "huggingface"], folder: folder.url).expect()
        let card = try folder.text("c/README.md")
        let host = "127.0.0.1:\(server.port)"
        #expect(
            card.contains("\n| \(host) | iptc data-mining: DMI-PROHIBITED-AIMLTRAINING | 1 | left out |\n"), "\(card)")
        #expect(
            card.contains("| \(host) | tdmrep.json tdm-reservation: 1; tdmrep.json tdm-policy: https://a.test/p | 1 |"))
        try Binary.run(["export", "m", "-o", "a", "--layout", "folder"], folder: folder.url).expect(
            err: "left out 2 photos reserved from AI training")
    }

    @Test("Statements are recorded, and an export leaves out photos whose hosts reserve training")
    func export() throws {
        let folder = TemporaryFolder()
        let pictures = try DemoPictures(5, in: folder)
        let robots = "User-agent: *\nContent-Usage: /3.jpg train-ai=n\n"
        let server = try RawServer([
            "/robots.txt": DemoPictures.reply("200 OK\r\nContent-Type: text/plain", Array(robots.utf8)),
            "/0.jpg": pictures.reply(0), "/1.jpg": pictures.reply(1, headers: "tdm-reservation: 1\r\n"),
            "/2.jpg": pictures.reply(2, headers: "X-Robots-Tag: noindex\r\n"), "/3.jpg": pictures.reply(3),
            "/4.jpg": pictures.reply(4, headers: "X-Robots-Tag: noai\r\n"),
        ])
        try mirror(5, of: server, in: folder)
        let lines = try folder.bytes(of: "m/manifest.jsonl").split(separator: UInt8(ascii: "\n")).map { line in
            try JSONSerialization.jsonObject(with: Data(line)) as? [String: Any]
        }
        #expect(
            lines.map { $0?["usage"] as? String } == [
                nil, "tdm-reservation: 1", "x-robots-tag: noindex", "robots.txt content-usage: train-ai=n", nil,
            ])
        try checkReport(in: folder, host: "127.0.0.1:\(server.port)")
        // A run that keeps all photos has the same counts.
        try mirror(5, of: server, in: folder)
        try checkReport(in: folder, host: "127.0.0.1:\(server.port)")
        try Binary.run(["export", "m", "-o", "a", "--layout", "folder"], folder: folder.url).expect(
            err: "left out 2 photos reserved from AI training; --respect none includes them")
        let names = { (export: String) in try Tree(of: folder.path(export)).names.filter { $0.hasSuffix(".jpg") } }
        #expect(try names("a") == ["00000/000000001.jpg", "00000/000000003.jpg"])
        let all = try Binary.run(
            ["export", "m", "-o", "b", "--layout", "folder", "--respect", "none"], folder: folder.url)
        #expect(try all.code == 0 && names("b").count == 4, "\(all.err)")
    }
}
