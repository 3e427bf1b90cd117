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

    private func picture() throws -> [RawServer.Step] {
        let bytes = try [UInt8](#require(Self.png))
        return [
            .text("HTTP/1.1 200 OK\r\nContent-Type: image/png\r\nContent-Length: \(bytes.count)\r\n\r\n"), .raw(bytes),
        ]
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
}
