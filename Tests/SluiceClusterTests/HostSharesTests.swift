// SPDX-License-Identifier: MIT

import Foundation
import Sluice
import SluiceEngine
import SluiceFiles
import SluiceImaging
import SluiceLedger
import SluiceModel
import SluiceStore
import TestSupport
import Testing

@testable import SluiceCluster

/// The parts of hosts' limits that the shards of a plan use.
@Suite("Shares of hosts", .timeLimit(.minutes(10))) struct HostSharesTests {
    /// A plan whose hosts are shared by random shards.
    private func plan(_ shards: Int, using random: inout some RandomNumberGenerator) -> Plan {
        var plan = Plan(
            source: "list.txt", feed: "list", isList: true, feedFingerprint: "", command: [], options: "", rows: 0,
            sourceSHA256: "", shards: Array(repeating: Plan.Shard(), count: shards))
        for host in 0..<5 {
            let chosen = (0..<shards).shuffled(using: &random).prefix(Int.random(in: 2...shards, using: &random))
            for shard in chosen { plan.shards[shard].shares["host\(host).test"] = chosen.count }
        }
        return plan
    }

    /// Each worker learns of finished shards late, in any order, and perhaps never.
    @Test("All shards together never exceed a host's limit, and the last one has it alone", arguments: 0..<50)
    func limits(round: Int) {
        var random = SystemRandomNumberGenerator()
        let count = Int.random(in: 2...9, using: &random)
        let plan = plan(count, using: &random)
        var workers = (0..<count).map { HostShares(of: $0, in: plan) }
        var finished: [Int] = []
        for next in (0..<count).shuffled(using: &random) {
            for worker in workers.indices {
                workers[worker].finish(finished.filter { _ in Bool.random(using: &random) })
            }
            for host in (0..<5).map({ "host\($0).test" }) {
                let shares = workers.indices.filter { !finished.contains($0) }.compactMap { workers[$0].counts[host] }
                // A host has as many connections as shards, or more.
                let limit =
                    (plan.shards.compactMap { $0.shares[host] }.first ?? 1) + Int.random(in: 0...9, using: &random)
                #expect(shares.reduce(0) { $0 + limit / $1 } <= limit)
                #expect(shares.reduce(0) { $0 + 1 / Double($1) } <= 1.000_001, "the part of the rate")
            }
            finished.append(next)
        }
        let last = finished.removeLast()
        workers[last].finish(finished)
        #expect(workers[last].counts.values.allSatisfy { $0 == 1 })
        let changes = workers[last].finish(finished)
        #expect(!changes, "a shard finishes once")
    }

    @Test("A shard gets the part of one that finishes meanwhile")
    func growth() async throws {
        let folder = TemporaryFolder()
        let pictures = try (1...8).map { shade in
            let pixels = Array(repeating: UInt8(shade * 25), count: 20 * 20 * 4)
            return try ImageEncoder(.png).encode(pixels, width: 20, height: 20)
        }
        let state = Locked((own: Set<String>(), requests: 0, peak: 0))
        var scripts: [String: [RawServer.Step]] = [:]
        for (number, picture) in pictures.enumerated() {
            let path = "/\(number).png"
            scripts[path] = [
                .reply { _ in
                    state.withLock { if $0.own.contains(path) { $0.requests += 1 } }
                    return []
                },
                // The second shard gets no answer before two of its requests are in progress, and the first none before
                // one is.
                .until {
                    state.withLock { state in
                        if state.own.contains(path) { return state.requests > 1 }
                        state.peak = max(state.peak, state.requests)
                        return state.requests > 0
                    }
                },
                .text("HTTP/1.1 200 OK\r\nContent-Length: \(picture.count)\r\n\r\n"), .raw(picture), .again,
            ]
        }
        let server = try RawServer(scripts)
        let list = folder.path("list.txt")
        try Data(pictures.indices.map { server.url("/\($0).png\n") }.joined().utf8).write(to: URL(filePath: list))
        var options = MirrorOptions()
        (options.network.allowsPrivate, options.network.respectsRobotsTxt) = (true, false)
        options.network.allowedPorts = [Int(server.port)]
        options.perHost = 2
        options.commandLine = ["mirror", list]
        let plan = folder.path("plan")
        let planned = try await ShardPlanning(of: list, into: plan, options: options, count: .shards(2)).run().plan
        #expect(planned.shards.map { $0.shares["127.0.0.1"] } == [2, 2])
        var rows = try RowFileReader(1, of: planned, in: LocalStore(try Folder(plan)))
        let own = try rows.next(8).map { "/" + $0.item.photo.variants[0].url.split(separator: "/")[2] }
        state.withLock { $0.own = Set(own) }

        let waiting = try ShardRun(
            1, ofPlanIn: plan, into: folder.path("out"), options: options, dataset: nil,
            receiptInterval: .milliseconds(20))
        async let summary = waiting.run()
        _ = try await ShardRun(0, ofPlanIn: plan, into: folder.path("out"), options: options).run()
        #expect(try await summary.done == 4)
        #expect(state.withLock(\.peak) == 1, "one request at a time while both shards ran")
    }

    @Test("Workers that share a source keep its bandwidth together")
    func bandwidth() async throws {
        let folder = TemporaryFolder()
        var random = SystemRandomNumberGenerator()
        let pictures = try (0..<20).map { _ in
            let noise = (0..<64 * 64 * 4).map { _ in UInt8.random(in: 0...255, using: &random) }
            return try ImageEncoder(.png).encode(noise, width: 64, height: 64)
        }
        let items = pictures.indices.map { #"{"id":"\#($0)","url":"/\#($0).png"}"# }.joined(separator: ",")
        var scripts = [
            "/list": [RawServer.Step.text("HTTP/1.1 200 OK\r\nContent-Length: \(items.utf8.count + 12)\r\n\r\n")]
        ]
        scripts["/list"]? += [.text(#"{"items":[\#(items)]}"#), .again]
        for (number, picture) in pictures.enumerated() {
            let head = "HTTP/1.1 200 OK\r\nContent-Length: \(picture.count)\r\n\r\n"
            scripts["/\(number).png"] = [.text(head), .raw(picture), .again]
        }
        let server = try RawServer(scripts)
        let recipe = """
            {"recipe":"x","base":"\(server.url(""))","listings":{"all":{"path":"/list"}},"paging":{"by":"none"},
            "records":"items","photo":{"id":"id"},"variants":{"large":{"path":"url"}},
            "politeness":{"bandwidth":\(Self.bytesPerSecond)},"terms":"https://x.test/terms"}
            """
        let source = folder.path("service.json")
        try Data(recipe.utf8).write(to: URL(filePath: source))
        var options = MirrorOptions()
        options.network.respectsRobotsTxt = false
        options.commandLine = ["mirror", source]
        let plan = folder.path("plan")
        let planned = try await ShardPlanning(of: source, into: plan, options: options, count: .shards(2)).run().plan
        #expect(planned.shards.map { $0.shares["127.0.0.1"] } == [2, 2])
        let workers = try (0..<2).map { try ShardRun($0, ofPlanIn: plan, into: folder.path("out"), options: options) }
        let start = ContinuousClock.now
        async let first = workers[0].run().done
        async let second = workers[1].run().done
        #expect(try await first + second == pictures.count)
        // Each worker may begin with a tenth of its part of a second.
        let bytes = pictures.map(\.count).reduce(0, +) - Self.bytesPerSecond / 10
        #expect(ContinuousClock.now - start >= .seconds(Double(bytes) / Double(Self.bytesPerSecond)))
    }

    private static let bytesPerSecond = 100_000
}
