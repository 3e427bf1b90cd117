// SPDX-License-Identifier: MIT

import Foundation
import SluiceModel
import SluiceOrigin
import TestSupport
import Testing

@testable import SluiceTransfer

/// Many transfers with faults; set `SLUICE_SOAK=20000` and run it alone for a longer test.
@Suite("Soak", .enabled(if: LongTests.areWanted, "\(LongTests.advice)"), .timeLimit(.minutes(10))) struct SoakTests {
    /// Serves a different body for each path.
    private struct Service: OriginService {
        static func body(of path: String) -> [UInt8] { Array(String(repeating: "\(path) ", count: 200).utf8) }

        func reply(to request: OriginRequest) -> OriginReply {
            // With the tag, an interrupted transfer can be resumed.
            OriginReply(
                type: "image/jpeg", Self.body(of: request.path), headers: [OriginHeader("ETag", "\"\(request.path)\"")])
        }
    }

    /// How each download ended, and which ones ended twice.
    private struct Ends {
        var causes: [String: String] = [:]
        var repeated: [String] = []
    }

    private static let now = [OriginHeader("Retry-After", "0")]
    private static let faults: [OriginFault] = [
        .status(404), .status(429, headers: now), .status(500), .status(503, headers: now), .hang,
        .stall(afterBytes: 100), .drip(bytes: 20, every: .milliseconds(200)), .cut(afterBytes: 100), .close, .html,
        .empty, .contentType("text/plain"), .endless, .late(.milliseconds(50)),
    ]

    private static let expected: Set<String> = [
        "done", "http-404", "http-429", "http-5xx", "timeout", "truncated", "connect", "not-an-image", "empty-body",
        "too-large",
    ]

    /// Limited so that other tests in this process can still start processes: see `LoaderTests`.
    private static let width = 80
    private static let requested = ProcessInfo.processInfo.environment["SLUICE_SOAK"].flatMap { Int($0) }

    private func origin() throws -> OriginServer {
        var options = OriginOptions()
        options.faults = Self.faults.enumerated().map { number, fault in
            OriginFaultRule(fault, .fraction(0.05, seed: UInt64(number)))
        }
        return try OriginServer(Service(), options: options)
    }

    private func loader(into folder: TemporaryFolder, _ ends: Locked<Ends>) throws -> Loader {
        var options = TransferOptions.patient
        options.addressGuard = .open
        options.retry.baseDelay = .milliseconds(1)
        options.firstByteTimeout = .seconds(5)
        options.minimumSpeedTime = .seconds(2)
        options.connections = Self.width
        var hosts = HostRules(perHost: Self.width)
        // Otherwise the faults would exclude the host.
        (hosts.failureLimit, hosts.outageLimit) = (.max, .max)
        return try Loader(into: folder.path, width: Self.width, hosts: hosts, options: options, flushing: false) {
            event in
            guard case .ended(let download, let result) = event else { return }
            let end = if case .failure(let failure) = result { failure.cause.name } else { "done" }
            ends.withLock { ends in
                if ends.causes.updateValue(end, forKey: download.name) != nil { ends.repeated.append(download.name) }
            }
        }
    }

    /// Faults G4 and G7.
    @Test("Each of thousands of faulty downloads ends exactly once and leaks nothing")
    func soak() async throws {
        OwnProcess.raiseDescriptorLimit()
        let count = Self.requested ?? 2000
        let folder = TemporaryFolder()
        let origin = try origin()
        let ends = Locked(Ends())
        var early: Int?
        do {
            let loader = try loader(into: folder, ends)
            for number in 0..<count {
                if number == count / 4 { early = OwnProcess.residentBytes }
                // The limit exceeds every body, and stops the endless ones.
                await loader.load(Request("\(origin.address)/\(number)", limit: 100_000), as: "\(number)") {
                    (start, _) throws(Failure) in
                    guard start.first != UInt8(ascii: "<") else { throw Failure(.notAnImage, "a page") }
                    return .accepted
                }
            }
            await loader.waitUntilIdle()
        }
        let (causes, repeated) = ends.withLock { ($0.causes, $0.repeated) }
        #expect(causes.count == count && repeated.isEmpty)
        #expect(Set(causes.values).isSubset(of: Self.expected), "\(Set(causes.values).subtracting(Self.expected))")
        #expect(causes.values.contains("http-404") && causes.values.contains("not-an-image"))
        let done = causes.filter { $0.value == "done" }.keys
        for name in done { #expect(try folder.bytes(of: name) == Service.body(of: "/\(name)")) }
        // Besides complete files, only resumable partial files and their notes remain.
        let others = Set(folder.names()).subtracting(done)
        #expect(
            others.allSatisfy { $0.hasSuffix(".part") && others.contains("\($0).note") || $0.hasSuffix(".part.note") })
        // The last files and connections are closed after the loader is released, by other threads.
        try await wait(for: "the end of all files") { OwnProcess.openFiles(below: folder.path) ?? 0 == 0 }
        try await wait(for: "the end of all connections") { OwnProcess.connections(to: origin.port) ?? 0 == 0 }
        // Memory is comparable only if the process runs no other test.
        if Self.requested != nil, let early, let late = OwnProcess.residentBytes {
            #expect(late - early < 32 << 20, "\(early) bytes grew to \(late)")
        }
    }
}
