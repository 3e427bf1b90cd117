// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceModel
import TestSupport
import Testing

@testable import SluiceTransfer

@Suite("Robots", .timeLimit(.minutes(10))) struct RobotsTests {
    @Test(
        "The longest rule applies, and the bot's own group overrides the general one",
        arguments: [
            ("User-agent: *\nDisallow: /p", "/photos/1", false), ("User-agent: *\nDisallow:", "/photos/1", true),
            ("User-agent: *\nDisallow: /p\nAllow: /photos", "/photos/1", true),
            ("User-agent: *\nDisallow: /photos\nAllow: /photos", "/photos/1", true),
            ("User-agent: *\nDisallow: /\nUser-agent: sluice\nAllow: /", "/x", true),
            ("User-agent: other\nUser-agent: SLUICE\nDisallow: /x", "/x", false),
            ("User-agent: other\nDisallow: /", "/x", true),
            ("User-agent: *\nDisallow: /\nUser-agent: sluice\nCrawl-delay: 3", "/x", true),
            ("user-AGENT : *\r\nDISALLOW : /a # words\r\n", "/a/b", false),
            ("\u{FEFF}User-agent: *\nDisallow: /a", "/a", false), ("Disallow: /a", "/a", true),
            ("User-agent: *\nDisallow: /*.jpg$", "/a/b.jpg", false),
            ("User-agent: *\nDisallow: /*.jpg$", "/a/b.jpg?size=2", true),
            ("User-agent: *\nDisallow: /a*b*c", "/axxbyyc", false),
            ("User-agent: *\nDisallow: /a*b*c", "/axxcyyb", true),
            ("User-agent: *\nDisallow: /*?key=", "/a?key=1", false),
            ("User-agent: *\nDisallow: /", "/robots.txt", true),
            ("User-agent: *\nDisallow: /a#b\n# Disallow: /\n#:\n", "/ab", false),
            ("User-agent: *\n\(String(repeating: "x", count: 100)):\nDisallow: /a", "/a", false),
            ("User-agent: *\nDisallow: $", "/", true), ("rubbish \u{0}\n:::\n", "/x", true), ("", "/x", true),
        ])
    func rules(text: String, path: String, isAllowed: Bool) {
        #expect(RobotsRules(Array(text.utf8), agent: "Sluice").allows(path) == isAllowed, "\(text)")
    }

    /// The rules of a group were copied to each of its names, which took gigabytes.
    @Test("A group with many names and many rules needs memory for its rules only")
    func manyNames() {
        let names = (0..<15_000).map { "User-agent: a\($0)\n" }.joined() + "User-agent: sluice\n"
        let rules = RobotsRules(
            Array((names + String(repeating: "Disallow: /a\n", count: 15_000)).utf8), agent: "Sluice")
        #expect(!rules.allows("/a") && rules.allows("/b"))
    }

    /// A line of `Content-Usage` may begin with a path, and those of other robots do not count.
    @Test("Statements about the use come from the own group, and the longest path counts")
    func usage() {
        let text = """
            License: https://a.test/l
            User-agent: other
            Content-Signal: ai-train=yes
            User-agent: *
            Content-Signal: search=yes, ai-train=no # words
            Content-Usage: train-ai=y
            Content-Usage: /photos/ train-ai=n
            Allow: /
            """
        let rules = RobotsRules(Array(text.utf8), agent: "Sluice")
        func terms(_ path: String) -> String? { UsageTerms(rules.statements(about: path)).text }
        let common = "robots.txt content-signal: search=yes, ai-train=no; robots.txt content-usage: train-ai="
        let license = "; robots.txt license: https://a.test/l"
        #expect(terms("/a") == common + "y" + license)
        #expect(terms("/photos/1") == common + "n" + license)
        #expect(RobotsRules(Array("User-agent: *\nDisallow:".utf8), agent: "Sluice").statements(about: "/").isEmpty)
    }

    /// Only the requests of photos told about their hosts, so that each photo of the host got a line.
    @Test("A request learns that its host was given up while robots.txt was loaded")
    func givenUp() async throws {
        var options = TransferOptions.patient
        options.retry.baseDelay = .milliseconds(1)
        var rules = HostRules()
        rules.unknownNamePause = .milliseconds(1)
        let failure = Failure(.dns, "a.test: Name or service not known", hint: .checkHostName)
        let transfers = Transfers(
            options, resolver: Resolver { _ in LookupResult(answer: .failure(failure), isDefinitive: true) },
            pool: WorkPool(width: 1, backlog: 1, hosts: rules))
        var request = Request("http://a.test/1.jpg")
        request.respectsRobotsTxt = true
        let events = Locked<[String]>([])
        let observe: Transfers.Observer = { event in
            if case .hostGivenUp(let host, _) = event { events.withLock { $0.append(host) } }
        }
        let (photo, token) = (request, CancellationToken())
        let error = await #expect(throws: Failure.self) {
            try await transfers.fetch(photo, token: token, observer: observe)
        }
        #expect(error?.hint == .checkHostName && events.withLock(\.self) == ["a.test"])
    }

    /// Each of the finished tasks kept its memory.
    @Test("No task remains of the loaded rules of many hosts")
    func finishedLoads() async throws {
        let cache = OriginCache<SizedRules>()
        for number in 0..<100 {
            let address = try #require(WebAddress("http://h\(number).test/"))
            let answers = [
                await cache.answer(for: address) { _ in .success(SizedRules(memory: number)) },
                await cache.answer(for: address) { _ in .success(SizedRules(memory: -1)) },
            ]
            #expect(answers == Array(repeating: .success(SizedRules(memory: number)), count: 2))
        }
        #expect(cache.loading == 0)
    }

    /// A run that took turns between more than 4,096 hosts requested their files for each photo.
    @Test("The rules of many hosts are kept, and the oldest are removed if all are too large", arguments: [0, 1 << 20])
    func manyOrigins(size: Int) async throws {
        let cache = OriginCache<SizedRules>(capacity: 8 << 20)
        var loads = 0
        for number in Array(0..<5000) + [0, 4999] {
            let address = try #require(WebAddress("http://h\(number).test/"))
            let loaded = Locked(0)
            _ = await cache.answer(for: address) { _ in
                loaded.withLock { $0 += 1 }
                return .success(SizedRules(memory: size))
            }
            loads += loaded.withLock(\.self)
        }
        #expect(loads == (size == 0 ? 5000 : 5001), "the first host's rules are loaded again")
    }

    private struct SizedRules: OriginRules, Hashable { var memory: Int }

    @Test("A hostile pattern is matched quickly")
    func hostilePattern() {
        let text = "User-agent: *\nDisallow: /" + String(repeating: "*a", count: 20_000) + "$"
        #expect(RobotsRules(Array(text.utf8), agent: "Sluice").allows("/" + String(repeating: "a", count: 2000) + "b"))
    }

    @Test(
        "X-Robots-Tag is parsed, and rules for other bots are ignored",
        arguments: [
            (["noai"], "noai"), (["NOAI, NoImageAI"], "noai"), (["nofollow", "noimageindex"], "noimageindex"),
            (["noindex, nofollow, none"], nil), (["max-image-preview: large, noimageai"], "noimageai"),
            (["otherbot: noai"], nil), (["sluice: noai"], "noai"), (["*: noai"], "noai"),
            (["otherbot: noindex, noai"], nil), (["otherbot: noindex", "noai"], "noai"),
            (["googlebot: noai, sluice: noimageai"], "noimageai"),
            (["unavailable_after: 25 Jun 2010 15:00:00 GMT"], "unavailable_after: 25 Jun 2010 15:00:00 GMT"),
            (
                ["unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT, nofollow"],
                "unavailable_after: Fri, 25 Jun 2010 15:00:00 GMT"
            ),
            (["unavailable_after: 25 Jun 2037 15:00:00 GMT"], nil), (["unavailable_after: soon"], nil), ([""], nil),
            ([",,:,: ,noai:"], "noai"), ([], nil),
        ] as [([String], String?)])
    func tag(values: [String], evidence: String?) {
        #expect(RobotsTag.refusal(in: values, agent: "Sluice", now: 1_800_000_000) == evidence)
    }

    private let options = TransferOptions.open()

    @Test("robots.txt is loaded once per host, and disallowed addresses are not requested")
    func cache() async throws {
        let ok = "HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nz"
        let rules = "User-agent: *\nDisallow: /no"
        let server = try RawServer([
            "/robots.txt": [.text("HTTP/1.1 200 OK\r\nContent-Length: \(rules.utf8.count)\r\n\r\n\(rules)")],
            "/yes": [.text(ok)], "/no": [.text(ok)],
        ])
        let transfers = Transfers(options)
        let failures = await withTaskGroup(of: Failure?.self) { group in
            for path in ["/yes", "/yes", "/no", "/yes", "/no"] {
                group.addTask {
                    var request = Request(server.url(path))
                    request.respectsRobotsTxt = true
                    do throws(Failure) {
                        _ = try await transfers.fetch(request, token: CancellationToken())
                        return nil
                    } catch {
                        return error
                    }
                }
            }
            return await group.reduce(into: [Failure]()) { list, failure in failure.map { list.append($0) } }
        }
        #expect(failures == Array(repeating: Failure(.optedOut, "robots.txt of 127.0.0.1 disallows /no"), count: 2))
        let paths = server.requests.map { $0.prefix { $0 != "\r" } }
        #expect(paths.count { $0.contains("/robots.txt") } == 1 && paths.count { $0.contains("/no") } == 0)
    }

    @Test(
        "A host without robots.txt allows everything; one that fails to send it is not requested",
        arguments: [
            ("HTTP/1.1 404 No\r\nContent-Length: 0\r\n\r\n", nil),
            ("HTTP/1.1 403 No\r\nContent-Length: 0\r\n\r\n", nil),
            ("HTTP/1.1 200 OK\r\nContent-Length: 0\r\n\r\n", nil), ("HTTP/1.1 204 None\r\n\r\n", nil),
            ("HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n", "http-5xx"),
            ("HTTP/1.1 408 Late\r\nContent-Length: 0\r\n\r\n", "http-408"),
            ("HTTP/1.1 425 Early\r\nContent-Length: 0\r\n\r\n", "http-425"),
            ("HTTP/1.1 429 Many\r\nContent-Length: 0\r\n\r\n", "http-429"),
            ("HTTP/1.1 304 Same\r\n\r\n", "unexpected-status"),
            ("HTTP/1.1 299 Odd\r\nContent-Length: 1\r\n\r\nx", "unexpected-status"),
        ])
    func missing(reply: String, cause: String?) async throws {
        let server = try RawServer([
            "/robots.txt": [.text(reply)], "/x": [.text("HTTP/1.1 200 OK\r\nContent-Length: 1\r\n\r\nz")],
        ])
        var request = Request(server.url("/x"))
        request.respectsRobotsTxt = true
        do throws(Failure) {
            _ = try await Transfers(options).fetch(request, token: CancellationToken())
            #expect(cause == nil)
        } catch {
            #expect(error.cause.name == cause && error.detail.hasPrefix("robots.txt"))
        }
    }

    @Test("A response that opts out stops before its body and is not retried")
    func optedOut() async throws {
        let reply = "HTTP/1.1 200 OK\r\nX-Robots-Tag: noindex\r\nX-Robots-Tag: noai\r\n\r\n"
        let server = try RawServer(["/x": [.text(reply), .endless]])
        var request = Request(server.url("/x"))
        request.respectsOptOut = true
        let failure = await #expect(throws: Failure.self) {
            try await Transfers(options).fetch(request, token: CancellationToken())
        }
        #expect(failure == Failure(.optedOut, "X-Robots-Tag: noai", status: 200))
        #expect(server.requests.count == 1)
    }
}

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
        let folder = TemporaryFolder()
        let pool = WorkPool(width: 1, backlog: 1)
        let transfers = Transfers(.open(retries: 2), pool: pool)
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
