// SPDX-License-Identifier: MIT

import SluiceModel
import TestSupport
import Testing

@testable import SluiceTransfer

/// A fault of a host, and its expected effects.
///
/// In addresses and server responses, `{port}` stands for the port of both servers. The host is at 127.0.0.1, and
/// another server at 127.0.0.2, which the row may or may not reach.
struct FaultRow: Sendable, CustomTestStringConvertible {
    typealias Steps = [RawServer.Step]

    /// The timeout that is short in this row; all others are long.
    enum Deadline: Sendable { case none, firstByte, minimumSpeed, whole }

    /// The fault's number: A for network and HTTP faults, B for refused addresses and credentials.
    let number: String
    let name: String
    /// The host's responses by path, in order; `nil` for a host that is down.
    var host: [String: [Steps]]? = [:]
    var otherHost: [String: [Steps]] = [:]
    /// The answers of the name servers by name, in order.
    var names: [String: [[String]]] = [:]
    /// The host's certificate; such a host uses TLS, and serves files instead of scripts.
    var certificate: TLSAuthority.Certificate?
    var url = "http://127.0.0.1:{port}/x"
    var isPage = false
    var deadline = Deadline.none
    var rules = HostRules()
    /// Whether the address guard allows only the host.
    var isGuarded = false
    var change: @Sendable (inout Request, inout TransferOptions, _ port: Int) throws -> Void = { _, _, _ in }

    /// The name of the expected cause; `done` if the download succeeds with the content ``arrives``.
    var cause = "done"
    /// Text that the failure must contain.
    var detail = ""
    var arrives: String?
    /// The longest delays between attempts with the default policy; empty for a single attempt.
    var waits: [Duration] = []
    /// The expected number of requests; by default the number of attempts.
    var requests: ClosedRange<Int>?
    var otherRequests = 0
    /// Whether a partial file remains for the next run.
    var isKept = false

    var testDescription: String { "\(number) \(name)" }

    /// The delays of all attempts.
    static let again: [Duration] = [.seconds(1), .seconds(2), .seconds(4)]
    static let ok = "HTTP/1.1 200 OK\r\n"
    static let tag = "ETag: \"v1\"\r\n"
    static let good = ok + "Content-Length: 4\r\n\r\ngood"

    /// Makes a host that answers every request with the same steps.
    init(_ number: String, _ name: String, _ steps: Steps, _ change: (inout Self) -> Void = { _ in }) {
        (self.number, self.name) = (number, name)
        host = ["/x": [steps]]
        change(&self)
    }

    /// Makes a host that answers every request with a text, and the failure that results.
    init(
        _ number: String, _ name: String, _ text: String, _ cause: String, _ detail: String = "", waits: [Duration] = []
    ) {
        self.init(number, name, [.text(text)]) {
            ($0.cause, $0.detail, $0.waits) = (cause, detail, waits)
        }
    }

    /// A redirect to an address.
    static func redirect(to address: String) -> String {
        "HTTP/1.1 302 F\r\nLocation: \(address)\r\nContent-Length: 0\r\n\r\n"
    }
}
