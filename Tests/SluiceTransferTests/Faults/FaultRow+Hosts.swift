// SPDX-License-Identifier: MIT

import SluiceModel
import TestSupport

@testable import SluiceTransfer

extension FaultRow {
    /// Slow and silent hosts, and the timeout that ends each attempt.
    static let slowness: [FaultRow] = [
        slow("silence", [.hang], .firstByte, "no response for 300 ms"),
        slow("half of the headers", [.text(ok), .hang], .minimumSpeed, "too slow"),
        slow("half of the body", [.text(ok + "Content-Length: 30\r\n\r\nabc"), .hang], .minimumSpeed, "too slow"),
        slow(
            "half of the body, with a tag", [.text(ok + tag + "Content-Length: 30\r\n\r\nabc"), .hang], .minimumSpeed,
            isKept: true),
        slow("slow headers", [.text(ok + "X: "), .drip(1000, milliseconds: 50)], .minimumSpeed, "too slow"),
        slow(
            "a slow body", [.text(ok + "Content-Length: 1000\r\n\r\n"), .drip(1000, milliseconds: 50)], .whole),
        FaultRow("A7", "no TLS handshake", [.hang]) {
            ($0.url, $0.deadline) = ("https://127.0.0.1:{port}/x", .firstByte)
            // The host receives a TLS handshake, not a request.
            ($0.cause, $0.detail, $0.waits, $0.requests) = ("timeout", "no response for 300 ms", again, 0...0)
        },
    ]

    static let headers: [FaultRow] = [
        FaultRow("A8", "no HTTP at all", "rubbish\r\n\r\n", "bad-headers"),
        header("endless interim responses", [.repeated("HTTP/1.1 100 Continue\r\n\r\n")], "more than 307200"),
        header("an endless header line", [.text(ok + "X: "), .endless]),
        header(
            "a header line of 200 kB", [.text(ok + "X: " + String(repeating: "x", count: 200_000) + "\r\n\r\n")],
            "longer than 100 kB"),
        header("endless header lines", [.text(ok), .repeated("X-Y: z\r\n")]),
        FaultRow("A8", "a NUL in a header line", ok + "X: a\u{0}b\r\nContent-Length: 1\r\n\r\nz", "bad-headers"),
    ]

    static let redirects: [FaultRow] =
        [
            ("file:///etc/passwd", "file"), ("ftp://127.0.0.1/", "ftp"), ("data:text/html,x", "has no valid address"),
            ("javascript:alert(1)", "has no valid address"), ("http://[::1/", "has no valid address"),
        ].map { FaultRow("A9", "to \($0)", redirect(to: $0), "redirect-scheme", $1) } + [
            FaultRow("A9", "in a loop", [.text(redirect(to: "/x"))]) {
                ($0.cause, $0.detail, $0.requests) = ("redirect-loop", "more than 5 redirects", 6...6)
            },
            FaultRow("A9", "without a Location", "HTTP/1.1 302 F\r\nContent-Length: 0\r\n\r\n", "redirect-scheme"),
            FaultRow(
                "A9", "with a large body",
                "HTTP/1.1 302 F\r\nLocation: file:///\r\n\r\n" + String(repeating: "x", count: 200_000),
                "redirect-scheme"),
        ]

    /// Broken HTTP/2: the fourth attempt uses HTTP/1.1.
    static let brokenHTTP2: [FaultRow] = [
        brokenHTTP2("RST_STREAM, internal error", frame(3, stream: 1, [0, 0, 0, 2])),
        brokenHTTP2("RST_STREAM, refused", frame(3, stream: 1, [0, 0, 0, 7])),
        brokenHTTP2("GOAWAY", frame(7, stream: 0, [0, 0, 0, 0, 0, 0, 0, 0])),
        brokenHTTP2("GOAWAY, protocol error", frame(7, stream: 0, [0, 0, 0, 0, 0, 0, 0, 1])),
    ]

    /// Values of the Retry-After header.
    static let pauses: [FaultRow] = [
        paused("a huge number", "99999999999999", "deferred", "(limit 300)", []),
        paused("one second over the limit", "301", "deferred", "asks to wait 301 s (limit 300)", []),
        paused("zero", "0", "http-429", "", [.zero, .zero, .zero]),
        paused("a past date", "Wed, 21 Oct 2015 07:28:00 GMT", "http-429", "", [.zero, .zero, .zero]),
        paused("a negative number", "-5", "http-429", "", again),
        paused("invalid text", "soon", "http-429", "", again),
    ]

    static let errorStatuses: [FaultRow] =
        [400, 401, 403, 404, 410, 451].map {
            FaultRow("A12", "\($0)", "HTTP/1.1 \($0) No\r\nContent-Length: 0\r\n\r\n", "http-\($0)")
        }
        + [408, 425].map {
            FaultRow("A12", "\($0)", "HTTP/1.1 \($0) No\r\nContent-Length: 0\r\n\r\n", "http-\($0)", waits: again)
        }
        + [500, 502, 503].map {
            FaultRow("A12", "\($0)", "HTTP/1.1 \($0) No\r\nContent-Length: 0\r\n\r\n", "http-5xx", waits: again)
        } + [
            FaultRow("A12", "an endless 404", [.text("HTTP/1.1 404 No\r\n\r\n"), .endless]) { $0.cause = "http-404" },
            FaultRow("A12", "a closed connection", []) { ($0.cause, $0.waits) = ("connect", again) },
            FaultRow("A12", "a reset instead of a response", [.reset]) { ($0.cause, $0.waits) = ("connect", again) },
            FaultRow("A12", "a host that is down", []) {
                ($0.host, $0.cause, $0.waits, $0.requests) = (nil, "connect", again, 0...0)
            },
            FaultRow("A12", "an unknown name", []) {
                $0.url = "http://unknown.example:{port}/x"
                ($0.cause, $0.waits, $0.requests) = ("dns", again, 0...0)
            },
            FaultRow(
                "A12", "a host that keeps failing", "HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n", "http-5xx",
                "times in a row"
            ).impatient,
        ]

    static let certificates: [FaultRow] = [
        certified(.wrongName, "no alternative certificate subject name matches"),
        certified(.otherLevel, "no alternative certificate subject name matches"),
        certified(.expired, "expired"),
        certified(.selfSigned, ""),
        certified(.otherIssuer, ""),
        certified(.clientOnly, "certificate"),
        certified(.good, "from https to http", number: "A9", path: "down", cause: "redirect-downgrade"),
    ]

    /// Extra bytes after a response must not be taken for the next response.
    static let extraBytes: [FaultRow] = [
        FaultRow("A14", "an extra response", []) {
            let evil = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"
            $0.host = [
                "/x": [[.text(redirect(to: "/y") + evil), .again]], "/y": [[.text(good)]],
            ]
            ($0.arrives, $0.requests) = ("good", 2...2)
        }
    ]

    private static func slow(
        _ name: String, _ steps: Steps, _ deadline: Deadline, _ detail: String = "", isKept: Bool = false
    ) -> FaultRow {
        FaultRow("A7", name, steps) {
            ($0.cause, $0.detail, $0.waits) = ("timeout", detail, again)
            ($0.deadline, $0.isKept) = (deadline, isKept)
        }
    }

    private static func header(_ name: String, _ steps: Steps, _ detail: String = "") -> FaultRow {
        FaultRow("A8", name, steps) { ($0.cause, $0.detail) = ("bad-headers", detail) }
    }

    /// An HTTP/2 frame.
    private static func frame(_ type: UInt8, stream: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [0, 0, UInt8(payload.count), type, 0, 0, 0, 0, stream] + payload
    }

    private static func brokenHTTP2(_ name: String, _ end: [UInt8]) -> FaultRow {
        FaultRow("A10", name, []) {
            // The HTTP/2 preface looks like a request for `*`.
            $0.host = ["*": [[.raw(frame(4, stream: 0, []) + end)]], "/x": [[.text(good)]]]
            $0.change = { _, options, _ in options.http = .http2 }
            ($0.arrives, $0.waits) = ("good", again)
            // libcurl itself repeats a refused stream, up to six times per attempt. An attempt may also reuse a
            // connection that the host has not closed yet, and the host reads no further request from that.
            $0.requests = 2...3 * 6 + 1
        }
    }

    private static func paused(
        _ name: String, _ wait: String, _ cause: String, _ detail: String, _ waits: [Duration]
    ) -> FaultRow {
        let text = "HTTP/1.1 429 S\r\nRetry-After: \(wait)\r\nContent-Length: 0\r\n\r\n"
        return FaultRow("A11", name, text, cause, detail, waits: waits)
    }

    /// The host is given up after two consecutive failures.
    private var impatient: FaultRow {
        var row = self
        row.waits = [.seconds(1)]
        (row.rules.failureLimit, row.rules.failurePause, row.rules.maxPauses) = (1, .zero, 1)
        return row
    }

    private static func certified(
        _ certificate: TLSAuthority.Certificate, _ detail: String, number: String = "A13", path: String = "x",
        cause: String = "tls"
    ) -> FaultRow {
        FaultRow(number, "a certificate that is \(certificate)", []) {
            ($0.certificate, $0.cause, $0.detail) = (certificate, cause, detail)
            $0.url = "https://\(TLSAuthority.host):{port}/\(path)"
            $0.names = [TLSAuthority.host: [["127.0.0.1"]]]
        }
    }
}
