// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

@testable import SluiceLedger

/// Row B6 of the fault table: passwords are sent to their own host only.
@Suite("Secrets on the command line", .timeLimit(.minutes(10))) struct SecretsTests {
    private let folder = TemporaryFolder()

    private static let png = Data(
        base64Encoded:
            "iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mNk+M9QDwADhgGAWjR9awAAAABJRU5ErkJggg==")
    /// `user:canary`, as a request carries it.
    private static let basic = "Authorization: Basic dXNlcjpjYW5hcnk="

    private func picture() throws -> [RawServer.Step] {
        let bytes = try [UInt8](#require(Self.png))
        return [
            .text("HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: \(bytes.count)\r\n\r\n"), .raw(bytes),
        ]
    }

    private func redirect(to url: String) -> [RawServer.Step] {
        [.text("HTTP/1.1 302 Found\r\nLocation: \(url)\r\nContent-Length: 0\r\n\r\n")]
    }

    private func mirror(
        _ servers: [RawServer], of source: String = "list.txt", _ more: String..., environment: [String: String] = [:]
    ) throws -> Binary.Result {
        let ports = servers.flatMap { ["--allow-port", "\($0.port)"] }
        let words = [
            "mirror", source, "--out", "out", "--sizes", "none", "--allow-private", "--no-robots", "--json",
        ]
        return try Running(words + ports + more, environment: environment, folder: folder.url).end()
    }

    private func write(_ lines: String..., to name: String) throws {
        try folder.write(lines.map { "\($0)\n" }.joined(), to: name)
    }

    /// Whether neither the run's output nor any of its files holds the password.
    ///
    /// A run whose source cannot be read leaves no files.
    private func isClean(_ result: Binary.Result) throws -> Bool {
        let files = try Tree(of: folder.path("out")).files
        #expect((files[".sluice/ledger.sqlite"] == nil) == (result.code == 4))
        return !(result.out + result.err).contains("canary")
            && files.allSatisfy { !$0.key.contains("canary") && $0.value.range(of: Data("canary".utf8)) == nil }
    }

    @Test("A password in a photo's URL is sent to its host, and appears in no file and no output")
    func userinfo() throws {
        let other = try RawServer(["/b.png": picture()], host: "127.0.0.2")
        let server = try RawServer(["/a.png": picture(), "/b.png": redirect(to: other.url("/b.png"))])
        let place = "http://user:canary@127.0.0.1:\(server.port)"
        try write("\(place)/a.png", "\(place)/b.png", "\(place)/none.png", to: "list.txt")
        let first = try mirror([server, other])
        #expect(try first.code == 3 && isClean(first), "\(first)")
        let manifest = try RunEvent.all(in: Tree(of: folder.path("out")).text("manifest.jsonl"))
        #expect(manifest.map { $0[text: "url"] } == ["a", "b", "none"].map { server.url("/\($0).png") })
        #expect(manifest.map { $0[text: "state"] } == ["done", "done", "failed"])
        #expect(server.requests.count == 3 && server.requests.allSatisfy { $0.contains(Self.basic) })
        #expect(other.requests.count == 1 && !other.requests[0].contains("Authorization"))
        // Finished photos are recognised although the password is not stored.
        let second = try mirror([server, other])
        #expect(try RunEvent.all(in: second.out).ended("kept") == [1, 2])
        #expect(try isClean(second))
    }

    @Test(
        "A password in SOURCE is sent to its host, and appears in no file and no output", arguments: ["feed", "gone"])
    func source(name: String) throws {
        func feed(next: String) -> [RawServer.Step] {
            let feed = """
                <feed xmlns="http://www.w3.org/2005/Atom">\(next)<entry><id>a\(next.count)</id>\
                <link rel="enclosure" type="image/png" href="/a.png?\(next.count)"/></entry></feed>
                """
            return [.text("HTTP/1.1 200 OK\r\nContent-Length: \(feed.utf8.count)\r\n\r\n\(feed)")]
        }
        let next = "<link rel='next' href='/feed?2'/>"
        let server = try RawServer([
            "/feed": feed(next: next), "/feed?2": feed(next: ""), "/a.png?0": picture(),
            "/a.png?\(next.count)": picture(),
        ])
        let result = try mirror([server], of: "http://user:canary@127.0.0.1:\(server.port)/\(name)")
        #expect(try result.code == (name == "feed" ? 0 : 4) && isClean(result), "\(result)")
        let start = try #require(RunEvent.all(in: result.out).first { $0.name == "run-started" })
        #expect(start[text: "source"] == server.url("/\(name)"))
        #expect(server.requests.count == (name == "feed" ? 4 : 1))
        #expect(
            server.requests.allSatisfy { $0.contains(Self.basic) }, "the next page and the photos are on the same host")
        // With the password given again, the run continues the same mirror.
        let again = try mirror([server], of: "http://user:canary@127.0.0.1:\(server.port)/\(name)")
        #expect(try again.code == result.code && isClean(again), "\(again)")
    }

    /// The message named the address with its password.
    @Test("A password in the address of a IIIF manifest appears in no file and no output", arguments: ["none", "list"])
    func manifest(name: String) throws {
        func json(_ text: String) -> [RawServer.Step] {
            [.text("HTTP/1.1 200 OK\r\nContent-Length: \(text.utf8.count)\r\n\r\n\(text)")]
        }
        let server = try RawServer(["/none": json("{}"), "/list": json("{}")], host: "127.0.0.1")
        let place = "http://user:canary@127.0.0.1:\(server.port)"
        let members = ["/none", "/list", "/gone"].map { "{\"id\":\"\(place)\($0)\",\"type\":\"Manifest\"}" }
        let list = try RawServer([
            "/none": json("{}"),
            "/list": json("{\"type\":\"Collection\",\"items\":[\(members.joined(separator: ","))]}"),
        ])
        let source = "iiif:http://user:canary@127.0.0.1:\(list.port)/\(name)"
        let result = try mirror([server, list], of: source)
        #expect(try result.code == (name == "none" ? 4 : 3) && isClean(result), "\(result)")
    }

    @Test("A report holds no contact and no user agent") func contact() throws {
        let server = try RawServer(["/a.png": picture()])
        try write(server.url("/a.png"), to: "list.txt")
        let words = ["--contact", "me@canary.test", "--user-agent", "canary/1.0"]
        #expect(try mirror([server], of: "list.txt", words[0], words[1], words[2], words[3]).code == 0)
        for source in ["list.txt", nil] {
            if source == nil {
                // The last command, whose arguments the ledger has, is repeated; options that could do harm are not.
                let again = [
                    "mirror", "--out", "out", "--allow-private", "--no-robots", "--allow-port", "\(server.port)",
                ]
                #expect(try Binary.run(again, folder: folder.url).code == 0)
            }
            let tree = try Tree(of: folder.path("out"))
            #expect(tree.text("report.json").contains("\"--sizes=none\""))
            for (name, bytes) in tree.files where !name.hasPrefix(".sluice/") {
                #expect(bytes.range(of: Data("canary".utf8)) == nil, "\(name)")
            }
        }
        #expect(server.requests.allSatisfy { $0.contains("canary/1.0") })
    }

    @Test("A password in a photo's links appears in no file and no output")
    func links() throws {
        let server = try RawServer(["/a.png": picture()])
        let link = "http://user:canary@a.test"
        try write(
            """
            {"url":"\(server.url("/a.png"))","page_url":"\(link)/page","license_url":"\(link)/licence",\
            "author_url":"\(link)/author"}
            """, to: "list.jsonl")
        let result = try mirror([server], of: "list.jsonl")
        #expect(try result.code == 0 && isClean(result), "\(result)")
        let line = try #require(RunEvent.all(in: Tree(of: folder.path("out")).text("manifest.jsonl")).first)
        #expect(line[text: "page_url"] == "http://a.test/page" && line[text: "license_url"] == "http://a.test/licence")
    }

    @Test("A dry run prints no password")
    func dryRun() throws {
        try write("https://user:canary@a.test/1.jpg", to: "list.txt")
        let result = try Binary.run(["mirror", "list.txt", "--dry-run"], folder: folder.url)
        #expect(result.code == 0 && result.out.contains("https://a.test/1.jpg") && !result.out.contains("canary"))
    }

    @Test("--netrc sends a host its own password and other hosts none; without it no password is sent")
    func netrc() throws {
        let other = try RawServer(["/b.png": picture()], host: "127.0.0.2")
        let server = try RawServer(["/a.png": picture(), "/b.png": redirect(to: other.url("/b.png"))])
        try write("machine 127.0.0.1 login user password canary", to: ".netrc")
        try write(server.url("/a.png"), server.url("/b.png"), to: "list.txt")
        let home = ["HOME": folder.path]
        let without = try mirror([server, other], environment: home)
        #expect(without.code == 0 && server.requests.count == 2)
        #expect((server.requests + other.requests).allSatisfy { !$0.contains("Authorization") })
        let with = try mirror([server, other], "--netrc", "--refresh", environment: home)
        #expect(try with.code == 0 && isClean(with), "\(with)")
        #expect(server.requests.count == 4 && server.requests.dropFirst(2).allSatisfy { $0.contains(Self.basic) })
        #expect(other.requests.count == 2 && other.requests.allSatisfy { !$0.contains("Authorization") })
    }

    /// The key went to the host that the ledger named.
    @Test(
        "A cursor that a stranger wrote into the ledger gets no request and no secret",
        arguments: ["recipe", "feed", "page"])
    func forgedCursor(kind: String) throws {
        func reply(_ number: Int) -> [RawServer.Step] {
            let next = "/\(kind)?p=\(number + 1)"
            let text =
                switch kind {
                case "recipe":
                    #"{"items":[{"id":"\#(number)","url":"/\#(number).png"}]\#(number > 3 ? "" : #","next":"\#(next)""#)}"#
                case "feed":
                    """
                    <feed xmlns="http://www.w3.org/2005/Atom">\(number > 3 ? "" : "<link rel='next' href='\(next)'/>")\
                    <entry><id>\(number)</id><link rel="enclosure" type="image/png" href="/\(number).png"/></entry></feed>
                    """
                default:
                    "\(number > 3 ? "" : "<link rel=next href='\(next)'>")<img src=/\(number).png width=400 height=400>"
                }
            let type = ["recipe": "application/json", "feed": "application/atom+xml"][kind] ?? "text/html"
            let head = "HTTP/1.1 200 OK\r\nContent-Type: \(type)\r\nContent-Length: \(text.utf8.count)"
            return [.text("\(head)\r\n\r\n\(text)")]
        }
        let server = try RawServer(
            Dictionary(uniqueKeysWithValues: try (1...4).map { ("/\($0).png", try picture()) }).merging([
                "/\(kind)": reply(1), "/\(kind)?p=2": reply(2), "/\(kind)?p=3": reply(3), "/\(kind)?p=4": reply(4),
            ]) { $1 })
        let other = try RawServer(["/steal": reply(3)])
        try write(
            """
            {"recipe":"museum","base":"\(server.url(""))","listings":{"all":{"path":"/recipe"}},"records":"items",
            "paging":{"by":"url","path":"next"},"photo":{"id":"id"},"variants":{"full":"url"},
            "key":{"environment":"MUSEUM_KEY","from":"https://a.test/","header":"X-Key"}}
            """, to: "museum.json")
        func mirror(pages: Int) throws -> Binary.Result {
            let source = kind == "recipe" ? "museum.json" : server.url("/\(kind)")
            let words = ["--header", "X-Own: canary-own", "--pages", "\(pages)"]
            return try self.mirror(
                [server, other], of: source, words[0], words[1], words[2], words[3],
                environment: ["MUSEUM_KEY": "canary-key"])
        }
        let first = try mirror(pages: 2)
        #expect(first.code == 0 && server.requests.contains { $0.contains("canary-own") }, "\(first)")
        #expect(server.requests.contains { $0.contains("canary-key") } == (kind == "recipe"))
        let cursor = (kind == "page" ? "pages\n0 0 " : "") + other.url("/steal")
        try Database(folder.path("out/.sluice/ledger.sqlite")).execute(
            "UPDATE pages SET next = '\(cursor)' WHERE number = 2; UPDATE runs SET walked = NULL, started = 4000000000")
        let refused = try mirror(pages: 4)
        #expect(try refused.code == 3 && isClean(refused), "\(refused)")
        #expect(refused.out.contains("cross-origin-next") && refused.out.contains("is not at the origin of"))
        #expect(other.requests.isEmpty)
        // The next run reads the feed from its first page.
        let again = try mirror(pages: 4)
        #expect(try again.code == 0 && RunEvent.all(in: again.out).count { $0.name == "page-loaded" } == 4, "\(again)")
        #expect(other.requests.isEmpty)
    }

    @Test("A header goes to the feed's pages and the photos of its origin, and to no other, also after a redirect")
    func header() throws {
        let other = try RawServer(["/b.png": picture(), "/c.png": picture()], host: "127.0.0.2")
        let links = ["/a.png", "/b.png", other.url("/c.png")].map {
            "<entry><id>\($0)</id><link rel='enclosure' type='image/png' href='\($0)'/></entry>"
        }
        let feed = "<feed xmlns='http://www.w3.org/2005/Atom'>\(links.joined())</feed>"
        let server = try RawServer([
            "/feed": [.text("HTTP/1.1 200 OK\r\nContent-Length: \(feed.utf8.count)\r\n\r\n\(feed)")],
            "/a.png": picture(), "/b.png": redirect(to: other.url("/b.png")),
        ])
        let result = try mirror([server, other], of: server.url("/feed"), "--header", "Cookie: id=canary")
        #expect(try result.code == 0 && isClean(result), "\(result)")
        #expect(server.requests.count == 3 && server.requests.allSatisfy { $0.contains("Cookie: id=canary") })
        #expect(other.requests.count == 2 && other.requests.allSatisfy { !$0.contains("Cookie") })
    }
}
