// SPDX-License-Identifier: MIT

import SluiceOrigin
import Testing

@Suite("Faults", .timeLimit(.minutes(10))) struct FaultTests {
    func fetch(_ fault: OriginFault, seconds: Double = 60, enough: Int = .max) throws -> RawClient.Reply {
        var options = OriginOptions()
        options.faults = [OriginFaultRule(fault)]
        return try RawClient.fetch("/a.png", from: Origin(thousand, options: options), seconds: seconds, enough: enough)
    }

    @Test("another status comes with its headers") func status() throws {
        let reply = try fetch(.status(429, headers: [OriginHeader("Retry-After", "7")]))
        #expect(reply.status == 429)
        #expect(reply.header("Retry-After") == "7")
        #expect(reply.text.hasPrefix(#"{"errors":["#))
    }

    @Test("a redirect leads elsewhere", arguments: [301, 302, 307, 308]) func redirect(status: Int) throws {
        let reply = try fetch(.redirect(to: "file:///etc/passwd", status: status))
        #expect(reply.status == status)
        #expect(reply.header("Location") == "file:///etc/passwd")
    }

    @Test("a hanging reply says nothing and stays open") func hang() throws {
        let reply = try fetch(.hang, seconds: 0.3)
        #expect(reply.status == 0)
        #expect(!reply.isClosed)
    }

    @Test("a stalled reply stops in the middle and stays open") func stall() throws {
        let reply = try fetch(.stall(afterBytes: 300), enough: 300)
        #expect(reply.header("Content-Length") == "1000")
        #expect(reply.body == Array(thousandBytes[..<300]))
        #expect(!reply.isClosed)
    }

    @Test("a dripping reply comes whole, drop by drop") func drip() throws {
        let start = ContinuousClock.now
        let reply = try fetch(.drip(bytes: 100, every: .milliseconds(30)))
        #expect(reply.body == thousandBytes)
        #expect(ContinuousClock.now - start >= .milliseconds(290))
    }

    @Test("a cut reply promises more than it gives", arguments: [0, 1, 999]) func cut(bytes: Int) throws {
        let reply = try fetch(.cut(afterBytes: bytes))
        #expect(reply.status == 200)
        #expect(reply.header("Content-Length") == "1000")
        #expect(reply.body == Array(thousandBytes[..<bytes]))
        #expect(reply.isClosed)
    }

    @Test("a cut chunked reply has no last chunk") func cutChunked() throws {
        let chunked = Closure { _ in
            var reply = OriginReply(type: "image/png", thousandBytes)
            reply.isChunked = true
            return reply
        }
        var options = OriginOptions()
        options.faults = [OriginFaultRule(.cut(afterBytes: 300))]
        let reply = try RawClient.fetch("/", from: Origin(chunked, options: options))
        #expect(reply.body == Array(thousandBytes[..<300]))
        #expect(reply.isClosed && !reply.isWhole)
    }

    @Test("a closed connection has given no reply") func close() throws {
        let reply = try fetch(.close)
        #expect(reply.status == 0)
        #expect(reply.isClosed)
    }

    @Test("a web page comes with status 200") func html() throws {
        let reply = try fetch(.html)
        #expect(reply.status == 200)
        #expect(reply.header("Content-Type") == "text/html; charset=utf-8")
        #expect(reply.text.hasPrefix("<!doctype html>"))
    }

    @Test("an empty reply keeps its type") func empty() throws {
        let reply = try fetch(.empty)
        #expect(reply.status == 200)
        #expect(reply.header("Content-Length") == "0")
        #expect(reply.header("Content-Type") == "image/png")
    }

    @Test("a wrong type comes with the right bytes") func contentType() throws {
        let reply = try fetch(.contentType("text/html"))
        #expect(reply.headers.filter { $0.name == "Content-Type" }.map(\.value) == ["text/html"])
        #expect(reply.body == thousandBytes)
    }

    @Test("an endless reply is chunked and goes on") func endless() throws {
        var options = OriginOptions()
        options.faults = [OriginFaultRule(.endless)]
        options.bandwidth = 200_000
        let reply = try RawClient.fetch("/", from: Origin(thousand, options: options), enough: 10_001)
        #expect(reply.header("Transfer-Encoding") == "chunked")
        #expect(reply.body.count > 10_000)
        #expect(Array(reply.body[1000..<2000]) == thousandBytes)
        #expect(!reply.isWhole)
    }

    @Test("a late reply is right") func late() throws {
        let start = ContinuousClock.now
        #expect(try fetch(.late(.milliseconds(150))).body == thousandBytes)
        #expect(ContinuousClock.now - start >= .milliseconds(150))
    }

    @Test("the first attempts of each target fail and the next succeed") func first() throws {
        var options = OriginOptions()
        options.faults = [OriginFaultRule(.status(503), .first(2)) { $0.path.hasPrefix("/images/") }]
        let origin = try Origin(thousand, options: options)
        for target in ["/images/a", "/images/b"] {
            let statuses = try (0..<3).map { _ in try RawClient.fetch(target, from: origin).status }
            #expect(statuses == [503, 503, 200])
        }
        #expect(try RawClient.fetch("/photos", from: origin).status == 200)
        #expect(origin.statistics.faults == 4)
    }

    @Test("each nth request fails") func every() throws {
        var options = OriginOptions()
        options.faults = [OriginFaultRule(.status(500), .every(3))]
        let origin = try Origin(thousand, options: options)
        let statuses = try (0..<6).map { try RawClient.fetch("/\($0)", from: origin).status }
        #expect(statuses == [200, 200, 500, 200, 200, 500])
    }

    @Test("a part of the requests fails, the same ones in any order") func fraction() throws {
        func failed(_ targets: [String], seed: UInt64) throws -> Set<String> {
            var options = OriginOptions()
            options.faults = [OriginFaultRule(.status(500), .fraction(0.3, seed: seed))]
            let origin = try Origin(thousand, options: options)
            return Set(try targets.filter { try RawClient.fetch($0, from: origin).status == 500 })
        }
        let targets = (0..<200).map { "/\($0)" }
        let some = try failed(targets, seed: 1)
        #expect((30...95).contains(some.count))
        #expect(try failed(targets.reversed(), seed: 1) == some)
        #expect(try failed(targets, seed: 2) != some)
    }
}
