// SPDX-License-Identifier: MIT

import SluiceModel
import TestSupport

@testable import SluiceTransfer

extension FaultRow {
    /// What the texts of strangers lead to: places that are not theirs, and secrets that are not theirs.
    static let strangers: [FaultRow] = refusals + names + proxies + secrets

    private static let refusals: [FaultRow] =
        [
            ("http://169.254.169.254/x", "169.254.169.254 is link-local (allow with --allow-address 169.254.0.0/16)"),
            ("http://10.0.0.1/x", "private"), ("http://100.64.0.1/x", "(allow with --allow-address 100.64.0.0/10)"),
            ("http://224.0.0.1/x", "(allow with --allow-address 224.0.0.0/4)"), ("http://0/x", "this machine"),
            ("http://[::1]/x", "loopback"), ("http://[fc00::1]/x", "(allow with --allow-address fc00::/7)"),
            ("http://[::ffff:10.0.0.1]/x", "10.0.0.1"), ("http://[64:ff9b::a00:1]/x", "10.0.0.1 by way of"),
            ("http://0xa9fea9fe/x", "link-local"),
        ].flatMap { url, detail in
            [
                guarded("B1", "asked for \(url)", "address-refused", detail) {
                    ($0.url, $0.requests) = (url, 0...0)
                },
                guarded("B1", "sent to \(url)", "address-refused", detail) {
                    $0.host = ["/x": [[.text(redirect(to: url))]]]
                },
            ]
        } + [
            guarded("B1", "sent to a neighbour", "address-refused", "127.0.0.2 is loopback") {
                $0.host = ["/x": [[.text(redirect(to: "http://127.0.0.2:{port}/x"))]]]
                $0.otherHost = ["/x": [[.text(good)]]]
            },
            guarded("B4", "asked for a mail server", "address-refused", "allow with --allow-port 25") {
                ($0.url, $0.requests) = ("http://127.0.0.1:25/x", 0...0)
            },
            guarded("B4", "sent to a database", "address-refused", "allow with --allow-port 6379") {
                $0.host = ["/x": [[.text(redirect(to: "http://photos.example:6379/x"))]]]
            },
        ]

    private static let names: [FaultRow] = [
        named("a name of the neighbour's", [["127.0.0.2"]]) {
            ($0.cause, $0.detail) = ("address-refused", "photos.example leads to 127.0.0.2, which is loopback")
            $0.requests = 0...0
        },
        named("a name of both, the neighbour first", [["127.0.0.2", "127.0.0.1"]]) { $0.arrives = "good" },
        named("a name of both, the neighbour last", [["127.0.0.1", "127.0.0.2"]]) { $0.arrives = "good" },
        // Both hops stand by the first answer.
        named("a name that becomes the neighbour's between two hops", [["127.0.0.1"], ["127.0.0.2"]]) {
            $0.host = ["/x": [[.text(redirect(to: "/y"))]], "/y": [[.text(good)]]]
            ($0.arrives, $0.requests) = ("good", 2...2)
        },
        named("a name that became the neighbour's", [["127.0.0.1"]]) {
            $0.host = ["/x": [[.text(redirect(to: "http://neighbour.example:{port}/x"))]]]
            $0.names["neighbour.example"] = [["127.0.0.2"]]
            ($0.cause, $0.detail) = ("address-refused", "neighbour.example leads to 127.0.0.2")
        },
    ]

    private static let proxies: [FaultRow] = [
        guarded("B3", "a proxy hides where a name leads", "done", "") {
            $0.url = "http://photos.example/x"
            $0.otherHost = ["http://photos.example/x": [[.text(good)]]]
            $0.change = throughNeighbour
            ($0.arrives, $0.requests, $0.otherRequests) = ("good", 0...0, 1)
        },
        guarded("B3", "a proxy is asked for a forbidden number", "address-refused", "private") {
            ($0.url, $0.requests) = ("http://10.0.0.1/x", 0...0)
            $0.change = throughNeighbour
        },
    ]

    /// `canary` is what no other host, no file and no word may have.
    private static let secrets: [FaultRow] =
        ["http://127.0.0.2:{port}/y", "//127.0.0.2:{port}/y", "http://user:pass@127.0.0.2:{port}/y"].map { place in
            FaultRow("B5", "sent on to \(place)", [.text(redirect(to: place))]) {
                $0.url = "http://user:canary@127.0.0.1:{port}/x"
                $0.otherHost = ["/y": [[.text(good)]]]
                $0.change = { request, _, _ in request.headers = ["X-Api-Key: canary", "Cookie: id=canary"] }
                ($0.arrives, $0.otherRequests) = ("good", 1)
            }
        } + [
            FaultRow("B6", "a password in an address that breaks off", []) {
                $0.url = "http://user:canary@127.0.0.1:{port}/x"
                $0.host = ["/x": [[.text(ok + tag + "Content-Length: 30\r\n\r\nabc")]]]
                ($0.cause, $0.waits, $0.isKept) = ("truncated", again, true)
            },
            FaultRow("B6", "a password in an address that is not there", []) {
                $0.url = "http://user:canary@127.0.0.1:{port}/none"
                $0.cause = "http-404"
            },
            FaultRow("B6", "a password in what is no address", []) {
                $0.url = "http://user:canary@[::1/x"
                ($0.cause, $0.requests) = ("policy", 0...0)
            },
            FaultRow("B7", "lines in an address", []) {
                $0.url = "http://127.0.0.1:{port}/x\r\nX-Evil: 1"
                ($0.cause, $0.requests) = ("policy", 0...0)
            },
            FaultRow("B7", "encoded lines in an address", []) {
                $0.url = "http://127.0.0.1:{port}/x%0d%0aX-Evil:%201"
                $0.host = ["/x%0d%0aX-Evil:%201": [[.text(good)]]]
                $0.arrives = "good"
            },
            FaultRow("B7", "lines in a redirect", redirect(to: "/y%0d%0aX-Evil:%201"), "http-404").hops(2),
            FaultRow("B7", "lines in a version's name", [.text(good)]) {
                $0.change = { request, _, _ in
                    request.known = KnownVersion(from: request.url, etag: "\"a\"\r\nX-Evil: 1", lastModified: nil)
                }
                $0.arrives = "good"
            },
        ]

    private static func guarded(
        _ number: String, _ name: String, _ cause: String, _ detail: String, _ change: (inout FaultRow) -> Void
    ) -> FaultRow {
        FaultRow(number, name, []) {
            ($0.isGuarded, $0.cause, $0.detail) = (true, cause, detail)
            change(&$0)
        }
    }

    private static func named(_ name: String, _ answers: [[String]], _ change: (inout FaultRow) -> Void) -> FaultRow {
        FaultRow("B2", name, [.text(good)]) {
            ($0.isGuarded, $0.url) = (true, "http://photos.example:{port}/x")
            $0.names = ["photos.example": answers]
            $0.otherHost = ["/x": [[.text(good)]], "/y": [[.text(good)]]]
            change(&$0)
        }
    }

    @Sendable private static func throughNeighbour(_: inout Request, options: inout TransferOptions, port: Int) {
        options.addressGuard.ports.insert(80)
        options.proxies = ProxyRules(through: "http://127.0.0.2:\(port)") { _ in nil }
    }

    private func hops(_ count: Int) -> FaultRow {
        var row = self
        row.requests = count...count
        return row
    }
}
