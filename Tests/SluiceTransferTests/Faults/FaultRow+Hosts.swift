// SPDX-License-Identifier: MIT

import SluiceModel
import TestSupport

@testable import SluiceTransfer

extension FaultRow {
    /// What takes its time, and the deadline that ends each attempt.
    static let silences: [FaultRow] = [
        silent("silence", [.hang], .firstByte, "no byte for 300 ms"),
        silent("half a head", [.text(ok), .hang], .leastSpeed, "too slow"),
        silent("half a body", [.text(ok + "Content-Length: 30\r\n\r\nabc"), .hang], .leastSpeed, "too slow"),
        silent(
            "half a body, with a tag", [.text(ok + tag + "Content-Length: 30\r\n\r\nabc"), .hang], .leastSpeed,
            isKept: true),
        silent("a dripping head", [.text(ok + "X: "), .drip(1000, milliseconds: 50)], .leastSpeed, "too slow"),
        silent(
            "a dripping body", [.text(ok + "Content-Length: 1000\r\n\r\n"), .drip(1000, milliseconds: 50)], .whole),
        FaultRow("A7", "no answer to TLS", [.hang]) {
            ($0.url, $0.deadline) = ("https://127.0.0.1:{port}/x", .firstByte)
            // What it is sent is no request.
            ($0.cause, $0.detail, $0.waits, $0.requests) = ("timeout", "no byte for 300 ms", again, 0...0)
        },
    ]

    static let heads: [FaultRow] = [
        FaultRow("A8", "no HTTP at all", "rubbish\r\n\r\n", "bad-headers"),
        head("endless heads", [.repeated("HTTP/1.1 100 Continue\r\n\r\n")], "more than 307200"),
        head("an endless line", [.text(ok + "X: "), .endless]),
        head("endless lines", [.text(ok), .repeated("X-Y: z\r\n")]),
        FaultRow("A8", "a NUL in a line", ok + "X: a\u{0}b\r\nContent-Length: 1\r\n\r\nz", "bad-headers"),
    ]

    static let redirects: [FaultRow] =
        [
            ("file:///etc/passwd", "file"), ("ftp://127.0.0.1/", "ftp"), ("data:text/html,x", "names no address"),
            ("javascript:alert(1)", "names no address"), ("http://[::1/", "names no address"),
        ].map { FaultRow("A9", "to \($0)", redirect(to: $0), "redirect-scheme", $1) } + [
            FaultRow("A9", "round and round", [.text(redirect(to: "/x"))]) {
                ($0.cause, $0.detail, $0.requests) = ("redirect-loop", "more than 5 redirects", 6...6)
            },
            FaultRow("A9", "to nowhere", "HTTP/1.1 302 F\r\nContent-Length: 0\r\n\r\n", "redirect-scheme"),
            FaultRow(
                "A9", "with a body that nobody reads",
                "HTTP/1.1 302 F\r\nLocation: file:///\r\n\r\n" + String(repeating: "x", count: 200_000),
                "redirect-scheme"),
        ]

    /// HTTP/2 that breaks off: the fourth attempt is in HTTP/1.1.
    static let storms: [FaultRow] = [
        storm("RST_STREAM, internal error", frame(3, stream: 1, [0, 0, 0, 2])),
        storm("RST_STREAM, refused", frame(3, stream: 1, [0, 0, 0, 7])),
        storm("GOAWAY", frame(7, stream: 0, [0, 0, 0, 0, 0, 0, 0, 0])),
        storm("GOAWAY, protocol error", frame(7, stream: 0, [0, 0, 0, 0, 0, 0, 0, 1])),
    ]

    /// What hosts say of when to come back.
    static let pauses: [FaultRow] = [
        paused("later than ever", "99999999999999", "deferred", "(limit 300)", []),
        paused("a second too late", "301", "deferred", "asks to wait 301 s (limit 300)", []),
        paused("at once", "0", "http-429", "", [.zero, .zero, .zero]),
        paused("long ago", "Wed, 21 Oct 2015 07:28:00 GMT", "http-429", "", [.zero, .zero, .zero]),
        paused("before now", "-5", "http-429", "", again),
        paused("rubbish", "soon", "http-429", "", again),
    ]

    static let troubles: [FaultRow] =
        [400, 401, 403, 404, 410, 451].map {
            FaultRow("A12", "\($0)", "HTTP/1.1 \($0) No\r\nContent-Length: 0\r\n\r\n", "http-\($0)")
        }
        + [408, 425].map {
            FaultRow("A12", "\($0)", "HTTP/1.1 \($0) No\r\nContent-Length: 0\r\n\r\n", "http-\($0)", waits: again)
        }
        + [500, 502, 503].map {
            FaultRow("A12", "\($0)", "HTTP/1.1 \($0) No\r\nContent-Length: 0\r\n\r\n", "http-5xx", waits: again)
        } + [
            FaultRow("A12", "404 without end", [.text("HTTP/1.1 404 No\r\n\r\n"), .endless]) { $0.cause = "http-404" },
            FaultRow("A12", "nothing", []) { ($0.cause, $0.waits) = ("connect", again) },
            FaultRow("A12", "a reset in place of a reply", [.reset]) { ($0.cause, $0.waits) = ("connect", again) },
            FaultRow("A12", "nobody there", []) {
                ($0.host, $0.cause, $0.waits, $0.requests) = (nil, "connect", again, 0...0)
            },
            FaultRow("A12", "no such name", []) {
                $0.url = "http://nobody.example:{port}/x"
                ($0.cause, $0.waits, $0.requests) = ("dns", again, 0...0)
            },
            FaultRow(
                "A12", "one that only fails", "HTTP/1.1 500 No\r\nContent-Length: 0\r\n\r\n", "http-5xx",
                "is not asked again in this run"
            ).impatient,
        ]

    /// Certificates with something wrong.
    static let certificates: [FaultRow] = [
        certified(.wrongName, "no alternative certificate subject name matches"),
        certified(.otherLevel, "no alternative certificate subject name matches"),
        certified(.expired, "expired"),
        certified(.selfSigned, "(trust its issuer with --ca-file)"),
        certified(.otherIssuer, "(trust its issuer with --ca-file)"),
        certified(.clientOnly, "certificate"),
        certified(.good, "from https to http", number: "A9", path: "down", cause: "redirect-downgrade"),
    ]

    /// What a connection brings behind a reply is no reply to the next request.
    static let strays: [FaultRow] = [
        FaultRow("A14", "a reply too many", []) {
            let evil = "HTTP/1.1 200 OK\r\nContent-Length: 4\r\n\r\nevil"
            $0.host = [
                "/x": [[.text(redirect(to: "/y") + evil), .again]], "/y": [[.text(good)]],
            ]
            ($0.arrives, $0.requests) = ("good", 2...2)
        }
    ]

    private static func silent(
        _ name: String, _ steps: Steps, _ deadline: Deadline, _ detail: String = "", isKept: Bool = false
    ) -> FaultRow {
        FaultRow("A7", name, steps) {
            ($0.cause, $0.detail, $0.waits) = ("timeout", detail, again)
            ($0.deadline, $0.isKept) = (deadline, isKept)
        }
    }

    private static func head(_ name: String, _ steps: Steps, _ detail: String = "") -> FaultRow {
        FaultRow("A8", name, steps) { ($0.cause, $0.detail) = ("bad-headers", detail) }
    }

    /// A frame of HTTP/2.
    private static func frame(_ type: UInt8, stream: UInt8, _ payload: [UInt8]) -> [UInt8] {
        [0, 0, UInt8(payload.count), type, 0, 0, 0, 0, stream] + payload
    }

    private static func storm(_ name: String, _ end: [UInt8]) -> FaultRow {
        FaultRow("A10", name, []) {
            // The preface of HTTP/2 reads as a request for `*`.
            $0.host = ["*": [[.raw(frame(4, stream: 0, []) + end)]], "/x": [[.text(good)]]]
            $0.change = { _, options, _ in options.http = .two }
            ($0.arrives, $0.waits) = ("good", again)
            // libcurl asks again itself where a stream was refused: up to six times for each attempt.
            $0.requests = 4...3 * 6 + 1
        }
    }

    private static func paused(
        _ name: String, _ wait: String, _ cause: String, _ detail: String, _ waits: [Duration]
    ) -> FaultRow {
        let text = "HTTP/1.1 429 S\r\nRetry-After: \(wait)\r\nContent-Length: 0\r\n\r\n"
        return FaultRow("A11", name, text, cause, detail, waits: waits)
    }

    /// Given up at the second failure in a row.
    private var impatient: FaultRow {
        var row = self
        row.waits = [.seconds(1)]
        (row.rules.patience, row.rules.pause, row.rules.trials) = (1, .zero, 1)
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
