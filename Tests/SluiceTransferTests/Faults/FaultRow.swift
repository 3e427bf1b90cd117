// SPDX-License-Identifier: MIT

import SluiceModel
import TestSupport
import Testing

@testable import SluiceTransfer

/// One thing that hosts do wrong, and all that must come of it.
///
/// In addresses and in what servers write, `{port}` stands for the servers' one port: the host is on 127.0.0.1, and on
/// 127.0.0.2 is another, whom a row may lead to or keep from.
struct FaultRow: Sendable, CustomTestStringConvertible {
    typealias Steps = [RawServer.Step]

    /// The only deadline that is near; all others are far away.
    enum Deadline: Sendable { case none, firstByte, leastSpeed, whole }

    /// The fault's number: A is about the network and HTTP, B about refused addresses and secrets.
    let number: String
    let name: String
    /// What the host answers by path, to one request after the other; `nil` for a host that is down.
    var host: [String: [Steps]]? = [:]
    var otherHost: [String: [Steps]] = [:]
    /// What name servers say, one answer after the other.
    var names: [String: [[String]]] = [:]
    /// What the host's certificate is like; one who shows any speaks TLS, and has files in place of scripts.
    var certificate: TLSAuthority.Certificate?
    var url = "http://127.0.0.1:{port}/x"
    var isPage = false
    var deadline = Deadline.none
    var rules = HostRules()
    /// The guard lets the host through, and nobody else.
    var isGuarded = false
    var change: @Sendable (inout Request, inout TransferOptions, _ port: Int) throws -> Void = { _, _, _ in }

    /// The cause's name; `done` if the file arrives all the same, with ``arrives`` in it.
    var cause = "done"
    /// What the failure must say.
    var detail = ""
    var arrives: String?
    /// The longest waits between its attempts, by the default policy: without any it is asked once.
    var waits: [Duration] = []
    /// As many requests as attempts, unless it says otherwise.
    var requests: ClosedRange<Int>?
    var otherRequests = 0
    /// Whether bytes stay for the next run.
    var isKept = false

    var testDescription: String { "\(number) \(name)" }

    /// Tried again until the attempts are used up.
    static let again: [Duration] = [.seconds(1), .seconds(2), .seconds(4)]
    static let ok = "HTTP/1.1 200 OK\r\n"
    static let tag = "ETag: \"v1\"\r\n"
    static let good = ok + "Content-Length: 4\r\n\r\ngood"

    /// A host that answers every request in one way.
    init(_ number: String, _ name: String, _ steps: Steps, _ change: (inout Self) -> Void = { _ in }) {
        (self.number, self.name) = (number, name)
        host = ["/x": [steps]]
        change(&self)
    }

    /// A host that answers every request with that text, and the failure that this is.
    init(
        _ number: String, _ name: String, _ text: String, _ cause: String, _ detail: String = "", waits: [Duration] = []
    ) {
        self.init(number, name, [.text(text)]) {
            ($0.cause, $0.detail, $0.waits) = (cause, detail, waits)
        }
    }

    /// A redirect to that place.
    static func redirect(to place: String) -> String {
        "HTTP/1.1 302 F\r\nLocation: \(place)\r\nContent-Length: 0\r\n\r\n"
    }
}
