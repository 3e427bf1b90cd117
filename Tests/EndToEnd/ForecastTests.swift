// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@Suite("Forecast command", .timeLimit(.minutes(10))) struct ForecastCommandTests {
    private let folder = TemporaryFolder()

    @Test("A forecast downloads four photos of a host, creates nothing, and names the deciding limit")
    func list() throws {
        let pictures = try DemoPictures(8, in: folder)
        let server = try RawServer(pictures.replies)
        try folder.write(DemoPictures.list(8, on: server), to: "list.txt")
        let before = folder.names()
        let words = ["mirror", "list.txt", "-o", "m", "--dry-run", "--forecast", "--rate", "100/s"]
        let network = ["--allow-private", "--no-robots", "--allow-port", "\(server.port)", "--retries", "0"]
        let result = try Binary.run(words + network, folder: folder.url).expect(err: "forecast: 8 photos, ")
        #expect(result.out.hasPrefix("127.0.0.1") && result.out.contains("4 photos"), "\(result)")
        #expect(result.err.contains("limited by"))
        #expect(server.requests.count == 4 && folder.names() == before)
    }

    @Test("A run with a forecast compares itself with it at the end")
    func comparison() throws {
        let result = try Binary.run(
            ["mirror", "demo", "-o", "m", "--forecast", "--per-page", "5", "--max-items", "20", "--sizes", "none"],
            folder: folder.url
        ).expect(err: "forecast: 20 photos, ")
        let line = try #require(result.err.split(separator: "\n").first { $0.hasPrefix("  forecast ") }, "\(result)")
        #expect(line.contains("20 photos, ") && line.contains("; was 20 photos, "), "\(line)")
        let bytes = try Data(contentsOf: folder.url.appending(path: "m/report.json"))
        let report = try #require(try JSONSerialization.jsonObject(with: bytes) as? [String: Any])
        let forecast = try #require(report["forecast"] as? [String: Any])
        func member(_ name: String, _ part: String) -> Int? { (forecast[name] as? [String: Any])?[part] as? Int }
        #expect(member("photos", "expected") == 20 && member("photos", "actual") == 20)
        let received = try #require(report["bytes_received"] as? Int)
        #expect(member("bytes", "actual") == received && received > 0)
        let (low, expected) = (try #require(member("bytes", "low")), try #require(member("bytes", "expected")))
        #expect(low <= expected && expected <= member("bytes", "high") ?? 0 && expected > 0)
        #expect((forecast["seconds"] as? [String: Any])?.keys.sorted() == ["actual", "expected"])
        try Binary.run(
            ["mirror", "demo", "-o", "m", "--forecast", "--per-page", "5", "--max-items", "20", "--sizes", "none"],
            folder: folder.url
        ).expect(err: "; was 20 photos (20 kept), 0 bytes, ")
    }

    @Test("The demo's total is extrapolated from its first pages")
    func pages() throws {
        try Binary.run(
            ["mirror", "demo", "-o", "m", "--dry-run", "--forecast", "--per-page", "10"], folder: folder.url
        ).expect(err: "forecast: 300 photos, ")
        #expect(!folder.names().contains { $0.hasPrefix("m/") })
        let limited = try Binary.run(
            ["mirror", "demo", "-o", "m", "--dry-run", "--forecast", "--max-items", "30", "--json"], folder: folder.url)
        let event = try #require(RunEvent.all(in: limited.out).first)
        #expect(
            limited.code == 0 && event.name == "forecast" && limited.out.contains("\"has_more\":false"), "\(limited)")
        #expect(limited.out.contains("\"photos\":30,") && limited.out.contains("\"host\":\"photos.sluice.test\""))
    }
}

extension CommandTests {
    @Suite("Feeds") struct FeedsCommandTests {
        @Test("feeds lists the services with the environment variables of their keys")
        func list() throws {
            let result = try Binary.run(["feeds"])
            #expect(result.code == 0 && result.out.hasPrefix("demo ") && result.out.contains("UNSPLASH_ACCESS_KEY"))
            #expect(try Binary.run(["feeds", "list"]) == result)
        }
    }
}

extension CommandTests {
    @Suite("Repeating the last command") struct RepeatedCommandTests {
        private let folder = TemporaryFolder()

        init() throws {
            let options = ["--pages", "1", "--per-page", "3", "--variant", "thumb", "--sizes", "64", "--out", "m"]
            #expect(try Binary.run(["mirror", "demo"] + options, folder: folder.url).code == 0)
        }

        @Test(
            "Without SOURCE, mirror repeats the last command with the new options added",
            arguments: [[], ["--out", "m"]])
        func again(out: [String]) throws {
            let place = out.isEmpty ? folder.url.appending(path: "m") : folder.url
            let result = try Binary.run(["mirror", "--pages", "2", "--json"] + out, folder: place).expect()
            let events = try RunEvent.all(in: result.out)
            #expect(events.ended("kept") == [1, 2, 3] && events.ended("done") == [4, 5, 6])
            let names = folder.names().filter { $0.hasPrefix("m/thumbs/") && $0.hasSuffix(".jpg") }
            #expect(names.count == 6 && names.allSatisfy { $0.hasPrefix("m/thumbs/64/") })
        }

        @Test("The last command's options override files, and variables and arguments override them")
        func origins() throws {
            try folder.write("{\"pages\": 9, \"per-host\": 2, \"retries\": 9}", to: "m/sluice.json")
            let result = try Binary.shell(
                "SLUICE_SIZES=32 sluice mirror --print-config --retries 1 --json",
                folder: folder.url.appending(path: "m")
            ).expect()
            let options = try RunEvent.all(in: result.out).map { event in
                [event[text: "option"], event[text: "value"], event[text: "origin"]]
            }
            #expect(options.contains(["pages", "1", "last-command"]) && options.contains(["per-host", "2", "file"]))
            #expect(options.contains(["sizes", "32", "variable"]) && options.contains(["retries", "1", "argument"]))
            #expect(try Binary.run(["verify", "m"], folder: folder.url).code == 0)
        }

        @Test("A folder that is not a mirror, or has no mirror command, cannot be continued")
        func refused() throws {
            #expect(try Binary.run(["thumbs", "m/originals", "--out", "t"], folder: folder.url).code == 0)
            for (out, reason) in [("nowhere", "is not a mirror"), ("t", "has no recorded command")] {
                let result = try Binary.run(["mirror", "--out", out], folder: folder.url).expect(2)
                #expect(result.err.hasSuffix("(without SOURCE it continues a mirror, but '\(out)' \(reason))\n"))
            }
            #expect(!folder.names().contains("nowhere"))
        }
    }
}
