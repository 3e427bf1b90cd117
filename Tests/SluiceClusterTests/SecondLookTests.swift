// SPDX-License-Identifier: MIT

import Foundation
import SluiceEngine
import SluiceFiles
import SluiceImaging
import SluiceModel
import SluiceStore
import TestSupport
import Testing

@testable import SluiceCluster

/// Shards whose shared hosts fail for one worker only.
@Suite("Second looks", .timeLimit(.minutes(10))) struct SecondLookTests {
    private let folder = TemporaryFolder()

    private func worker(on shard: Int, day: Int = 3) throws -> SecondLook {
        SecondLook(
            of: shard, hosts: ["a.test", "b.test"], in: LocalStore(try Folder(folder.path)), "rules",
            now: { day * 86_400 + 5 })
    }

    private func answer(of host: String) -> Event {
        var receipt = Receipt(.done)
        receipt.url = "https://\(host)/1.jpg"
        return .itemEnded(Item(seq: 1, feed: "f", page: 1, photo: Photo(id: "1")), .done(receipt))
    }

    private func outage(of host: String, _ cause: Cause = .connect) -> Event { .hostGivenUp(host, Failure(cause, "")) }

    @Test("A shard has one second look, if another one got a photo from a shared host that failed")
    func oneLook() throws {
        let (other, own) = (try worker(on: 1), try worker(on: 0))
        for host in ["a.test", "a.test", "c.test"] { other.record(answer(of: host)) }
        for host in ["a.test", "b.test", "c.test"] { own.record(outage(of: host)) }
        #expect(own.takeHosts() == ["a.test"])
        #expect(own.takeHosts() == [])
        let again = try worker(on: 0)
        again.record(outage(of: "a.test"))
        #expect(again.takeHosts() == [], "another attempt has none, on any machine")
        let third = try worker(on: 2)
        third.record(outage(of: "a.test"))
        #expect(third.takeHosts() == ["a.test"])
        #expect(other.takeHosts() == [], "nothing failed")
    }

    @Test(
        "There is none for a host that failed for all, answered only this shard or on another day, or asked for less",
        arguments: [Cause.httpTooManyRequests, .deferred, .dns, .timeout, .tls, .httpServerError])
    func noLook(cause: Cause) throws {
        let own = try worker(on: 0)
        own.record(answer(of: "a.test"))
        (try worker(on: 1, day: 2)).record(answer(of: "a.test"))
        own.record(outage(of: "a.test", cause))
        #expect(own.takeHosts() == [])
        (try worker(on: 1)).record(answer(of: "a.test"))
        #expect(own.takeHosts().isEmpty == [.httpTooManyRequests, .deferred].contains(cause))
    }

    /// The photos of such a shard were committed as failures.
    @Test("The shard is not committed, and the next attempt gets its photos")
    func run() async throws {
        let picture = try pngPicture()
        let reply: [RawServer.Step] = [
            .text("HTTP/1.1 200 OK\r\nContent-Length: \(picture.count)\r\n\r\n"), .raw(picture), .again,
        ]
        let paths = (1...24).map { "/\($0).png" }
        let server = try RawServer(Dictionary(uniqueKeysWithValues: paths.map { ($0, reply) }))
        let list = folder.path("list.txt")
        try Data(paths.map { "http://photos.invalid:\(server.port)\($0)\n" }.joined().utf8).write(
            to: URL(filePath: list))
        var options = MirrorOptions()
        (options.network.allowsPrivate, options.network.respectsRobotsTxt) = (true, false)
        options.network.allowedPorts = [Int(server.port)]
        (options.retries, options.thumbnails.sizes) = (0, [])
        options.commandLine = ["mirror", list]
        let plan = folder.path("plan")
        let planned = try await ShardPlanning(of: list, into: plan, options: options, count: .shards(2)).run().plan
        #expect(planned.shards.map { $0.shares["photos.invalid"] } == [2, 2])
        // For the first worker no name server knows the host.
        var reached = options
        reached.network.resolved = ["photos.invalid:\(server.port):127.0.0.1"]
        func work(_ shard: Int, _ options: MirrorOptions) async throws -> ShardRun {
            let run = try ShardRun(shard, ofPlanIn: plan, into: folder.path("out"), options: options)
            _ = try await run.run()
            return run
        }
        guard case .committed = try await work(1, reached).outcome else {
            Issue.record("the second shard is not committed")
            return
        }
        let first = try await work(0, options)
        #expect(first.outcome == .unfinished && first.doubtedHosts == ["photos.invalid"])
        guard case .committed(let counts) = try await work(0, reached).outcome else {
            Issue.record("the first shard is not committed")
            return
        }
        #expect(counts.done == 12 && counts.failed == 0)
    }

    private func pngPicture() throws -> [UInt8] {
        try ImageEncoder(.png).encode(Array(repeating: 90, count: 20 * 20 * 4), width: 20, height: 20)
    }
}
