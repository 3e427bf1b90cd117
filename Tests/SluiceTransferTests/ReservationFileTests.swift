// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceModel
import TestSupport
import Testing

@testable import SluiceTransfer

/// `/.well-known/tdmrep.json` of the TDM Reservation Protocol.
@Suite("Reservation files", .timeLimit(.minutes(5))) struct ReservationFileTests {
    private func text(_ file: ReservationFile, _ path: String) -> String? {
        UsageTerms(file.statements(about: path)).text
    }

    @Test("The examples of the specification")
    func examples() {
        let all = ReservationFile(Array(#"[{"location": "/", "tdm-reservation": 1}]"#.utf8))
        #expect(text(all, "/a/b.jpg?c") == "tdmrep.json tdm-reservation: 1")
        let groups = ReservationFile(
            Array(
                """
                [
                  {"location": "/directory-a/", "tdm-reservation": 1},
                  {"location": "/directory-b/html/", "tdm-reservation": 1,
                   "tdm-policy": "https://provider.com/policies/policy.json"},
                  {"location": "/directory-b/images/*.jpg", "tdm-reservation": 0}
                ]
                """.utf8))
        #expect(text(groups, "/directory-a/x.pdf") == "tdmrep.json tdm-reservation: 1")
        let policy = "tdmrep.json tdm-policy: https://provider.com/policies/policy.json"
        #expect(text(groups, "/directory-b/html/1.html") == "tdmrep.json tdm-reservation: 1; " + policy)
        #expect(text(groups, "/directory-b/images/x/1.jpg") == "tdmrep.json tdm-reservation: 0")
        #expect(text(groups, "/directory-b/images/1.png") == nil && text(groups, "/Directory-A/x.pdf") == nil)
    }

    @Test("The first rule that matches counts, and encoded characters match their plain forms")
    func matching() {
        let file = ReservationFile(
            Array(
                """
                [
                  {"location": "/path/foo-%24", "tdm-reservation": 0},
                  {"location": "/this/path/exactly$", "tdm-reservation": "1"},
                  {"location": "/this/*/then", "tdm-reservation": 0},
                  {"location": "/a%2Db%2f", "tdm-reservation": 1},
                  {"location": "/this/", "tdm-reservation": 1},
                  {"location": "/this/is/late/then", "tdm-reservation": 1}
                ]
                """.utf8))
        for (path, value) in [
            ("/path/foo-$", "0"), ("/this/path/exactly", "1"), ("/this/x/y/then/z", "0"), ("/a-b%2Fc", "1"),
            ("/%61-b%2f", "1"), ("/this/path/exactly/not", "1"), ("/this/is/late/then", "0"),
        ] {
            #expect(text(file, path) == "tdmrep.json tdm-reservation: \(value)", "\(path)")
        }
        #expect(text(file, "/a-b/c") == nil && text(file, "/") == nil)
    }

    @Test(
        "Errors state nothing",
        arguments: [
            "", "{}", "[1, null, []]", #"{"location": "/", "tdm-reservation": 1}"#, #"[{"tdm-reservation": 1}]"#,
            #"[{"location": "/"}]"#, #"[{"location": "/", "tdm-reservation": 2}]"#,
            #"[{"location": "/", "tdm-reservation": true}]"#,
            #"[{"location": "/", "tdm-reservation": 2}, {"location": "/", "tdm-reservation": 1}]"#,
        ])
    func errors(json: String) {
        #expect(text(ReservationFile(Array(json.utf8)), "/a") == nil)
    }

    private func reply(_ body: String, _ headers: String = "") -> [RawServer.Step] {
        [.text("HTTP/1.1 200 OK\r\n\(headers)Content-Length: \(body.utf8.count)\r\nConnection: close\r\n\r\n\(body)")]
    }

    private func count(_ server: RawServer, _ path: String) -> Int {
        server.requests.count { $0.hasPrefix("GET \(path) ") }
    }

    /// Downloads photos, and returns their terms.
    private func terms(
        _ server: RawServer, _ paths: [String], respectsRobotsTxt: Bool = true
    ) async throws -> [String?] {
        let folder = try TemporaryFolder()
        var options = TransferOptions.patient
        options.addressGuard = .open
        options.retry.retries = 2
        let pool = WorkPool(width: 1, backlog: 1)
        let transfers = Transfers(options, pool: pool)
        var texts: [String?] = []
        for path in paths {
            var request = Request(server.url(path))
            request.respectsRobotsTxt = respectsRobotsTxt
            let partial = try PartialFile("file", in: Folder(folder.url.path))
            guard
                case .complete(let response) = try await transfers.download(
                    request, into: partial, token: CancellationToken())
            else { throw Failure(.internal, "the download is not complete") }
            try partial.remove()
            texts.append(response.usage.text)
        }
        return texts
    }

    @Test("The file is read once for each host, and a header takes precedence over it")
    func precedence() async throws {
        let server = try RawServer([
            "/.well-known/tdmrep.json": reply(#"[{"location": "/", "tdm-reservation": 1}]"#),
            "/1.jpg": reply("a"), "/2.jpg": reply("b", "tdm-reservation: 0\r\n"),
        ])
        let texts = try await terms(server, ["/1.jpg", "/2.jpg"])
        #expect(texts == ["tdmrep.json tdm-reservation: 1", "tdm-reservation: 0; tdmrep.json tdm-reservation: 1"])
        #expect(texts.map { UsageTerms(text: $0 ?? "").reservesTraining } == [true, false])
        #expect(count(server, "/.well-known/tdmrep.json") == 1 && count(server, "/robots.txt") == 1)
        #expect(try await terms(server, ["/1.jpg"], respectsRobotsTxt: false) == [nil])
        #expect(count(server, "/.well-known/tdmrep.json") == 1)
    }

    @Test("A host that does not deliver the file, or forbids robots to read it, states nothing")
    func missing() async throws {
        for (scripts, requests) in [
            (["/.well-known/tdmrep.json": [RawServer.Step.reset]], 1),
            (
                [
                    "/.well-known/tdmrep.json": [
                        .text("HTTP/1.1 500 No\r\nContent-Length: 0\r\nConnection: close\r\n\r\n")
                    ]
                ], 1
            ),
            (["/robots.txt": reply("User-agent: *\nDisallow: /.well-known/")], 0), ([:], 1),
        ] {
            let server = try RawServer(scripts.merging(["/1.jpg": reply("a")]) { $1 })
            #expect(try await terms(server, ["/1.jpg"]) == [nil])
            #expect(count(server, "/.well-known/tdmrep.json") == requests)
        }
    }
}
