// SPDX-License-Identifier: MIT

import Foundation
import Testing

@testable import SluiceModel

@Suite("Cause", .timeLimit(.minutes(10))) struct CauseTests {
    static let documented = """
        dns connect tls timeout http-404 http-429 http-5xx unexpected-status digest-mismatch bad-framing bad-headers content-encoding \
        encoding-bomb empty-body too-large truncated not-an-image corrupt unsupported too-many-pixels too-many-scans \
        bad-chunk decode-limit decoder-crashed quarantined address-refused redirect-loop redirect-scheme \
        redirect-downgrade opted-out duplicate policy deferred cancelled disk internal feed-parse pagination-loop \
        cross-origin-next login consent challenge paywall scripts wrong-type
        """.split(separator: " ").map(String.init)

    @Test("Every documented name is a cause and survives encoding", arguments: documented)
    func names(name: String) throws {
        let cause = try #require(Cause(name: name))
        #expect(cause.name == name)
        let data = try JSONEncoder().encode([cause])
        #expect(try JSONDecoder().decode([Cause].self, from: data) == [cause])
    }

    @Test("Unknown names are rejected", arguments: ["", "http-", "http-200", "http-500", "Timeout", "unknown"])
    func unknown(name: String) {
        #expect(Cause(name: name) == nil)
    }

    @Test(
        "Statuses from 400 map to causes",
        arguments: [(200, nil), (304, nil), (404, "http-404"), (429, "http-429"), (503, "http-5xx")])
    func statuses(status: Int, name: String?) {
        #expect(Cause(status: status)?.name == name)
    }

    @Test("Only temporary failures are retryable")
    func retries() throws {
        for name in ["dns", "connect", "timeout", "http-429", "http-5xx", "truncated", "http-408"] {
            #expect(try #require(Cause(name: name)).isRetryable, "\(name)")
        }
        for name in ["http-404", "http-410", "tls", "not-an-image", "corrupt", "too-large", "address-refused"] {
            #expect(try !#require(Cause(name: name)).isRetryable, "\(name)")
        }
    }
}

@Suite("CauseSet", .timeLimit(.minutes(10))) struct CauseSetTests {
    @Test("A set contains exactly the listed causes")
    func names() throws {
        let causes = try #require(CauseSet("dns,timeout,http-5xx,http-404"))
        for cause in [Cause.dns, .timeout, .httpServerError, .httpClientError(404)] { #expect(causes.contains(cause)) }
        for cause in [Cause.tls, .httpClientError(410), .httpTooManyRequests] { #expect(!causes.contains(cause)) }
    }

    @Test("http-4xx contains every client error")
    func clientErrors() throws {
        let causes = try #require(CauseSet("http-4xx"))
        for status in 400...499 { #expect(causes.contains(try #require(Cause(status: status)))) }
        #expect(!causes.contains(.httpServerError))
    }

    @Test(
        "Unknown and empty names are rejected",
        arguments: ["", "dns,", "Timeout", "http-503", "http-6xx", "dns timeout", "all"])
    func invalidNames(text: String) {
        #expect(CauseSet(text) == nil)
    }
}

@Suite("SourceSet", .timeLimit(.minutes(5))) struct SourceSetTests {
    @Test("The text of one source is the source, and several have a short text for people")
    func texts() {
        #expect(SourceSet(["demo"]).text == "demo" && SourceSet(["demo"]).shown == "demo")
        let several = SourceSet(["demo", "a.csv", "b.csv"])
        #expect(several.shown == "demo and 2 more")
        #expect(SourceSet(text: several.text) == several)
        #expect(SourceSet([]).shown == "nothing")
    }

    @Test("A set contains the sources of a smaller one, whatever their order")
    func supersets() {
        let all = SourceSet(["a", "b", "c"])
        #expect(all.isSuperset(of: SourceSet(["c", "a"])) && all.isSuperset(of: all))
        #expect(!SourceSet(["a", "c"]).isSuperset(of: all))
        #expect(!all.isSuperset(of: SourceSet(["A"])))
    }
}

@Suite("Blocklists", .timeLimit(.minutes(10))) struct BlocklistTests {
    private static let sha256 = String(repeating: "0123456789abcdef", count: 4)

    private func list(_ text: String) throws -> Blocklist { try Blocklist(Array(text.utf8)) }

    @Test("Hashes in either case are found, between comments, blanks and line ends of either kind")
    func parsing() throws {
        let list = try list("# hashes\r\n\n \(Self.sha256.uppercased())\t# a photo\r\n00000000000000ff")
        #expect(list.failure(ofContent: Self.sha256)?.cause == .blocked)
        #expect(list.failure(ofContent: String(Self.sha256.reversed())) == nil)
        #expect(list.failure(ofContent: "") == nil && list.failure(ofPicture: nil) == nil)
        #expect(try !self.list("\n\n00000000000000ff\n").isEmpty)
        #expect(try self.list("#\n\n").isEmpty && self.list("").isEmpty && !list.isEmpty)
    }

    @Test("Perceptual hashes match if they differ in at most four bits")
    func distance() throws {
        let list = try list("00000000000000ff")
        #expect(
            list.failure(ofPicture: "00000000000000f0") != nil && list.failure(ofPicture: "10000000000000f1") != nil)
        #expect(list.failure(ofPicture: "00000000000000e0") == nil && list.failure(ofPicture: "ff") == nil)
    }

    @Test("The hash of pictures of one colour names no picture")
    func plain() throws {
        let list = try list("8000000000000000\n0000000000000000\nff00ff00ff00ff00")
        #expect(
            list.failure(ofPicture: "8000000000000000") == nil && list.failure(ofPicture: "ff00ff00ff00ff00") != nil)
    }

    @Test(
        "A malformed line is refused by its number",
        arguments: [
            "0123", "0123456789abcdeg", "\(sha256)0", "\(sha256) \(sha256)", "0x23456789abcdef", "ｆf00000000000000",
        ])
    func malformed(line: String) {
        do {
            _ = try list("# one\n00000000000000ff\n\(line)\n")
            Issue.record("\(line) is accepted")
        } catch {
            #expect((error as? InvalidText)?.line == 3)
        }
    }

    @Test("A list with too many hashes is refused, and repeated ones count once")
    func limit() throws {
        let line = Array("00000000000000ff\n".utf8)
        #expect(try !Blocklist(Array(repeatElement(line, count: Blocklist.maxCount + 1).joined())).isEmpty)
        var text: [UInt8] = []
        for number in 0...Blocklist.maxCount {
            let digits = String(number, radix: 16)
            text += ("ffff" + String(repeating: "0", count: 12 - digits.count)).utf8
            text += digits.utf8
            text.append(UInt8(ascii: "\n"))
        }
        let error = #expect(throws: InvalidText.self) { try Blocklist(text) }
        #expect(error?.line == Blocklist.maxCount + 1)
    }

    @Test("The fingerprint depends on the hashes and not on their order")
    func fingerprint() throws {
        let first = try list("00000000000000ff\n\(Self.sha256)\n0000000000000001").fingerprint
        #expect(try first == list("0000000000000001\n00000000000000ff\n\(Self.sha256)").fingerprint)
        #expect(try first != list("00000000000000ff").fingerprint)
    }
}
