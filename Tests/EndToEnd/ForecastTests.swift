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

    @Test("A forecast needs a dry run, and a source on the network")
    func refused() throws {
        let alone = try Binary.run(["mirror", "demo", "-o", "m", "--forecast"], folder: folder.url)
        #expect(alone.code == 2 && alone.err.contains("--forecast needs --dry-run"), "\(alone)")
        try FileManager.default.createDirectory(atPath: folder.path("in"), withIntermediateDirectories: false)
        let local = try Binary.run(["mirror", "in", "-o", "m", "--dry-run", "--forecast"], folder: folder.url)
        #expect(local.code == 2 && local.err.contains("its photos are on this machine"), "\(local)")
    }
}
