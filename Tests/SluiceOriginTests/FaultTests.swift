// SPDX-License-Identifier: MIT

import Testing

@testable import SluiceOrigin

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

@Suite("Ranges and conditions", .timeLimit(.minutes(10))) struct RangeTests {
    let whole = OriginReply(
        type: "image/png", thousandBytes,
        headers: [OriginHeader("ETag", "\"v1\""), OriginHeader("Last-Modified", "Mon, 30 Jun 2025 07:05:09 GMT")])

    func reply(_ headers: [OriginHeader]) -> OriginReply {
        whole.applyingConditions(of: OriginRequest(target: "/", headers: headers))
    }

    @Test(
        "A range returns its bytes and Content-Range",
        arguments: [
            ("bytes=0-99", 0..<100), ("bytes=900-", 900..<1000), ("bytes=-1", 999..<1000), ("bytes=-5000", 0..<1000),
            ("bytes=10-5000", 10..<1000), ("bytes=999-999", 999..<1000), ("bytes=0-99999999999999999", 0..<1000),
        ])
    func ranges(text: String, range: Range<Int>) {
        let reply = reply([OriginHeader("Range", text)])
        #expect(reply.status == 206)
        #expect(reply.body == Array(thousandBytes[range]))
        #expect(reply.header("Content-Range") == "bytes \(range.lowerBound)-\(range.upperBound - 1)/1000")
    }

    @Test("A range past the end is refused with the length", arguments: ["bytes=1000-", "bytes=5000-6000", "bytes=-0"])
    func unsatisfiable(text: String) {
        let reply = reply([OriginHeader("Range", text)])
        #expect(reply.status == 416)
        #expect(reply.header("Content-Range") == "bytes */1000")
        #expect(reply.body.isEmpty)
    }

    @Test(
        "A malformed or multiple range returns the whole body",
        arguments: [
            "bytes=0-1,5-6", "bytes=", "bytes=-", "bytes=5-4", "bytes=a-b", "items=0-1", "bytes=+1-2", "bytes=0x1-2",
            "bytes=99999999999999999999-",
        ])
    func ignored(text: String) {
        let reply = reply([OriginHeader("Range", text)])
        #expect(reply.status == 200)
        #expect(reply.body == thousandBytes)
        #expect(reply.header("Accept-Ranges") == "bytes")
    }

    @Test(
        "If-Range allows a range only for the same version",
        arguments: [
            ("\"v1\"", 206), ("\"v2\"", 200), ("W/\"v1\"", 200), ("Mon, 30 Jun 2025 07:05:09 GMT", 206),
            ("Tue, 01 Jul 2025 07:05:09 GMT", 200),
        ])
    func ifRange(validator: String, status: Int) {
        #expect(reply([OriginHeader("Range", "bytes=5-"), OriginHeader("If-Range", validator)]).status == status)
    }

    @Test(
        "A version that the client has is not sent again",
        arguments: [
            ("If-None-Match", "\"v1\"", 304), ("If-None-Match", "\"v0\", W/\"v1\"", 304), ("If-None-Match", "*", 304),
            ("If-None-Match", "\"v2\"", 200), ("If-Modified-Since", "Mon, 30 Jun 2025 07:05:09 GMT", 304),
            ("If-Modified-Since", "Sun, 29 Jun 2025 07:05:09 GMT", 200),
        ])
    func conditions(name: String, value: String, status: Int) {
        let reply = reply([OriginHeader(name, value)])
        #expect(reply.status == status)
        #expect(reply.body.isEmpty == (status == 304))
        #expect(reply.header("ETag") == "\"v1\"")
    }
}

@Suite("Simulated network", .timeLimit(.minutes(10))) struct SimulatedNetworkTests {
    @Test("All connections share the bandwidth, first come, first served")
    func sharedBandwidth() throws {
        var shared = try #require(SharedBandwidth(bytesPerSecond: 1000))
        #expect(shared.reserve(100, at: .zero) == nil)
        #expect(shared.reserve(100, at: .zero) == .milliseconds(100))
        #expect(shared.reserve(50, at: .milliseconds(40)) == .milliseconds(160))
        // Unused bandwidth does not accumulate.
        #expect(shared.reserve(100, at: .seconds(5)) == nil)
        #expect(shared.reserve(100, at: .seconds(5)) == .milliseconds(100))
        #expect(SharedBandwidth(bytesPerSecond: nil) == nil)
    }

    @Test("Packets are lost at the given rate, each is decided once, and the same seed loses the same packets")
    func loss() throws {
        let length = 1448 * 10_000
        var whole = try #require(PacketLoss(share: 0.02, roundTrip: .milliseconds(10), length: length, seed: 4))
        let pause = whole.pause(upTo: length)
        #expect(abs(pause.seconds - 200 * 0.01) < 0.6)
        #expect(whole.pause(upTo: length) == .zero)
        var parts = try #require(PacketLoss(share: 0.02, roundTrip: .milliseconds(10), length: length, seed: 4))
        let sum = stride(from: 5000, through: length + 5000, by: 5000).reduce(Duration.zero) {
            $0 + parts.pause(upTo: min($1, length))
        }
        #expect(sum == pause)
    }

    @Test("Losing one of the last packets costs a retransmission timeout")
    func tail() throws {
        var loss = try #require(PacketLoss(share: 1, roundTrip: .milliseconds(10), length: 1448 * 5, seed: 1))
        #expect(loss.pause(upTo: 1448 * 2) == .milliseconds(20))
        #expect(loss.pause(upTo: 1448 * 5) == .milliseconds(600))
    }
}
