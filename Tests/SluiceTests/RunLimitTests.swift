// SPDX-License-Identifier: MIT

import Foundation
import SluiceFeeds
import SluiceImaging
import SluiceModel
import SluiceOrigin
import SluiceTransfer
import TestSupport
import Testing

@testable import Sluice
@testable import SluiceEngine

/// Runs that end before their feed does, while a gate holds photos in flight.
@Suite("Run limits", .timeLimit(.minutes(10))) struct RunLimitTests: MirrorSuite {
    private let service = HeldPhotos()
    let folder = TemporaryFolder()
    let origin: OriginServer

    init() throws { origin = try OriginServer(service) }

    func prepare(_ options: inout MirrorOptions) { options.concurrency = 2 }

    /// A mirror of the photos at these paths, with a concurrency of two.
    private func mirror(of paths: [String], _ change: (inout RunLimits) -> Void) throws -> PhotoMirror {
        try list(paths.map { $0.dropFirst() })
        return mirror { change(&$0.limits) }
    }

    /// Performs a run and calls `act` once two items are in flight.
    private func run(_ mirror: PhotoMirror, whenTwoStarted act: @escaping @Sendable () -> Void) async throws -> (
        Summary, [Int: String]
    ) {
        let started = Locked(0)
        let ends = Locked<[Int: String]>([:])
        let summary = try await mirror.run { event in
            switch event {
            case .itemStarted:
                let isSecond = started.withLock {
                    $0 += 1
                    return $0 == 2
                }
                if isSecond { act() }
            case .itemEnded(let item, .done): ends.withLock { $0[item.seq] = "done" }
            case .itemEnded(let item, let end):
                ends.withLock { $0[item.seq] = end.receipt.failure?.cause.name }
            default: break
            }
        }
        return (summary, ends.withLock { $0 })
    }

    @Test("After a signal, items in flight finish and no more start")
    func drained() async throws {
        let mirror = try mirror(of: (1...9).map { "/\($0)" }) { $0.drain = .seconds(1000) }
        let (summary, ends) = try await run(mirror) { [service] in
            mirror.stop(.signal(2))
            service.gate.open()
        }
        #expect(summary.stop == .signal(2))
        #expect(summary.done == 2)
        #expect(ends.filter { $0.value == "done" }.keys.sorted() == [1, 2])
        #expect(ends.count == 9 && summary.causes[.cancelled] == 7)
    }

    @Test("During a run, the gallery shows its progress")
    func gallery() async throws {
        let mirror = try mirror(of: ["/1", "/late/2"]) { $0.drain = .zero }
        let page = folder.path("out/index.html")
        let looking = Task { [service] in
            service.gate.open()
            defer { mirror.stop(.signal(2)) }
            // A killed run leaves such a page, and a finished run replaces it.
            try await wait(for: "the gallery of one photo") {
                let text = (try? String(contentsOfFile: page, encoding: .utf8)) ?? ""
                return text.contains(" UTC") && text.contains("1 photo · ") && text.contains(">1 pending<")
            }
        }
        let (summary, _) = try await run(mirror) {}
        try await looking.value
        #expect(summary.done == 1 && summary.stop == .signal(2))
        #expect(try !String(contentsOfFile: page, encoding: .utf8).contains(" UTC"))
    }

    @Test("Items that exceed the drain time are cancelled", arguments: [Duration.zero, .milliseconds(20)])
    func cancelled(drain: Duration) async throws {
        let mirror = try mirror(of: (1...5).map { "/late/\($0)" }) { $0.drain = drain }
        let (summary, ends) = try await run(mirror) { mirror.stop(.signal(15)) }
        #expect(summary.stop == .signal(15))
        #expect(ends.values.allSatisfy { $0 == "cancelled" } && ends.count == 5)
    }

    @Test("A stop requested through the library cancels immediately")
    func requested() async throws {
        let mirror = try mirror(of: ["/late/1", "/late/2"]) { $0.drain = .seconds(1000) }
        let (summary, ends) = try await run(mirror) { mirror.stop() }
        #expect(summary.stop == .requested)
        #expect(ends == [1: "cancelled", 2: "cancelled"])
    }

    @Test("A run ends at its time limit")
    func time() async throws {
        let mirror = try mirror(of: ["/late/1", "/late/2"]) {
            $0.time = .milliseconds(50)
            $0.drain = .zero
        }
        let (summary, ends) = try await run(mirror) {}
        #expect(summary.stop == .limit("the time limit was reached"))
        // The time may have passed before the list was read.
        #expect(ends.values.allSatisfy { $0 == "cancelled" })
    }

    @Test("A run ends at its transfer limit")
    func transfer() async throws {
        let mirror = try mirror(of: ["/1", "/2", "/late/3", "/late/4", "/late/5"]) {
            $0.transfer = onePixel.count + 1
            $0.drain = .milliseconds(20)
        }
        let (summary, ends) = try await run(mirror) { [service] in service.gate.open() }
        guard case .limit(let words, _) = summary.stop else {
            Issue.record("it ended with \(String(describing: summary.stop))")
            return
        }
        #expect(words.hasSuffix("(limit \(onePixel.count + 1))"))
        #expect(ends == [1: "done", 2: "done", 3: "cancelled", 4: "cancelled", 5: "cancelled"])
    }

    @Test("The bodies of failures count towards the transfer limit")
    func failingTransfer() async throws {
        let body = RawServer.Step.bytes(50_000)
        let paths = (0..<30).map { "/gone/\($0)" }
        let server = try RawServer(
            Dictionary(uniqueKeysWithValues: paths.map { ($0, [.text("HTTP/1.1 404 No\r\n\r\n"), body]) }))
        try folder.write(paths.map { "\(server.url($0))\n" }.joined(), to: "list.txt")
        let summary = try await run {
            $0.network.allowedPorts = [Int(server.port)]
            $0.limits.transfer = 200_000
        }
        guard case .limit(let words, _) = summary.stop else {
            Issue.record("it ended with \(String(describing: summary.stop))")
            return
        }
        #expect(words.hasSuffix("(limit 200000)"))
        // Four bodies reach the limit; an exchange that was in flight then may still end with its status.
        let requests = server.requests.filter { $0.hasPrefix("GET /gone/") }
        #expect((3...5).contains(summary.failed) && requests.count <= 6, "\(summary)")
    }
}

/// A PNG of one grey pixel.
let onePixel: [UInt8] = [
    0x89, 0x50, 0x4E, 0x47, 0x0D, 0x0A, 0x1A, 0x0A, 0, 0, 0, 13, 0x49, 0x48, 0x44, 0x52, 0, 0, 0, 1, 0, 0, 0, 1, 8, 0,
    0, 0, 0,
    0x3A, 0x7E, 0x9B, 0x55, 0, 0, 0, 10, 0x49, 0x44, 0x41, 0x54, 0x78, 0x9C, 0x63, 0x68, 0, 0, 0, 0x82, 0, 0x81, 0x77,
    0xCD,
    0x72, 0xB6, 0, 0, 0, 0, 0x49, 0x45, 0x4E, 0x44, 0xAE, 0x42, 0x60, 0x82,
]

@Suite("Network options", .timeLimit(.minutes(10))) struct NetworkOptionsTests {
    @Test(
        "An invalid option is refused before the mirror is created, and the message says which",
        arguments: [
            ("cannot allow address", "10.0.0.0/33"), ("cannot resolve", "a:b:1.2.3.4"),
            ("cannot resolve", "a:80:b.example"),
            ("cannot use the proxy", "ftp://proxy"), ("cannot use the proxy", "not a proxy"),
            ("cannot read certificate file", "/nowhere/ca.pem"),
        ])
    func refusals(message: String, value: String) async {
        var options = MirrorOptions()
        switch message {
        case "cannot allow address": options.network.allowedAddresses = [value]
        case "cannot resolve": options.network.resolved = [value]
        case "cannot use the proxy": options.network.proxy = value
        default: options.network.certificates = value
        }
        let error = await #expect(throws: MirrorError.self) {
            try await PhotoMirror(of: "demo", into: "/nowhere/mirror", options: options).run()
        }
        #expect(error?.code == .usage && error?.message.hasPrefix(message) == true, "\(String(describing: error))")
    }

    @Test(
        "The limit of open files reduces the concurrency, with a note",
        arguments: [
            (1024, 16, 16), (1024, 160, 160), (1024, 161, 160), (256, 512, 32), (64, 16, 1), (20000, 4096, 3322),
            (.max, 4096, 4096),
        ])
    func descriptors(maximum: Int, requested: Int, width: Int) {
        let limit = DescriptorLimit(maximum: maximum)
        #expect(limit.width(for: requested) == width)
        let note =
            "concurrency reduced from \(requested) to \(width): the limit of open files is \(maximum) (ulimit -n)"
        #expect(limit.note(for: requested) == (width < requested ? note : nil))
    }

    @Test(
        "A recipe's bandwidth applies unless the user's is lower",
        arguments: [(nil, 4_000_000), (1000, 1000), (5_000_000, 4_000_000)])
    func bandwidth(own: Int?, expected: Int) throws {
        let folder = TemporaryFolder()
        let recipe = """
            {"recipe":"x","base":"https://x.test","listings":{"all":{"path":"/list"}},"records":"items",
            "photo":{"id":"id"},"variants":{"small":"url"},"politeness":{"bandwidth":4000000},
            "paging":{"by":"url","path":"next"}}
            """
        var options = MirrorOptions()
        options.network.bandwidth = own
        let known = try Source(folder.write(recipe, to: "service.json"))
        let alone = try FeedSession([known], options: options, width: 1, token: CancellationToken())
        #expect(alone.transfers.options.bandwidth == expected)
        let shared = try FeedSession(
            [known], options: options, width: 1, token: CancellationToken(), shares: ["a.test": 4])
        #expect(shared.transfers.options.bandwidth == min(expected, 1_000_000))
    }
}
