// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// `plan`, `work` and `merge` as a scheduler runs them.
@Suite("plan, work and merge", .timeLimit(.minutes(10))) struct ClusterCommandTests {
    private let folder = TemporaryFolder()

    init() throws {
        let words = ["--pages=1", "--per-page=8", "--variant=thumb", "--sizes=64", "--shards=2", "-o", "plan"]
        let result = try Binary.run(["plan", "demo"] + words, folder: folder.url)
        try #require(result.code == 0, "\(result.err)")
        #expect(result.err.contains("plan of 8 photos in 2 shards, 4 photos each"), "\(result.err)")
    }

    private func run(_ line: String, _ environment: [String: String] = [:]) throws -> Binary.Result {
        try Binary.shell("sluice \(line)", environment: environment, folder: folder.url)
    }

    @Test("Shards come from a scheduler's variables, and missing ones are named with their commands")
    func variables() throws {
        try run("work plan -o out", ["PARALLEL_SEQ": "2"]).expect(err: "committed shard 1: 4 done, 0 skipped, 0 failed")
        let early = try run("merge plan -o out")
        #expect(early.code == 3 && early.out == "sluice work plan --shard 0 --out out\n", "\(early.out)")
        #expect(early.err.contains("cannot merge: 1 of 2 shards are missing"))
        try run("work plan -o out", ["SLURM_ARRAY_TASK_ID": "0", "PARALLEL_SEQ": "2"]).expect(err: "committed shard 0")
        try run("merge plan -o out").expect()
        #expect(try run("merge plan -o out").err.contains("already merged: all 2 shards"))
        #expect(try run("verify out").code == 0)
    }

    @Test("Invalid plans, shards and options end with 2, and an output folder that cannot be written with 75")
    func codes() throws {
        #expect(try run("work plan --shard 2").code == 2)
        #expect(try run("work plan").code == 2)
        #expect(try run("work none --shard 0").code == 2)
        #expect(try run("work plan", ["JOB_COMPLETION_INDEX": "x"]).code == 2)
        #expect(try run("plan demo --shards 3 --pages 1 --per-page 8 -o plan").code == 2)
        #expect(try run("plan demo -o other").code == 2)
        #expect(try run("plan demo --shards 1 --max-time 5 -o other").code == 2)
        try folder.write([], to: "file")
        #expect(try run("work plan --shard 0 -o file").code == 75)
    }

    @Test("A shard whose time is over ends with 75; its leftovers are planned, and both plans are merged")
    func waves() throws {
        try run("work plan --shard 0 -o out -j 1 --max-time 1ms").expect(75)
        #expect(try run("work plan --shard 1 -o out --state state").code == 0)
        try run("plan --leftovers plan --mirror out -o next").expect(err: " in 1 shard")
        #expect(try run("plan demo --leftovers plan -o next").code == 2)
        #expect(try run("plan demo --shards 1 --mirror out -o next").code == 2)
        try run("merge plan -o out").expect(3, err: "also name the plan of its leftovers")
        #expect(try run("merge plan next -o out").out == "sluice work next --shard 0 --out out\n")
        #expect(try run("merge next -o out").code == 2)
        #expect(try run("work plan --shard 0 -o out").err.contains("already committed"))
        #expect(try run("work next --shard 0 -o out").code == 0)
        try run("merge plan next -o out").expect()
        #expect(try run("verify out").code == 0)
    }

    @Test("Photos that were added to a source are planned alone and merged into the mirror")
    func additions() throws {
        for shard in 0..<2 { #expect(try run("work plan --shard \(shard) -o out").code == 0) }
        #expect(try run("merge plan -o out").code == 0)
        try run("plan --append plan --shards 1 -o next").expect(2, err: "lists no new photos")
        // The other options are those of the first plan.
        try run("plan --append plan --pages 2 --shards 1 -o next").expect(err: "plan of 8 photos in 1 shard")
        #expect(try run("plan --append plan --sizes 32 --pages 2 --shards 1 -o other").code == 2)
        #expect(try run("plan --append plan --leftovers plan -o other").code == 2)
        #expect(try run("merge next -o out").out == "sluice work next --shard 0 --out out\n")
        #expect(try run("work next --shard 0 -o out").code == 0)
        try run("merge next -o out").expect()
        #expect(try run("merge plan next -o out").err.contains("already merged"))
        #expect(try run("verify out").code == 0)
    }

    @Test("A changed list, a changed plan and a receipt of another plan are refused with one sentence")
    func changes() throws {
        try folder.write("http://127.0.0.1:1/a\n", to: "list.txt")
        #expect(try run("plan list.txt --shards 1 -o list").code == 0)
        #expect(try run("plan list.txt --shards 1 -o list").err.contains("unchanged plan"))
        try folder.write("http://127.0.0.1:1/b\n", to: "list.txt")
        try run("plan list.txt --shards 1 -o list").expect(2, err: "it has another plan, and a plan never changes")

        let receipts = folder.url.appending(path: "plan/receipts")
        try FileManager.default.createDirectory(at: receipts, withIntermediateDirectories: true)
        #expect(try run("work list --shard 0 -o other").code == 0)
        let foreign = try Data(contentsOf: folder.url.appending(path: "list/receipts/00000.json"))
        try foreign.write(to: receipts.appending(path: "00000.json"))
        for (line, code) in [("work plan --shard 0 -o out", 2), ("merge plan -o out", 7)] {
            try run(line).expect(Int32(code), err: "it belongs to another plan or shard")
        }
        let plan = folder.url.appending(path: "plan/plan.json")
        let text = try String(contentsOf: plan, encoding: .utf8)
        // The sum of such numbers of rows overflowed.
        let overflowing = text.replacing(#"{"rows":"#, with: #"{"rows":9223372036854775807,"earlier":"#)
        for changed in [String(text.dropLast()), overflowing] {
            try Data(changed.utf8).write(to: plan)
            try run("work plan --shard 1 -o out").expect(2, err: "plan.json")
        }
    }

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

    /// The option was refused; without a label, Prometheus rejects the files of two shards.
    @Test("Each shard writes metrics of its own, which have its number")
    func metrics() throws {
        for shard in 0..<2 {
            #expect(try run("work plan --shard \(shard) -o out --metrics \(shard).prom").code == 0)
            let text = try folder.text("\(shard).prom")
            #expect(text.contains("sluice_photos_total{shard=\"\(shard)\",end=\"done\"} 4\n"), "\(text)")
            let samples = text.split(separator: "\n").filter { !$0.hasPrefix("#") }
            #expect(samples.allSatisfy { $0.contains("{shard=\"\(shard)\"") })
        }
        #expect(try run("plan demo --metrics x.prom -o other").code == 2)
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

    @Test(
        "A shard ends with its standard input if it is a lifeline; the next attempt commits it and reports its progress"
    )
    func lifelines() throws {
        // Standard input of the tests' processes is empty.
        let words = ["work", "plan", "--shard", "0", "-o", "out", "--lifeline", "stdin"]
        #expect(try Running(words, folder: folder.url).end().code == -SIGKILL)
        try run("work plan --shard 0 -o out --lifeline parent").expect()
        let status = try RunEvent(try Tree(of: folder.path("plan")).text("status/00000.json").dropLast())
        #expect(status[number: "ended"] == 4)
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
