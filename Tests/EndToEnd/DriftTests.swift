// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// `sluice drift` against a server whose photos have changed.
@Suite("Drift", .timeLimit(.minutes(10))) struct DriftTests {
    private let folder: TemporaryFolder
    private let server: RawServer

    /// Mirrors six photos with entity tags.
    ///
    /// From the second request on, the server confirms the first, sends the second again, sends other photos for the
    /// next two, of which one has the same size, and answers 404 and 500 for the last two.
    init() throws {
        folder = try TemporaryFolder()
        let pictures = try DemoPictures(7, in: folder)
        var sameSize = pictures.files[2]
        sameSize[sameSize.count - 3] ^= 1
        let first = pictures.files.indices.map { number in
            pictures.reply(number, headers: "ETag: \"\(pictures.files[number].count)\"\r\n")
        }
        let second = [
            DemoPictures.reply("304 Not Modified"), first[1], DemoPictures.reply("200 OK", sameSize), first[6],
            DemoPictures.reply("404 Not Found"), DemoPictures.reply("500 Error"),
        ]
        server = try RawServer(
            sequences: Dictionary(
                uniqueKeysWithValues: (0..<6).map { (DemoPictures.path($0), [first[$0], second[$0]]) }))
        let list = (0..<6).map { server.url(DemoPictures.path($0)) + "\n" }.joined()
        try Data(list.utf8).write(to: folder.url.appending(path: "list.txt"))
        let result = try run("mirror", "list.txt", "-o", "m", "--sizes", "none")
        try #require(result.code == 0, "\(result.err)")
    }

    private func run(_ arguments: String...) throws -> Binary.Result {
        let network = ["--allow-private", "--no-robots", "--allow-port", "\(server.port)", "--retries", "0"]
        return try Binary.run(arguments + network, folder: folder.url)
    }

    @Test("Hosts are asked with conditional requests, the mirror stays as it is, and each change is printed")
    func states() throws {
        let before = try Tree(of: folder.path("m")).visible
        let result = try run("drift", "m")
        let lines = result.out.split(separator: "\n").map(String.init).sorted()
        try #require(result.code == 3 && lines.count == 4, "\(result.out)\(result.err)")
        #expect(lines[0] == "changed  \(server.url("/2.jpg"))" && lines[1] == "changed  \(server.url("/3.jpg"))")
        #expect(lines[2].hasPrefix("failed   \(server.url("/5.jpg"))  (http-5xx"), "\(lines)")
        #expect(lines[3] == "gone     \(server.url("/4.jpg"))")
        #expect(result.err.hasSuffix("drift: 2 same, 2 changed, 1 gone, 1 failed\n"), "\(result.err)")
        #expect(
            result.err.contains("  127.0.0.1: 2 same") && result.err.contains("  downloaded up to a week ago: 2 same"))
        #expect(server.requests.filter { $0.contains("If-None-Match: \"") }.count == 6)
        #expect(try Tree(of: folder.path("m")).visible == before)
        let partial = try FileManager.default.contentsOfDirectory(atPath: folder.path("m/.sluice/partial"))
        #expect(partial.isEmpty, "\(partial)")
    }

    @Test("A page has a chart by host and by age, and a sample asks for a part of the photos")
    func page() throws {
        let result = try run("drift", "m", "--html")
        #expect(result.code == 3 && result.out.hasPrefix("<!doctype html>"))
        #expect(result.out.contains("<p class=\"counts\">2 same, 2 changed, 1 gone, 1 failed</p>"), "\(result.out)")
        #expect(result.out.contains("same 33 %, changed 33 %, gone 17 %, failed 17 %"), "\(result.out)")
        for name in ["127.0.0.1", "up to a week"] {
            #expect(result.out.contains("<th scope=\"row\"><bdi>\(name)</bdi><svg class=\"meter\""), "\(result.out)")
        }
        #expect(
            result.out.components(
                separatedBy: "<td><bdi>2</bdi></td><td><bdi>2</bdi></td><td><bdi>1</bdi></td><td><bdi>1</bdi></td>"
            ).count == 3)
        #expect(!result.out.contains("<script"))
        let none = try run("drift", "m", "--sample", "0%")
        #expect(none.code == 0 && none.err.hasSuffix("drift: no photos\n"), "\(none.err)")
    }
}
