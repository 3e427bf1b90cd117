// SPDX-License-Identifier: MIT

import SluiceModel
import Testing

@testable import SluiceTransfer

@Suite("Resume point") struct ResumePointTests {
    private func headers(_ lines: [String]) -> HeaderFields {
        var headers = HeaderFields()
        for line in lines { headers.add(line: line) }
        return headers
    }

    private static let noon = "Mon, 02 Mar 2026 12:00:00 GMT"
    private static let later = "Mon, 02 Mar 2026 12:01:00 GMT"

    @Test(
        "Only what names a version byte for byte is a validator",
        arguments: [
            (["ETag: \"v1\""], "\"v1\""), (["ETag: \"\""], "\"\""), (["ETag: W/\"v1\""], nil), (["ETag: v1"], nil),
            (["ETag: \"v1"], nil), (["ETag: \"a\"b\""], nil), (["ETag: \"a\u{7}\""], nil), (["ETag: \"ä\""], nil),
            (["Last-Modified: \(noon)", "Date: \(later)"], noon), (["Last-Modified: \(noon)", "Date: \(noon)"], nil),
            (["Last-Modified: \(noon)"], nil), (["Last-Modified: yesterday", "Date: \(later)"], nil),
            (["ETag: W/\"v1\"", "Last-Modified: \(noon)", "Date: \(later)"], nil), ([], nil),
        ] as [([String], String?)])
    func validators(lines: [String], text: String?) {
        let validator = Validator(headers(lines))
        #expect(validator?.description == text)
        #expect(text.flatMap { Validator($0) } == validator, "it is read as it was written")
    }

    @Test(
        "A reply to a request for the rest is taken for exactly what it is",
        arguments: [
            (206, ["Content-Range: bytes 10-29/30", "ETag: \"v1\""], ResumePoint.Answer.rest),
            (206, ["Content-Range: bytes 10-29/30"], .rest),
            (206, ["Content-Range: bytes 10-29/30", "ETag: \"v2\""], .nothing),
            (206, ["Content-Range: bytes 9-29/30", "ETag: \"v1\""], .nothing),
            (206, ["Content-Range: bytes 11-29/30", "ETag: \"v1\""], .nothing),
            (206, ["Content-Range: bytes 10-28/30", "ETag: \"v1\""], .nothing),
            (206, ["Content-Range: bytes 10-30/31", "ETag: \"v1\""], .nothing),
            (206, ["Content-Range: bytes 10-29/*", "ETag: \"v1\""], .nothing),
            (206, ["Content-Range: bytes 10-29/30", "Content-Range: bytes 0-29/30"], .nothing),
            (206, ["Content-Type: multipart/byteranges; boundary=x"], .nothing),
            (206, [], .nothing), (416, ["Content-Range: bytes */30"], .nothing), (200, ["ETag: \"v1\""], .whole),
            (302, [], .other), (404, [], .other), (503, [], .other),
        ])
    func answers(status: Int, lines: [String], answer: ResumePoint.Answer) throws {
        let sender = try #require(WebAddress("http://a.org/x"))
        let point = ResumePoint(validator: .tag("\"v1\""), sender: sender, total: 30)
        #expect(point.answer(status: status, headers: headers(lines), offset: 10) == answer)
    }

    @Test(
        "A range that is not exactly one is none",
        arguments: [
            "", "bytes", "bytes 0-9", "bytes 0-9/", "bytes 0-/10", "bytes -9/10", "bytes 9-0/10", "bytes 0-10/10",
            "bytes 0-9/10/10", "bytes 0-9-9/10", "bytes +0-9/10", "bytes 0-9/-10", "bytes 0-9/x", "octets 0-9/10",
            "bytes 0-99999999999999999999/100000000000000000000", "bytes=0-9/10", "bytes 0 - 9/10",
        ])
    func badRanges(text: String) {
        #expect(ContentRange(text) == nil)
    }

    @Test("A note is read as it was written, and rubbish is none")
    func notes() throws {
        let sender = try #require(WebAddress("http://a.org/x?y"))
        let point = ResumePoint(validator: .tag("\"v\\1\""), sender: sender, total: 30)
        let note = ResumeNote(
            url: "http://b.org/\"ä\"", point: point, bytes: 10, sha256: String(repeating: "0", count: 64))
        #expect(ResumeNote(note.text) == note)
        for length in 0..<note.text.count { #expect(ResumeNote(Array(note.text.prefix(length))) == nil) }
    }
}
