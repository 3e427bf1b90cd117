// SPDX-License-Identifier: MIT

import SluiceOrigin
import Testing

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
