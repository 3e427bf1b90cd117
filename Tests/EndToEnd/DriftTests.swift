// SPDX-License-Identifier: MIT

import Foundation
import SluiceOrigin
import Synchronization
import TestSupport
import Testing

/// `sluice drift` against a server whose photos have changed.
@Suite("Drift", .timeLimit(.minutes(10))) struct DriftTests {
    private let folder = TemporaryFolder()
    private let server: RawServer

    /// Mirrors six photos with entity tags.
    ///
    /// From the second request on, the server confirms the first, sends the second again, sends other photos for the
    /// next two, of which one has the same size, and answers 404 and 500 for the last two.
    init() throws {
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
        try folder.write(DemoPictures.list(6, on: server), to: "list.txt")
        try run("mirror", "list.txt", "-o", "m", "--sizes", "none").require()
    }

    private func run(_ arguments: String...) throws -> Binary.Result {
        try Binary.run(arguments + server.access, folder: folder.url)
    }

    @Test("Hosts are asked with conditional requests, the mirror stays as it is, and each change is printed")
    func states() throws {
        let before = try Tree(of: folder.path("m")).visible
        let result = try run("drift", "m")
        let lines = result.out.split(separator: "\n").map(String.init)
        try #require(result.code == 3 && lines.count == 4, "\(result.out)\(result.err)")
        #expect(lines[0] == "changed      \(server.url("/2.jpg"))  (other bytes of the same size)", "\(lines)")
        #expect(lines[1].hasPrefix("changed      \(server.url("/3.jpg"))  ("), "\(lines)")
        #expect(lines[1].contains(" bytes instead of "), "\(lines)")
        #expect(lines[2].hasPrefix("gone         \(server.url("/4.jpg"))  (http-404"), "\(lines)")
        #expect(lines[3].hasPrefix("failed       \(server.url("/5.jpg"))  (http-5xx"), "\(lines)")
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
        #expect(
            result.out.contains("<p class=\"counts\">2 same, 2 changed, 0 substituted, 1 gone, 1 failed</p>"),
            "\(result.out)")
        #expect(
            result.out.contains("same 33 %, changed 33 %, substituted 0 %, gone 17 %, failed 17 %"), "\(result.out)")
        for name in ["127.0.0.1", "up to a week"] {
            #expect(result.out.contains("<th scope=\"row\"><bdi>\(name)</bdi><svg class=\"meter\""), "\(result.out)")
        }
        #expect(
            result.out.components(
                separatedBy:
                    "<td><bdi>2</bdi></td><td><bdi>2</bdi></td><td><bdi>0</bdi></td><td><bdi>1</bdi></td><td><bdi>1</bdi></td>"
            ).count == 3)
        #expect(!result.out.contains("<script"))
        let none = try run("drift", "m", "--sample", "0%")
        #expect(none.code == 0 && none.err.hasSuffix("drift: no photos\n"), "\(none.err)")
    }

    /// Such photos counted as changed, in the order of the answers and without a reason, and as failed in a lock.
    @Test("Pages, home pages and placeholders have their own words, in drift and for a lock")
    func substitutes() throws {
        let place = TemporaryFolder()
        let pictures = try DemoPictures(10, in: place)
        let page = "<!DOCTYPE html><title>Gone</title>"
        let html = "HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: \(page.utf8.count)\r\n\r\n\(page)"
        let redirect = "HTTP/1.1 302 Found\r\nLocation: /\r\nContent-Length: 0\r\n\r\n"
        var replies: [String: [[RawServer.Step]]] = ["/": [[.text(html), .again]]]
        for number in 0..<9 {
            let later: [RawServer.Step] =
                switch number {
                case 0: pictures.reply(0)
                case 1: [.text(html), .again]
                case 2: [.text(redirect), .again]
                case 3: DemoPictures.reply("404 Not Found")
                default: pictures.reply(9)
                }
            replies[DemoPictures.path(number)] = [pictures.reply(number), later, later, later]
        }
        let server = try RawServer(sequences: replies)
        func run(_ words: String...) throws -> Binary.Result {
            try Binary.run(words + server.access, folder: place.url)
        }
        try place.write(DemoPictures.list(9, on: server), to: "list.txt")
        try run("mirror", "list.txt", "-o", "m", "--sizes", "64").require()
        let lock = try Binary.run(["lock", "m"], folder: place.url)
        try place.write(lock.out, to: "dataset.lock")

        let words = ["page", "home", "gone"] + Array(repeating: "placeholder", count: 5)
        func check(_ result: Binary.Result, _ summary: String) {
            let lines = result.out.split(separator: "\n").map {
                $0.split(separator: " ", omittingEmptySubsequences: true)
            }
            #expect(result.code == 3 && lines.map { $0.first.map(String.init) } == words, "\(result)")
            let addresses = lines.map { $0.dropFirst().first.map(String.init) }
            #expect(addresses == (1..<9).map { server.url(DemoPictures.path($0)) }, "\(result)")
            #expect(
                lines.allSatisfy { $0.count > 2 && $0[2].hasPrefix("(") }, "each line has its reason: \(result.out)")
            #expect(result.err.hasSuffix(summary), "\(result.err)")
        }
        let counts = "1 same, 5 placeholder, 1 page, 1 home, 1 gone\n"
        let drift = try run("drift", "m")
        check(drift, "drift: \(counts)")
        #expect(
            drift.out.contains("  (not-an-image: text/html instead of a photo, at \(server.url("/")))"), "\(drift.out)")
        #expect(drift.out.contains("  (5 addresses of the host deliver this file)"), "\(drift.out)")
        check(try run("mirror", "dataset.lock", "-o", "again", "--sizes", "64"), "lock: \(counts)")
        let json = try run("drift", "m", "--json")
        let events = try RunEvent.all(in: json.out)
        #expect(events.compactMap { $0[text: "state"] } == words && events.allSatisfy { $0[text: "evidence"] != nil })
    }

    /// A photo that took too long was requested four times.
    @Test("A photo that takes too long is asked for once")
    func timeout() throws {
        let place = TemporaryFolder()
        let pictures = try DemoPictures(1, in: place)
        let slow: [RawServer.Step] = [.text("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"), .hang]
        let server = try RawServer(sequences: [DemoPictures.path(0): [pictures.reply(0), slow, slow, slow, slow]])
        let network = ["--allow-private", "--no-robots", "--allow-port", "\(server.port)"]
        try place.write(server.url(DemoPictures.path(0)), to: "list.txt")
        try Binary.run(["mirror", "list.txt", "-o", "m", "--sizes", "none"] + network, folder: place.url).require()
        let result = try Binary.run(["drift", "m", "--timeout", "1s"] + network, folder: place.url)
        #expect(result.code == 3 && result.out.hasPrefix("failed       "), "\(result)")
        #expect(result.out.contains("(timeout: ") && server.requests.count == 2, "\(result)")
    }

    /// Each of the slow photos took the whole time limit, so a host with many of them held up the check for hours.
    @Test("A host whose photos take too long is not asked for all of them", arguments: ["drift", "recheck"])
    func slowHost(command: String) throws {
        let place = TemporaryFolder()
        let pictures = try DemoPictures(12, in: place)
        let slow: [RawServer.Step] = [.text("HTTP/1.1 200 OK\r\nContent-Length: 100000\r\n\r\n"), .hang]
        var replies: [String: [[RawServer.Step]]] = [:]
        for number in 0..<12 {
            replies[DemoPictures.path(number)] = [pictures.reply(number), number == 0 ? pictures.reply(0) : slow]
        }
        let other = ["/a.jpg": [pictures.reply(0)]]
        let (server, neighbour) = try RawServer.neighbours(replies, other)
        defer {
            server.stop()
            neighbour.stop()
        }
        let addresses = (0..<12).map { server.url(DemoPictures.path($0)) } + [neighbour.url("/a.jpg")]
        try place.write(addresses.joined(separator: "\n"), to: "list.txt")
        let network = [
            "--allow-private", "--no-robots", "--allow-port", "\(server.port)", "--per-host", "1", "--retries", "0",
        ]
        try Binary.run(["mirror", "list.txt", "-o", "m", "--sizes", "none"] + network, folder: place.url).require()
        let result = try Binary.run([command, "m", "--timeout", "1s"] + network, folder: place.url)
        let lines = result.out.split(separator: "\n")
        #expect(result.code == 3 && lines.count == 11 && lines.allSatisfy { $0.hasPrefix("failed ") }, "\(result)")
        #expect(server.requests.count == 12 + 5, "one photo that answers, and four that take all their time")
        let refused = "(timeout: 127.0.0.1: not requested after failed requests of "
        #expect(lines.suffix(7).allSatisfy { $0.contains(refused) }, "\(result.out)")
        #expect(neighbour.requests.count == 2)
    }
}

extension CommandTests {
    @Suite("diff") struct DiffTests {
        /// Serves photos by their paths; a test may replace them.
        private final class Service: OriginService {
            let photos: Mutex<[String: [UInt8]]>

            init(_ photos: [String: [UInt8]]) { self.photos = Mutex(photos) }

            func reply(to request: OriginRequest) -> OriginReply {
                guard let photo = photos.withLock({ $0[request.path] }) else { return .text("", status: 404) }
                return OriginReply(type: "image/jpeg", photo)
            }
        }

        @Test("diff lists new, changed and gone photos between two runs, and ignores earlier changes")
        func diff() throws {
            let files = try DemoMirror.undisturbed.get().tree.files
            let pictures = files.keys.sorted().filter { $0.hasPrefix("originals/") && $0.hasSuffix(".jpg") }
                .compactMap { files[$0].map { [UInt8]($0) } }
            let names = ["/a", "/b", "/c", "/d"]
            let service = Service(Dictionary(uniqueKeysWithValues: zip(names, pictures)))
            let origin = try OriginServer(service)
            let folder = TemporaryFolder()
            func run(_ names: [String], _ more: String...) throws {
                let list = names.map { "\(origin.address)\($0)\n" }.joined()
                try folder.write(list, to: "list.txt")
                let words = [
                    "mirror", "list.txt", "--out", "out", "--sizes", "none", "--allow-private", "--no-robots",
                    "--allow-port", "\(origin.port)",
                ]
                try Binary.run(words + more, folder: folder.url).require()
            }
            func diff(_ words: String...) throws -> Binary.Result {
                try Binary.run(["diff", "out"] + words, folder: folder.url)
            }
            try run(["/a", "/b", "/c"])
            service.photos.withLock { $0["/a"] = pictures[10] }
            try run(["/a", "/b", "/d"], "--refresh")
            let kinds = { (text: String) in text.split(separator: "\n").compactMap { $0.split(separator: " ").first } }
            let second = try diff("1", "2")
            #expect(second.code == 0 && kinds(second.out) == ["changed", "gone", "new"], "\(second)")
            #expect(second.err == "1 new, 1 changed, 1 gone\n")
            #expect(kinds(try diff("0", "1").out) == ["new", "new", "new"])
            #expect(try diff("2").out.isEmpty)
            let events = try RunEvent.all(in: diff("1", "2", "--json").out)
            #expect(events.map { $0[text: "kind"] } == ["changed", "gone", "new"])
            #expect(events.map { $0[number: "item"] } == [1, 3, 4])
            let runs = try diff()
            #expect(runs.out.split(separator: "\n").map { $0.prefix(2) } == ["1 ", "2 "])
            let wrong = try diff("7")
            #expect(wrong.code == 2 && wrong.err == "sluice: invalid run '7' for diff: expected a number from 0 to 2\n")
        }
    }
}
