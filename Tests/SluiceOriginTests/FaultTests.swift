// SPDX-License-Identifier: MIT

import SluiceOrigin
import Testing

@Suite("Faults", .timeLimit(.minutes(10))) struct FaultTests {
    func fetch(_ fault: OriginFault, seconds: Double = 60, enough: Int = .max) throws -> RawClient.Reply {
        var options = OriginOptions()
        options.faults = [OriginFaultRule(fault)]
        return try RawClient.fetch(
            "/a.png", from: OriginServer(thousand, options: options), seconds: seconds, enough: enough)
    }

    @Test("A status fault is sent with its headers") func status() throws {
        let reply = try fetch(.status(429, headers: [OriginHeader("Retry-After", "7")]))
        #expect(reply.status == 429)
        #expect(reply.header("Retry-After") == "7")
        #expect(reply.text.hasPrefix(#"{"errors":["#))
    }

    @Test("A redirect fault is sent with its location", arguments: [301, 302, 307, 308]) func redirect(status: Int)
        throws
    {
        let reply = try fetch(.redirect(to: "file:///etc/passwd", status: status))
        #expect(reply.status == status)
        #expect(reply.header("Location") == "file:///etc/passwd")
    }

    @Test("A hanging reply sends nothing and stays open") func hang() throws {
        let reply = try fetch(.hang, seconds: 0.3)
        #expect(reply.status == 0)
        #expect(!reply.isClosed)
    }

    @Test("A stalled reply stops in the middle and stays open") func stall() throws {
        let reply = try fetch(.stall(afterBytes: 300), enough: 300)
        #expect(reply.header("Content-Length") == "1000")
        #expect(reply.body == Array(thousandBytes[..<300]))
        #expect(!reply.isClosed)
    }

    @Test("A dripping reply arrives completely, a piece at a time") func drip() throws {
        let start = ContinuousClock.now
        let reply = try fetch(.drip(bytes: 100, every: .milliseconds(30)))
        #expect(reply.body == thousandBytes)
        #expect(ContinuousClock.now - start >= .milliseconds(290))
    }

    @Test("A cut reply announces more bytes than it sends", arguments: [0, 1, 999]) func cut(bytes: Int) throws {
        let reply = try fetch(.cut(afterBytes: bytes))
        #expect(reply.status == 200)
        #expect(reply.header("Content-Length") == "1000")
        #expect(reply.body == Array(thousandBytes[..<bytes]))
        #expect(reply.isClosed)
    }

    @Test("A cut chunked reply has no last chunk") func cutChunked() throws {
        let chunked = ClosureService { _ in
            var reply = OriginReply(type: "image/png", thousandBytes)
            reply.isChunked = true
            return reply
        }
        var options = OriginOptions()
        options.faults = [OriginFaultRule(.cut(afterBytes: 300))]
        let reply = try RawClient.fetch("/", from: OriginServer(chunked, options: options))
        #expect(reply.body == Array(thousandBytes[..<300]))
        #expect(reply.isClosed && !reply.isWhole)
    }

    @Test("A close fault sends no reply") func close() throws {
        let reply = try fetch(.close)
        #expect(reply.status == 0)
        #expect(reply.isClosed)
    }

    @Test("A web page is sent with status 200") func html() throws {
        let reply = try fetch(.html)
        #expect(reply.status == 200)
        #expect(reply.header("Content-Type") == "text/html; charset=utf-8")
        #expect(reply.text.hasPrefix("<!doctype html>"))
    }

    @Test("An empty reply keeps its type") func empty() throws {
        let reply = try fetch(.empty)
        #expect(reply.status == 200)
        #expect(reply.header("Content-Length") == "0")
        #expect(reply.header("Content-Type") == "image/png")
    }

    @Test("A wrong content type is sent with the correct bytes") func contentType() throws {
        let reply = try fetch(.contentType("text/html"))
        #expect(reply.headers.filter { $0.name == "Content-Type" }.map(\.value) == ["text/html"])
        #expect(reply.body == thousandBytes)
    }

    @Test("An endless reply is chunked and repeats the body") func endless() throws {
        var options = OriginOptions()
        options.faults = [OriginFaultRule(.endless)]
        options.bandwidth = 200_000
        let reply = try RawClient.fetch("/", from: OriginServer(thousand, options: options), enough: 10_001)
        #expect(reply.header("Transfer-Encoding") == "chunked")
        #expect(reply.body.count > 10_000)
        #expect(Array(reply.body[1000..<2000]) == thousandBytes)
        #expect(!reply.isWhole)
    }

    @Test("A late reply is correct") func late() throws {
        let start = ContinuousClock.now
        #expect(try fetch(.late(.milliseconds(150))).body == thousandBytes)
        #expect(ContinuousClock.now - start >= .milliseconds(150))
    }

    @Test("The first requests for each target fail and later ones succeed") func first() throws {
        var options = OriginOptions()
        options.faults = [OriginFaultRule(.status(503), .first(2)) { $0.path.hasPrefix("/images/") }]
        let origin = try OriginServer(thousand, options: options)
        for target in ["/images/a", "/images/b"] {
            let statuses = try (0..<3).map { _ in try RawClient.fetch(target, from: origin).status }
            #expect(statuses == [503, 503, 200])
        }
        #expect(try RawClient.fetch("/photos", from: origin).status == 200)
        #expect(origin.statistics.faults == 4)
    }

    @Test("Every Nth request fails") func every() throws {
        var options = OriginOptions()
        options.faults = [OriginFaultRule(.status(500), .every(3))]
        let origin = try OriginServer(thousand, options: options)
        let statuses = try (0..<6).map { try RawClient.fetch("/\($0)", from: origin).status }
        #expect(statuses == [200, 200, 500, 200, 200, 500])
    }

    @Test("A fraction of the requests fails, the same ones in any order") func fraction() throws {
        func failed(_ targets: [String], seed: UInt64) throws -> Set<String> {
            var options = OriginOptions()
            options.faults = [OriginFaultRule(.status(500), .fraction(0.3, seed: seed))]
            let origin = try OriginServer(thousand, options: options)
            return Set(try targets.filter { try RawClient.fetch($0, from: origin).status == 500 })
        }
        let targets = (0..<200).map { "/\($0)" }
        let some = try failed(targets, seed: 1)
        #expect((30...95).contains(some.count))
        #expect(try failed(targets.reversed(), seed: 1) == some)
        #expect(try failed(targets, seed: 2) != some)
    }
}
