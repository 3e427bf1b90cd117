// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import SluiceModel
import TestSupport
import Testing

@testable import SluiceTransfer

@Suite("Resume point", .timeLimit(.minutes(10))) struct ResumePointTests {
    private func headers(_ lines: [String]) -> HeaderFields {
        var headers = HeaderFields()
        for line in lines { headers.add(line: line) }
        return headers
    }

    private static let noon = "Mon, 02 Mar 2026 12:00:00 GMT"
    private static let later = "Mon, 02 Mar 2026 12:01:00 GMT"

    @Test(
        "Only strong tags and dates are validators",
        arguments: [
            (["ETag: \"v1\""], "\"v1\""), (["ETag: \"\""], "\"\""), (["ETag: W/\"v1\""], nil), (["ETag: v1"], nil),
            (["ETag: \"v1"], nil), (["ETag: \"a\"b\""], nil), (["ETag: \"a\u{7}\""], nil), (["ETag: \"ä\""], nil),
            (["ETag: \"v1\"", "ETag: \"v2\""], nil),
            (["Last-Modified: \(noon)", "Date: \(later)"], noon), (["Last-Modified: \(noon)", "Date: \(noon)"], nil),
            (["Last-Modified: \(noon)"], nil), (["Last-Modified: yesterday", "Date: \(later)"], nil),
            (["ETag: W/\"v1\"", "Last-Modified: \(noon)", "Date: \(later)"], nil), ([], nil),
        ] as [([String], String?)])
    func validators(lines: [String], text: String?) {
        let validator = CacheValidator(headers(lines))
        #expect(validator?.description == text)
        #expect(text.flatMap { CacheValidator($0) } == validator, "the description can be parsed again")
    }

    @Test(
        "A response to a range request is classified",
        arguments: [
            (206, ["Content-Range: bytes 10-29/30", "ETag: \"v1\""], ResumePoint.RangeResponse.rest),
            (206, ["Content-Range: bytes 10-29/30"], .unusable),
            (206, ["Content-Range: bytes 10-29/30", "ETag: W/\"v1\""], .unusable),
            (206, ["Content-Range: bytes 10-29/30", "ETag: \"v1\"", "ETag: \"v2\""], .unusable),
            (206, ["Content-Range: bytes 10-29/30", "Last-Modified: \(noon)"], .unusable),
            (206, ["Content-Range: bytes 10-29/30", "ETag: \"v2\""], .unusable),
            (206, ["Content-Range: bytes 9-29/30", "ETag: \"v1\""], .unusable),
            (206, ["Content-Range: bytes 11-29/30", "ETag: \"v1\""], .unusable),
            (206, ["Content-Range: bytes 10-28/30", "ETag: \"v1\""], .unusable),
            (206, ["Content-Range: bytes 10-30/31", "ETag: \"v1\""], .unusable),
            (206, ["Content-Range: bytes 10-29/*", "ETag: \"v1\""], .unusable),
            (206, ["Content-Range: bytes 10-29/30", "Content-Range: bytes 0-29/30"], .unusable),
            (206, ["Content-Type: multipart/byteranges; boundary=x"], .unusable),
            (206, [], .unusable), (416, ["Content-Range: bytes */30"], .unusable), (200, ["ETag: \"v1\""], .whole),
            (302, [], .other), (404, [], .other), (503, [], .other),
        ])
    func classify(status: Int, lines: [String], expected: ResumePoint.RangeResponse) throws {
        let sender = try #require(WebAddress("http://a.org/x"))
        let point = ResumePoint(validator: .tag("\"v1\""), sender: sender, total: 30)
        #expect(point.classify(status: status, headers: headers(lines), offset: 10) == expected)
    }

    /// A part without `Last-Modified` was taken for the version of the first response.
    @Test(
        "The rest of a file with a date must repeat that date",
        arguments: [
            (["Last-Modified: \(noon)"], ResumePoint.RangeResponse.rest), (["Last-Modified: \(later)"], .unusable),
            ([], .unusable), (["ETag: \"v1\""], .unusable),
            (["Last-Modified: \(noon)", "Last-Modified: \(later)"], .unusable),
        ])
    func classifyByDate(lines: [String], expected: ResumePoint.RangeResponse) throws {
        let sender = try #require(WebAddress("http://a.org/x"))
        let point = ResumePoint(validator: .date(Self.noon), sender: sender, total: 30)
        let lines = lines + ["Content-Range: bytes 10-29/30"]
        #expect(point.classify(status: 206, headers: headers(lines), offset: 10) == expected)
    }

    @Test("A tag is compared as bytes")
    func kelvin() throws {
        let validator = try #require(CacheValidator("\"K\""))
        #expect(validator.isRepeated(in: headers(["ETag: \"K\""])))
        #expect(!validator.isRepeated(in: headers(["ETag: \"\u{212A}\""])))
    }

    @Test(
        "An invalid Content-Range is rejected",
        arguments: [
            "", "bytes", "bytes 0-9", "bytes 0-9/", "bytes 0-/10", "bytes -9/10", "bytes 9-0/10", "bytes 0-10/10",
            "bytes 0-9/10/10", "bytes 0-9-9/10", "bytes +0-9/10", "bytes 0-9/-10", "bytes 0-9/x", "octets 0-9/10",
            "bytes 0-99999999999999999999/100000000000000000000", "bytes=0-9/10", "bytes 0 - 9/10",
        ])
    func badRanges(text: String) {
        #expect(ContentRange(text) == nil)
    }

    @Test("A written note can be parsed, and a truncated one is rejected")
    func notes() throws {
        let sender = try #require(WebAddress("http://a.org/x?y"))
        let point = ResumePoint(validator: .tag("\"v\\1\""), sender: sender, total: 30)
        let note = ResumeNote(
            url: "http://b.org/\"ä\"", point: point, bytes: 10, sha256: String(repeating: "0", count: 64))
        #expect(ResumeNote(note.text) == note)
        for length in 0..<note.text.count { #expect(ResumeNote(Array(note.text.prefix(length))) == nil) }
    }
}

@Suite("LocalFile", .timeLimit(.minutes(5))) struct LocalFileTests {
    /// The whole file was copied for the first check.
    @Test("The early check sees the first bytes of a file, and twice as many each time", arguments: [true, false])
    func earlyCheck(accepts: Bool) throws {
        let temporary = TemporaryFolder()
        let bytes = (0..<300_000).map { UInt8(truncatingIfNeeded: $0) }
        try temporary.write(bytes, to: "photo")
        let partial = try PartialFile("copy", in: try Folder(temporary.path))
        let seen = Locked<[Int]>([])
        let file = LocalFile(temporary.path("photo"), followsLink: false)
        #expect(file.size == bytes.count)
        let result = try file.copy(into: partial, limit: .max, unless: nil, token: CancellationToken()) { start, _ in
            seen.withLock { $0.append(start.count) }
            return accepts ? .accepted : .undecided
        }
        guard case .complete(let response) = result else { return #expect(Bool(false), "not complete") }
        #expect(response.bytes == bytes.count && response.sha256 == SHA256.digest(of: bytes))
        let steps = [16, 32, 64, 128, 256].map { $0 << 10 }
        #expect(seen.withLock { $0 } == (accepts ? [steps[0]] : steps))
        #expect(try temporary.bytes(of: "copy") == bytes)
    }
}
