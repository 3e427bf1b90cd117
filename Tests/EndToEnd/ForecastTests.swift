// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@Suite("Forecast command", .timeLimit(.minutes(10))) struct ForecastCommandTests {
    private let folder: TemporaryFolder

    init() throws { folder = try TemporaryFolder() }

    @Test("A forecast downloads four photos of a host, creates nothing, and names the deciding limit")
    func list() throws {
        let pictures = try DemoPictures(8, in: folder)
        let server = try RawServer(pictures.replies)
        defer { server.stop() }
        let list = (0..<8).map { server.url(DemoPictures.path($0)) + "\n" }.joined()
        try Data(list.utf8).write(to: folder.url.appending(path: "list.txt"))
        let before = folder.names()
        let words = ["mirror", "list.txt", "-o", "m", "--dry-run", "--forecast", "--rate", "100/s"]
        let network = ["--allow-private", "--no-robots", "--allow-port", "\(server.port)", "--retries", "0"]
        let result = try Binary.run(words + network, folder: folder.url)
        #expect(result.code == 0 && result.err.contains("forecast: 8 photos, "), "\(result)")
        #expect(result.out.hasPrefix("127.0.0.1") && result.out.contains("4 photos"), "\(result)")
        #expect(result.err.contains("limited by"))
        #expect(server.requests.count == 4 && folder.names() == before)
    }

    @Test("A run with a forecast compares itself with it at the end")
    func comparison() throws {
        let result = try Binary.run(
            ["mirror", "demo", "-o", "m", "--forecast", "--per-page", "5", "--max-items", "20", "--sizes", "none"],
            folder: folder.url)
        #expect(result.code == 0 && result.err.contains("forecast: 20 photos, "), "\(result)")
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
        let again = try Binary.run(
            ["mirror", "demo", "-o", "m", "--forecast", "--per-page", "5", "--max-items", "20", "--sizes", "none"],
            folder: folder.url)
        #expect(again.code == 0 && again.err.contains("; was 20 photos (20 kept), 0 bytes, "), "\(again)")
    }

    @Test("The demo's total is extrapolated from its first pages")
    func pages() throws {
        let result = try Binary.run(
            ["mirror", "demo", "-o", "m", "--dry-run", "--forecast", "--per-page", "10"], folder: folder.url)
        #expect(result.code == 0 && result.err.contains("forecast: 300 photos, "), "\(result)")
        #expect(!folder.names().contains { $0.hasPrefix("m/") })
        let limited = try Binary.run(
            ["mirror", "demo", "-o", "m", "--dry-run", "--forecast", "--max-items", "30", "--json"], folder: folder.url)
        let event = try #require(RunEvent.all(in: limited.out).first)
        #expect(
            limited.code == 0 && event.name == "forecast" && limited.out.contains("\"has_more\":false"), "\(limited)")
        #expect(limited.out.contains("\"photos\":30,") && limited.out.contains("\"host\":\"photos.sluice.test\""))
    }

    @Test("A forecast needs a source on the network that can be read twice, and photos that the source lists")
    func refused() throws {
        let input = try Binary.run(["mirror", "-", "-o", "m", "--forecast"], folder: folder.url)
        #expect(input.code == 2 && input.err.contains("instead of standard input"), "\(input)")
        let retry = try Binary.run(
            ["mirror", "demo", "-o", "m", "--forecast", "--retry", "timeout"], folder: folder.url)
        #expect(retry.code == 2 && retry.err.contains("cannot be combined with --retry"), "\(retry)")
        try FileManager.default.createDirectory(atPath: folder.path("in"), withIntermediateDirectories: false)
        let local = try Binary.run(["mirror", "in", "-o", "m", "--dry-run", "--forecast"], folder: folder.url)
        #expect(local.code == 2 && local.err.contains("its photos are on this machine"), "\(local)")
    }
}
