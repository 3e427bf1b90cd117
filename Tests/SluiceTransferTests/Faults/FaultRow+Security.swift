// SPDX-License-Identifier: MIT

import SluiceModel
import TestSupport

@testable import SluiceTransfer

extension FaultRow {
    /// Untrusted text that tries to reach refused addresses or to obtain credentials.
    static let security: [FaultRow] = refusals + names + proxies + secrets

    private static let refusals: [FaultRow] =
        [
            ("http://169.254.169.254/x", "169.254.169.254 is link-local"),
            ("http://10.0.0.1/x", "private"), ("http://100.64.0.1/x", "100.64.0.1 is "),
            ("http://224.0.0.1/x", "224.0.0.1 is "), ("http://0/x", "this machine"),
            ("http://[::1]/x", "loopback"), ("http://[fc00::1]/x", "fc00::1 is "),
            ("http://[::ffff:10.0.0.1]/x", "10.0.0.1"),
            ("http://[64:ff9b::a00:1]/x", "10.0.0.1 (through 64:ff9b::a00:1)"),
            ("http://0xa9fea9fe/x", "link-local"),
        ].flatMap { url, detail in
            [
                guarded("B1", "a request to \(url)", "address-refused", detail) {
                    ($0.url, $0.requests) = (url, 0...0)
                },
                guarded("B1", "a redirect to \(url)", "address-refused", detail) {
                    $0.host = ["/x": [[.text(redirect(to: url))]]]
                },
            ]
        } + [
            guarded("B1", "a redirect to another local server", "address-refused", "127.0.0.2 is loopback") {
                $0.host = ["/x": [[.text(redirect(to: "http://127.0.0.2:{port}/x"))]]]
                $0.otherHost = ["/x": [[.text(good)]]]
            },
            guarded("B4", "a request to a mail server", "address-refused", "port 25 of 127.0.0.1 is not allowed") {
                ($0.url, $0.requests) = ("http://127.0.0.1:25/x", 0...0)
            },
            guarded("B4", "a redirect to a database", "address-refused", "port 6379 of photos.example is not allowed") {
                $0.host = ["/x": [[.text(redirect(to: "http://photos.example:6379/x"))]]]
            },
        ]

    private static let names: [FaultRow] = [
        named("a name of the other server", [["127.0.0.2"]]) {
            ($0.cause, $0.detail) = ("address-refused", "photos.example resolves to 127.0.0.2, which is loopback")
            $0.requests = 0...0
        },
        named("a name of both servers, the other first", [["127.0.0.2", "127.0.0.1"]]) { $0.arrives = "good" },
        named("a name of both servers, the other last", [["127.0.0.1", "127.0.0.2"]]) { $0.arrives = "good" },
        // Both hops use the first answer.
        named("a name that changes to the other server between two hops", [["127.0.0.1"], ["127.0.0.2"]]) {
            $0.host = ["/x": [[.text(redirect(to: "/y"))]], "/y": [[.text(good)]]]
            ($0.arrives, $0.requests) = ("good", 2...2)
        },
        named("a redirect to a name of the other server", [["127.0.0.1"]]) {
            $0.host = ["/x": [[.text(redirect(to: "http://neighbour.example:{port}/x"))]]]
            $0.names["neighbour.example"] = [["127.0.0.2"]]
            ($0.cause, $0.detail) = ("address-refused", "neighbour.example resolves to 127.0.0.2")
        },
    ]

    private static let proxies: [FaultRow] = [
        guarded("B3", "a proxy resolves the name", "done", "") {
            $0.url = "http://photos.example/x"
            $0.otherHost = ["http://photos.example/x": [[.text(good)]]]
            $0.change = throughOtherServer
            ($0.arrives, $0.requests, $0.otherRequests) = ("good", 0...0, 1)
        },
        guarded("B3", "a refused address through a proxy", "address-refused", "private") {
            ($0.url, $0.requests) = ("http://10.0.0.1/x", 0...0)
            $0.change = throughOtherServer
        },
    ]

    /// The word `canary` must not reach another host, a file or a message.
    private static let secrets: [FaultRow] =
        ["http://127.0.0.2:{port}/y", "//127.0.0.2:{port}/y", "http://user:pass@127.0.0.2:{port}/y"].map { target in
            FaultRow("B5", "a redirect to \(target)", [.text(redirect(to: target))]) {
                $0.url = "http://user:canary@127.0.0.1:{port}/x"
                $0.otherHost = ["/y": [[.text(good)]]]
                $0.change = { request, _, _ in request.headers = ["X-Api-Key: canary", "Cookie: id=canary"] }
                ($0.arrives, $0.otherRequests) = ("good", 1)
            }
        } + [
            FaultRow("B6", "a password in the address of an interrupted download", []) {
                $0.url = "http://user:canary@127.0.0.1:{port}/x"
                $0.host = ["/x": [[.text(ok + tag + "Content-Length: 30\r\n\r\nabc")]]]
                ($0.cause, $0.waits, $0.isKept) = ("truncated", again, true)
            },
            FaultRow("B6", "a password in the address of a 404", []) {
                $0.url = "http://user:canary@127.0.0.1:{port}/none"
                $0.cause = "http-404"
            },
            FaultRow("B6", "a password in an invalid address", []) {
                $0.url = "http://user:canary@[::1/x"
                ($0.cause, $0.requests) = ("policy", 0...0)
            },
            FaultRow("B7", "line breaks in an address", []) {
                $0.url = "http://127.0.0.1:{port}/x\r\nX-Evil: 1"
                ($0.cause, $0.requests) = ("policy", 0...0)
            },
            FaultRow("B7", "encoded line breaks in an address", []) {
                $0.url = "http://127.0.0.1:{port}/x%0d%0aX-Evil:%201"
                $0.host = ["/x%0d%0aX-Evil:%201": [[.text(good)]]]
                $0.arrives = "good"
            },
            FaultRow("B7", "line breaks in a redirect", redirect(to: "/y%0d%0aX-Evil:%201"), "http-404").hops(2),
            FaultRow("B7", "line breaks in an entity tag", [.text(good)]) {
                $0.change = { request, _, _ in
                    request.cachedVersion = CachedVersion(
                        from: request.url, etag: "\"a\"\r\nX-Evil: 1", lastModified: nil)
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

    @Sendable private static func throughOtherServer(_: inout Request, options: inout TransferOptions, port: Int) {
        options.addressGuard.ports.insert(80)
        options.proxies = ProxyRules(through: "http://127.0.0.2:\(port)") { _ in nil }
    }

    private func hops(_ count: Int) -> FaultRow {
        var row = self
        row.requests = count...count
        return row
    }
}
