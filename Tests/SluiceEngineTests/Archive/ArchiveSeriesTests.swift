// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import SluiceTransfer
import TestSupport
import Testing

@testable import SluiceEngine

@Suite("WARC series", .timeLimit(.minutes(5))) struct ArchiveSeriesTests {
    private let folder = TemporaryFolder()
    private let name: ArchiveName

    init() throws {
        name = try #require(ArchiveName(folder.path("a.warc")))
    }

    private func exchange(
        _ number: Int, body: String, head: String = "HTTP/1.1 200 OK\r\n", request: String = ""
    ) -> RecordedExchange {
        var heads = RecordedHeads()
        heads.add(sent: Array("GET /\(number) HTTP/1.1\r\n\(request)\r\n".utf8))
        for line in head.utf8.split(separator: 10) { heads.add(received: Array(line) + [10]) }
        heads.add(received: [13, 10])
        return RecordedExchange(
            url: "http://a.example/\(number)", time: 1_700_000_000, server: "192.0.2.1", heads: heads, status: 200,
            mediaType: "image/jpeg", body: .memory(Array(body.utf8)), isCut: false)
    }

    /// Walks a file from record to record, and returns the headers of each; fails where no record begins.
    private func records(_ number: Int) throws -> [(header: String, block: String)] {
        var rest = try Data(contentsOf: folder.url.appending(path: name.file(number)))
        var found: [(String, String)] = []
        while !rest.isEmpty {
            let end = try #require(rest.range(of: Data("\r\n\r\n".utf8)))
            let header = String(decoding: rest[rest.startIndex..<end.lowerBound], as: UTF8.self)
            try #require(header.hasPrefix("WARC/1.1\r\n"))
            let length = try #require(header.split(separator: "Content-Length: ").last.flatMap { Int($0) })
            let block = String(decoding: rest[end.upperBound..<end.upperBound + length], as: UTF8.self)
            rest = rest[(end.upperBound + length)...]
            try #require(rest.starts(with: Data("\r\n\r\n".utf8)))
            rest = rest.dropFirst(4)
            found.append((header, block))
        }
        return found
    }

    private func types(_ number: Int) throws -> [String] {
        try records(number).map { record in
            let line = record.header.split(separator: "\r\n").first { $0.hasPrefix("WARC-Type: ") }
            return String(line?.dropFirst(11) ?? "")
        }
    }

    @Test("The next run cuts off an incomplete record, and refers to payloads of earlier runs")
    func continuation() throws {
        do {
            let series = try ArchiveSeries(name, software: "Test/1")
            try series.add(exchange(1, body: "one"))
        }
        let file = folder.url.appending(path: "a-00001.warc")
        let whole = try Data(contentsOf: file)
        try (whole + Data("WARC/1.1\r\nWARC-Type: resp".utf8)).write(to: file)
        do {
            let series = try ArchiveSeries(name, software: "Test/1")
            try series.add(exchange(2, body: "two"))
            try series.add(exchange(3, body: "one"))
            try series.writeIndex()
        }
        #expect(try Data(contentsOf: file).starts(with: whole))
        #expect(try types(1) == ["warcinfo", "response", "request", "response", "request", "revisit", "request"])
        let revisit = try records(1)[5]
        #expect(revisit.header.contains("\r\nWARC-Refers-To-Target-URI: http://a.example/1\r\n"))
        #expect(revisit.block == "HTTP/1.1 200 OK\r\n\r\n")
        let index = try folder.text("a.cdxj").split(separator: "\n")
        #expect(index.count == 3 && index == index.sorted() && index[2].contains("warc/revisit"))
    }

    @Test("A file that lost its end keeps its complete records")
    func lostEnd() throws {
        do {
            let series = try ArchiveSeries(name, software: "Test/1")
            try series.add(exchange(1, body: "one"))
            try series.add(exchange(2, body: "two"))
        }
        let file = folder.url.appending(path: "a-00001.warc")
        try Data(contentsOf: file).dropLast(10).write(to: file)
        let series = try ArchiveSeries(name, software: "Test/1")
        try series.add(exchange(2, body: "two"))
        #expect(try types(1) == ["warcinfo", "response", "request", "response", "request"])
    }

    @Test("A full file is followed by another one, which begins with a record of its own")
    func rotation() throws {
        let series = try ArchiveSeries(name, software: "Test/1", fileSize: 1000)
        for number in 1...3 { try series.add(exchange(number, body: "\(number)")) }
        #expect(try types(1) == ["warcinfo", "response", "request"])
        #expect(try types(3) == ["warcinfo", "response", "request"])
    }

    @Test("Credentials are not written, chunks are named as removed, and HTTP/2 is written like HTTP/1.1")
    func heads() throws {
        let series = try ArchiveSeries(name, software: "Test/1")
        let secrets = "Authorization: Basic c2VjcmV0\r\ncookie: secret\r\nX-API-Key: k\r\nAccept: */*\r\n"
        try series.add(
            exchange(1, body: "one", head: "HTTP/1.1 200 OK\r\nTransfer-Encoding: chunked\r\n", request: secrets))
        try series.add(exchange(2, body: "two", head: "HTTP/2 200 \r\nserver: x\r\n"))
        let found = try records(1)
        #expect(found[1].block == "HTTP/1.1 200 OK\r\nX-Crawler-Transfer-Encoding: chunked\r\n\r\none")
        let request = "Authorization: redacted\r\ncookie: redacted\r\nX-API-Key: redacted\r\nAccept: */*\r\n"
        #expect(found[2].block == "GET /1 HTTP/1.1\r\n\(request)\r\n")
        #expect(found[3].block == "HTTP/1.1 200 \r\nserver: x\r\n\r\ntwo")
        #expect(found[3].header.contains("\r\nWARC-Protocol: h2\r\n"))
    }

    @Test("A file that no state describes is not overwritten, and a series has one writer")
    func refusals() throws {
        let file = folder.url.appending(path: "a-00001.warc")
        try Data("other".utf8).write(to: file)
        #expect(throws: MirrorError.self) { try ArchiveSeries(name, software: "Test/1") }
        #expect(try Data(contentsOf: file) == Data("other".utf8))
        try FileManager.default.removeItem(at: file)
        let series = try ArchiveSeries(name, software: "Test/1")
        let error = #expect(throws: MirrorError.self) { try ArchiveSeries(name, software: "Test/1") }
        #expect(error?.code == .locked)
        withExtendedLifetime(series) {}
    }
}

/// The expected keys are those of the Python package surt.
@Suite("Sort keys", .timeLimit(.minutes(5))) struct SortKeyTests {
    @Test(
        "Addresses of one page have one key, as in other programs",
        arguments: [
            ("http://www.Example.com/Photos/1.JPG", "com,example)/photos/1.jpg"),
            ("https://www2.example.com:443/a//b/./c/../d/", "com,example)/a/b/d"),
            ("http://example.com:8080/a?b=2&a=1&a=0&c", "com,example:8080)/a?a=0&a=1&b=2&c"),
            ("http://127.0.0.1:8471/p/1.jpg", "1,0,0,127:8471)/p/1.jpg"),
            ("http://a.example/x%2520y?q=%E4%B8%AD", "example,a)/x%20y?q=%e4%b8%ad"),
            ("http://a.example/?", "example,a)/"),
            ("http://a.example", "example,a)/"),
            ("http://a.example/a?PHPSESSID=0123456789abcdef0123456789abcdef&x=1", "example,a)/a?x=1"),
            ("http://a.example/%7Ename/%C3%A9", "example,a)/~name/%c3%a9"),
            ("http://a.example/a?b=1&&c", "example,a)/a?&b=1&c"),
            ("http://a.example/a%23b%25c", "example,a)/a%23b%25c"),
            ("http://a.example/a;b=1/c/", "example,a)/a;b=1/c"),
            ("http://[::1]:8080/a", "::1:8080)/a"),
            ("http://www.com/", "com)/"),
        ])
    func keys(address: String, key: String) throws {
        let address = try #require(WebAddress(address))
        #expect(SortKey.of(address) == key)
    }
}
