// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// `plan`, `work` and `merge` with faults and at the same time; `Transcripts/cluster.txt` has the others.
@Suite("plan, work and merge", .timeLimit(.minutes(10))) struct ClusterCommandTests {
    private let folder = TemporaryFolder()

    init() throws {
        let words = ["--pages=1", "--per-page=8", "--variant=thumb", "--sizes=64", "--shards=2", "-o", "plan"]
        try Binary.run(["plan", "demo"] + words, folder: folder.url).require()
    }

    private func run(_ line: String) throws -> Binary.Result { try Binary.shell("sluice \(line)", folder: folder.url) }

    @Test(
        "A full disk ends plan and merge with 5 and work with 75, and all three finish when there is space",
        .enabled(if: SmallDisk.isPermitted, "only root can mount a disk"))
    func fullDisk() throws {
        let disk = try SmallDisk(kilobytes: 8192)
        let (plan, out) = ("\(disk.path)/plan", "\(disk.path)/out")
        let filler = URL(filePath: "\(disk.path)/filler")
        func fill() throws {
            _ = try Binary.shell("cat /dev/zero >\(filler.path) 2>/dev/null; true", folder: folder.url)
        }
        let planning = "plan demo --pages 1 --per-page 8 --variant thumb --sizes 64 --shards 1 -o \(plan)"
        for (line, code) in [(planning, 5), ("work \(plan) --shard 0 -o \(out)", 75), ("merge \(plan) -o \(out)", 5)] {
            try fill()
            let full = try run(line)
            #expect(full.code == code && full.err.contains("No space left"), "\(line): \(full.code) \(full.err)")
            try FileManager.default.removeItem(at: filler)
            try run(line).expect()
        }
        #expect(try run("verify \(out)").code == 0)
    }

    /// Each shard requested the files of each host.
    @Test("Shards that run at the same time request the rules of each host once")
    func rules() throws {
        let pictures = try DemoPictures(5, in: folder)
        let targets = try (0..<5).map { number in
            try RawServer([DemoPictures.path(number): pictures.reply(number)], host: "127.0.0.\(number + 2)")
        }
        var redirects: [String: [RawServer.Step]] = [:]
        for number in 0..<40 {
            let target = targets[number % 5].url(DemoPictures.path(number % 5))
            redirects["/\(number)"] = [
                .text("HTTP/1.1 302 Found\r\nLocation: \(target)\r\nContent-Length: 0\r\n\r\n"), .again,
            ]
        }
        let server = try RawServer(redirects)
        let servers = [server] + targets
        let list = (0..<40).map { server.url("/\($0)\n") }.joined()
        try folder.write(list, to: "list.txt")
        let network = ["--allow-address=127.0.0.0/8", "--per-host=8"] + servers.map { "--allow-port=\($0.port)" }
        let words = network.joined(separator: " ")
        try run("plan list.txt --shards 8 --sizes none -o p \(words)").require()
        let shards = try (0..<8).map { shard in
            try Running(["work", "p", "--shard", "\(shard)", "-o", "photos"] + network, folder: folder.url)
        }
        for shard in shards {
            try shard.end().expect()
        }
        for path in ["/robots.txt", "/.well-known/tdmrep.json"] {
            let requests = servers.map { $0.requests.count { $0.hasPrefix("GET \(path) ") } }
            #expect(requests == [1, 1, 1, 1, 1, 1], "\(path)")
        }
        try run("merge p -o photos \(words)").expect()
        #expect(!folder.contains("photos/.sluice/shards"))
    }

    /// `merge` wanted the concurrency of the plan, though it makes no requests; `work` reported success.
    @Test("A merge needs no concurrency, and a committed shard is refused for a folder without its files")
    func folders() throws {
        let words = "--pages 1 --per-page 8 --variant thumb --sizes 64 -j 99 --per-host 99"
        try run("plan demo --shards 1 -o p \(words)").require()
        let work = "work p --shard 0 -j 2 --per-host 2"
        try run("\(work) -o out").require()
        try run("\(work) -o out").expect(err: "already committed")
        let other =
            "it is committed, but 'other' does not have its files; use the folder that has them, or remove receipts/00000.json"
        try run("\(work) -o other").expect(2, err: other)
        try folder.makeFolder("other")
        try run("\(work) -o other").expect(2, err: other)
        try run("merge p -o out").expect()
        try run("\(work) -o out").expect(err: "already committed")
        try FileManager.default.removeItem(atPath: folder.path("p/receipts/00000.json"))
        try run("\(work) -o other").expect(err: "committed shard 0")
    }

    @Test("SIGTERM ends a shard with 75, and the next attempt finishes it")
    func interruption() throws {
        let words = ["work", "plan", "--shard", "0", "-o", "out", "--json", "-j", "1"]
        let running = try Running(words, folder: folder.url)
        try running.wait(for: "run-started")
        running.send(SIGTERM)
        let stopped = try running.end()
        // The run may have ended before the signal arrived.
        #expect([0, 75].contains(stopped.code), "\(stopped.err)")
        #expect(try run("work plan --shard 0 -o out").code == 0)
    }

    @Test("A shard ends with the process that started it, if that is its lifeline")
    func parent() async throws {
        // The shell prints the shard's number and waits. The rate limit keeps the shard running.
        let words = ["--pages=1", "--per-page=8", "--variant=thumb", "--sizes=64", "--rate=0.1", "--shards=1"]
        #expect(try Binary.run(["plan", "demo", "-o", "slow"] + words, folder: folder.url).code == 0)
        let line = "\(Binary.path) work slow --shard 0 --lifeline parent --json & echo $!; wait"
        let shell = try Running(["-c", line], program: "/bin/sh", folder: folder.url)
        let shard = try #require(try shell.line().flatMap { Int32($0) })
        try shell.wait(for: "item-started")
        shell.send(SIGKILL)
        #expect(try shell.end().code == -SIGKILL)
        try await wait(for: "the end of the shard") { Self.hasEnded(shard) }
    }

    /// Whether a process has ended, even if its parent has not noticed.
    private static func hasEnded(_ process: Int32) -> Bool {
        guard let status = try? String(contentsOfFile: "/proc/\(process)/stat", encoding: .utf8) else { return true }
        return status.split(separator: ")").last?.split(separator: " ").first == "Z"
    }
}
