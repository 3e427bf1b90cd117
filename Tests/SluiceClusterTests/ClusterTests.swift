// SPDX-License-Identifier: MIT

import Foundation
import Sluice
import SluiceFiles
import SluiceImaging
import SluiceLedger
import SluiceModel
import SluiceStore
import TestSupport
import Testing

@testable import SluiceCluster
@testable import SluiceEngine

/// Plans, shards and merges of the demo service and of lists.
@Suite("Many machines", .serialized, .timeLimit(.minutes(10))) struct ClusterTests {
    private let folder = TemporaryFolder()
    private var plan: String { folder.path("plan") }
    private var out: String { folder.path("out") }

    private func options(_ change: (inout MirrorOptions) -> Void = { _ in }) -> MirrorOptions {
        var options = MirrorOptions()
        (options.pages, options.perPage, options.variant) = (2, 6, "thumb")
        options.thumbnails.sizes = [ThumbnailSize(width: 64, height: 64)]
        options.commandLine = ["mirror", "demo"]
        change(&options)
        return options
    }

    /// Options with which a shard can be stopped after its first photo: the next one waits for seconds.
    private func slowed(_ options: MirrorOptions) -> MirrorOptions {
        var options = options
        options.concurrency = 1
        options.network.rate = 0.1
        options.limits.drain = .milliseconds(100)
        return options
    }

    @discardableResult private func makePlan(
        _ shards: Int, _ options: MirrorOptions? = nil, source: String = "demo"
    ) async throws -> PlanReport {
        try await ShardPlanning(
            of: source, into: plan, options: options ?? self.options(), count: .shards(shards)
        ).run()
    }

    @discardableResult private func work(_ shard: Int, _ options: MirrorOptions? = nil) async throws -> ShardRun {
        let run = try ShardRun(shard, ofPlanIn: plan, into: out, options: options ?? self.options())
        _ = try await run.run()
        return run
    }

    @discardableResult private func merge(
        _ options: MirrorOptions? = nil, deep: Bool = false
    ) async throws -> (missing: [Int], summary: Summary?) {
        let merge = try PlanMerge(ofPlansIn: [plan], into: out, options: options ?? self.options(), isDeep: deep)
        let missing = try merge.prove()
        return (missing, missing.isEmpty ? try await merge.run() : nil)
    }

    /// The files of a mirror that do not depend on the run.
    private func files(_ name: String) throws -> [String: [UInt8]] {
        let mirror = try TemporaryFolderContent(folder.path(name))
        return mirror.files.filter { name, _ in
            !name.hasPrefix(".sluice") && !name.hasPrefix("report.")
                && !["certificate.json", "_SUCCESS"].contains(name)
        }
    }

    @Test("One, two and seven shards give the files of a plain mirror, byte for byte", arguments: [1, 2, 7])
    func identity(shards: Int) async throws {
        var options = options()
        options.appearance.title = "photos"
        let plain = try await PhotoMirror(of: "demo", into: folder.path("plain"), options: options).run()
        let report = try await makePlan(shards, options)
        #expect(report.plan.rows == plain.ended && report.plan.shards.count == shards)
        for shard in (0..<shards).reversed() {
            let outcome = try await work(shard, options).outcome
            guard case .committed(let counts) = outcome else {
                Issue.record("shard \(shard): \(outcome)")
                continue
            }
            #expect(counts.ended == report.plan.shards[shard].rows && counts.failed == 0)
        }
        let (missing, summary) = try await merge(options, deep: true)
        #expect(missing == [] && summary?.done == plain.done && summary?.stop == nil)
        #expect(try files("out") == files("plain"))
        let certificate = try JSON(parsing: folder.bytes(of: "out/certificate.json"))
        #expect(certificate["rows"]?.integer == plain.ended && certificate["plan"]?.text == report.plan.id)
        #expect(folder.names().contains("out/_SUCCESS") && !folder.names().contains("out/.sluice/shards"))
        // The merged mirror is an ordinary one.
        #expect(try await Verification(of: out).run { _ in }.isSound)
        #expect(try await PhotoMirror(of: "demo", into: out, options: options).run().kept == plain.ended)
    }

    @Test("The same plan again changes nothing, and another one is refused")
    func immutable() async throws {
        let first = try await makePlan(2)
        let bytes = try folder.bytes(of: "plan/plan.json")
        #expect(!first.isUnchanged)
        #expect(try await makePlan(2).isUnchanged)
        let error = await #expect(throws: MirrorError.self) { try await makePlan(3) }
        #expect(error?.code == .usage)
        #expect(try folder.bytes(of: "plan/plan.json") == bytes)
        #expect(try await work(0).outcome != .unfinished)
    }

    @Test("A shard that has ended leaves nothing in memory")
    func released() async throws {
        try await makePlan(1)
        weak var run: ShardRun?
        run = try await work(0)
        #expect(run == nil)
    }

    @Test("Missing shards are named and nothing is written; a second attempt at a committed shard changes nothing")
    func missing() async throws {
        try await makePlan(3)
        try await work(1)
        #expect(try await merge().missing == [0, 2])
        #expect(!folder.names().contains("out/manifest.jsonl"))
        let receipt = try folder.bytes(of: "plan/receipts/00001.json")
        #expect(try await work(1).outcome == .committedElsewhere)
        #expect(try folder.bytes(of: "plan/receipts/00001.json") == receipt)
    }

    @Test("Of two attempts that finish, one commits and the other removes its files")
    func race() async throws {
        try await makePlan(1)
        let first = try await work(0)
        // The second attempt started before the first one committed.
        let receipt = try folder.bytes(of: "plan/receipts/00000.json")
        try folder.remove("plan/receipts/00000.json")
        let attempts = try ShardAttempts(of: 0, of: Plan(reading: plan), below: out, S3Options())
        let winner = try #require(try attempts.all().first)
        try FileManager.default.moveItem(atPath: attempts.path(of: winner), toPath: attempts.path(of: "other"))
        let second = try ShardRun(0, ofPlanIn: plan, into: out, options: options())
        _ = try await second.run { [plan] event in
            if case .runFinished = event {
                try? Data(receipt).write(to: URL(filePath: plan).appending(path: "receipts/00000.json"))
            }
        }
        #expect(first.outcome != .unfinished && second.outcome == .committedElsewhere)
        #expect(try attempts.all() == ["other"])
        #expect(try folder.bytes(of: "plan/receipts/00000.json") == receipt)
    }

    /// It downloaded the rest of its photos, beside the shards that had been given its part of the hosts' limits.
    @Test("An attempt ends when another one has committed its shard")
    func superseded() async throws {
        let pixels = Array(repeating: UInt8(100), count: 20 * 20 * 4)
        let picture = try ImageEncoder(.png).encode(pixels, width: 20, height: 20)
        let head = "HTTP/1.1 200 OK\r\nContent-Length: \(picture.count)\r\n\r\n"
        let server = try RawServer(sequences: ["/a.png": [[.hang], [.text(head), .raw(picture)]]])
        let list = folder.path("list.txt")
        try Data(server.url("/a.png").utf8).write(to: URL(filePath: list))
        let options = options {
            ($0.network.allowsPrivate, $0.network.respectsRobotsTxt) = (true, false)
            $0.network.allowedPorts = [Int(server.port)]
            $0.commandLine = ["mirror", list]
            $0.variant = nil
        }
        try await makePlan(1, options, source: list)
        let first = try ShardRun(
            0, ofPlanIn: plan, into: out, options: options, dataset: nil,
            receiptInterval: .milliseconds(20))
        async let summary = first.run()
        try await wait(for: "the first request") { !server.requests.isEmpty }
        let second = try ShardRun(0, ofPlanIn: plan, into: out, options: options)
        #expect(try await second.run().done == 1)
        #expect(try await summary.stop == .requested && first.outcome == .committedElsewhere)
        #expect(try ShardAttempts(of: 0, of: Plan(reading: plan), below: out, S3Options()).all().count == 1)
        #expect(try await merge(options, deep: true).summary?.done == 1)
    }

    @Test("An interrupted attempt is not committed, and the next one resumes its folder")
    func resuming() async throws {
        try await makePlan(1)
        let first = try ShardRun(0, ofPlanIn: plan, into: out, options: options { $0.concurrency = 1 })
        _ = try await first.run { event in
            if case .itemEnded = event { first.stop(.signal(15)) }
        }
        #expect(first.outcome == .unfinished)
        #expect(!folder.names().contains("plan/receipts/00000.json"))
        let second = try ShardRun(0, ofPlanIn: plan, into: out, options: options())
        #expect(try await second.run().kept >= 1)
        #expect(second.outcome != .unfinished)
        let attempts = try ShardAttempts(of: 0, of: Plan(reading: plan), below: out, S3Options())
        #expect(try attempts.all().count == 1)
        #expect(try await merge().summary?.done == 12)
    }

    @Test("The leftovers of a wave are a plan of their own, and merging both gives the files of a plain mirror")
    func leftovers() async throws {
        let titled = options { $0.appearance.title = "photos" }
        let slow = slowed(titled)
        _ = try await PhotoMirror(of: "demo", into: folder.path("plain"), options: titled).run()
        try await makePlan(3, titled)
        try await work(0, titled)
        let stopped = try ShardRun(1, ofPlanIn: plan, into: out, options: slow)
        _ = try await stopped.run { event in
            if case .itemEnded = event { stopped.stop(.limit("the time limit was reached")) }
        }
        #expect(stopped.outcome == .unfinished)
        // Nothing has started shard 2.
        let next = folder.path("next")
        let report = try LeftoverPlanning(ofPlanIn: plan, below: out, into: next, options: titled).run()
        #expect(report.plan.shards.count == 2 && (5...7).contains(report.plan.rows))
        #expect(try LeftoverPlanning(ofPlanIn: plan, below: out, into: next, options: titled).run().isUnchanged)
        // The shards of the first wave are closed.
        #expect(try await work(1, titled).outcome == .committedElsewhere)
        let early = try PlanMerge(ofPlansIn: [plan], into: out, options: titled)
        #expect(try early.prove() == [] && early.left == report.plan.rows)
        #expect(try await early.run().done == 12 - report.plan.rows)
        #expect(try !folder.names().contains("out/_SUCCESS") && !early.isMerged)
        let waves = [plan, next]
        #expect(try PlanMerge(ofPlansIn: waves, into: out, options: titled).prove() == [0, 1])
        #expect(throws: MirrorError.self) { try PlanMerge(ofPlansIn: [next], into: out, options: titled) }
        for shard in 0..<2 {
            _ = try await ShardRun(shard, ofPlanIn: next, into: out, options: titled).run()
        }
        let merge = try PlanMerge(ofPlansIn: waves, into: out, options: titled, isDeep: true)
        #expect(try merge.prove() == [] && merge.left == 0)
        _ = try await merge.run()
        #expect(try merge.isMerged && !folder.names().contains("out/.sluice/shards"))
        #expect(try files("out") == files("plain"))
    }

    @Test("A shard that a process works on is not closed")
    func closingInUse() async throws {
        try await makePlan(1)
        let attempts = try ShardAttempts(of: 0, of: Plan(reading: plan), below: out, S3Options(), create: true)
        let lock = try MirrorFolder.lock(
            try #require(try attempts.localFolder(of: ShardAttempts.newName(), create: true)))
        let planning = try LeftoverPlanning(
            ofPlanIn: plan, below: out, into: folder.path("next"), options: options())
        #expect(throws: MirrorError.self) { try planning.run() }
        lock.release()
        #expect(try planning.run().plan.rows == 12)
        #expect(throws: MirrorError.self) {
            try LeftoverPlanning(ofPlanIn: folder.path("next"), below: out, into: plan, options: options()).run()
        }
    }

    @Test("An attempt on a machine's own disk is copied to the mirror when it is finished, or when its time is over")
    func stateFolder() async throws {
        try await makePlan(1)
        let options = options { options in
            options.buckets.stateFolder = folder.path("state")
            options.concurrency = 1
        }
        let first = try ShardRun(0, ofPlanIn: plan, into: out, options: slowed(options))
        _ = try await first.run { event in
            if case .itemEnded = event { first.stop(.limit("the time limit was reached")) }
        }
        let (planned, state) = (try Plan(reading: plan), folder.path("state"))
        let local = try ShardAttempts(of: 0, of: planned, below: state, S3Options())
        let shared = try ShardAttempts(of: 0, of: planned, below: out, S3Options())
        #expect(try local.all() == shared.all() && first.outcome == .unfinished)
        #expect(try await work(0, options).outcome != .unfinished)
        #expect(try local.all() == [] && shared.all().count == 1)
        #expect(try await merge(deep: true).summary?.done == 12)
    }

    @Test("A run waits for an attempt in use, and then starts another one")
    func lockWait() async throws {
        try await makePlan(1)
        let attempts = try ShardAttempts(of: 0, of: Plan(reading: plan), below: out, S3Options(), create: true)
        let lock = try MirrorFolder.lock(
            try #require(try attempts.localFolder(of: ShardAttempts.newName(), create: true)))
        let run = try ShardRun(0, ofPlanIn: plan, into: out, options: options(), lockWait: .seconds(1))
        let start = ContinuousClock.now
        _ = try await run.run()
        #expect(ContinuousClock.now - start >= .seconds(1) && run.outcome != .unfinished)
        #expect(try attempts.all().count == 2)
        lock.release()
    }

    @Test("A merge that was interrupted is finished by the next one")
    func interruptedMerge() async throws {
        try await makePlan(2)
        for shard in 0..<2 { try await work(shard) }
        let first = try PlanMerge(ofPlansIn: [plan], into: out, options: options())
        #expect(try first.prove() == [])
        let summary = try await first.run { event in
            if case .itemEnded = event { first.stop(.signal(15)) }
        }
        // The merge may have ended before it was stopped.
        #expect(try first.isMerged == (summary.stop == nil))
        if try !first.isMerged { #expect(try await merge().summary?.ended == 12) }
        #expect(try PlanMerge(ofPlansIn: [plan], into: out, options: options()).isMerged)
    }

    @Test("A merge that was killed while it removed the attempts is finished by the next one")
    func killedMerge() async throws {
        try await makePlan(1)
        try await work(0)
        #expect(try await merge().summary?.done == 12)
        let attempts = folder.path("out/\(ShardAttempts.name(of: 0, of: try Plan(reading: plan)))")
        try FileManager.default.createDirectory(atPath: "\(attempts)/left", withIntermediateDirectories: true)
        try PlanMerge(ofPlansIn: [plan], into: out, options: options()).finishEarlierMerge()
        #expect(!folder.names().contains { $0.hasPrefix("out/.sluice/shards") })
    }

    @Test("A second merge at the same time is refused, and finds the first one's result")
    func concurrentMerges() async throws {
        try await makePlan(1)
        try await work(0)
        let (first, second) = (
            try PlanMerge(ofPlansIn: [plan], into: out, options: options()),
            try PlanMerge(ofPlansIn: [plan], into: out, options: options())
        )
        #expect(try first.prove() == [] && second.prove() == [])
        #expect(try await first.run().done == 12)
        let error = await #expect(throws: MirrorError.self) { try await second.run() }
        #expect(error?.code == .locked && error?.message.contains("another merge has finished it") == true)
        #expect(throws: MirrorError.self) { try second.prove() }
        #expect(try second.isMerged)
    }

    @Test("A merge removes the attempts of its own plan only")
    func otherPlans() async throws {
        try await makePlan(1)
        try await work(0)
        let other = folder.path("out/.sluice/shards/other/00000")
        try FileManager.default.createDirectory(atPath: other, withIntermediateDirectories: true)
        #expect(try await merge().missing == [])
        #expect(try FileManager.default.contentsOfDirectory(atPath: folder.path("out/.sluice/shards")) == ["other"])
    }

    @Test("A merge without all shards defers their photos, and a later one adds them")
    func partial() async throws {
        try await makePlan(2)
        try await work(0)
        let partial = try PlanMerge(ofPlansIn: [plan], into: out, options: options())
        #expect(try partial.prove() == [1])
        #expect(try await partial.run().done == 6)
        #expect(try folder.lines(of: "out/manifest.jsonl").count { $0.contains(#""cause":"deferred""#) } == 6)
        let certificate = try JSON(parsing: folder.bytes(of: "out/certificate.json"))
        #expect(certificate["missing"]?.elements?.compactMap(\.integer) == [1])
        #expect(!folder.names().contains("out/_SUCCESS"))
        try await work(1)
        let (missing, summary) = try await merge()
        #expect(missing == [] && summary?.done == 6 && summary?.kept == 6)
        #expect(folder.names().contains("out/_SUCCESS"))
    }

    @Test(
        "Changed plans, rows, results and files are refused", arguments: ["plan", "rows", "ledger", "file", "receipt"])
    func damage(part: String) async throws {
        try await makePlan(1)
        let run = try await work(0)
        #expect(run.outcome != .unfinished)
        let attempts = try ShardAttempts(of: 0, of: Plan(reading: plan), below: out, S3Options())
        let attempt = attempts.path(of: try #require(try attempts.all().first))
        switch part {
        case "plan": try change("\(plan)/plan.json") { $0 + "\n" }
        case "rows": try Data("{}\n".utf8).write(to: URL(filePath: "\(plan)/shards/00000.jsonl.zst"))
        case "ledger":
            let file = try FileHandle(forUpdating: URL(filePath: "\(attempt)/.sluice/ledger.sqlite"))
            try file.seekToEnd()
            try file.write(contentsOf: Data([0]))
        case "file":
            let names = try FileManager.default.contentsOfDirectory(atPath: "\(attempt)/originals")
            try FileManager.default.removeItem(atPath: "\(attempt)/originals/\(try #require(names.first))")
        default: try change("\(plan)/receipts/00000.json") { $0.replacing("\"plan\":\"", with: "\"plan\":\"0") }
        }
        let error = await #expect(throws: MirrorError.self) { try await merge() }
        #expect(error?.code == (part == "plan" || part == "rows" ? .usage : .damaged))
        #expect(!folder.names().contains("out/manifest.jsonl"))
    }

    /// `merge` accepted any free name, for example `sw.js` or `originals/evil.html`.
    @Test(
        "Results whose files have names other than the plan's are refused, even if all digests match",
        arguments: ["sw.js", "sluice.json", "originals/evil.html", "../evil.jpg", "thumbs/64/evil.jpg"])
    func otherNames(path: String) async throws {
        try await makePlan(1)
        try await work(0)
        try forgeResults { receipt in receipt.original?.path = path }
        let error = await #expect(throws: MirrorError.self) { try await merge() }
        #expect(error?.code == .damaged && error?.message.contains("files of another name") == true)
        #expect(!folder.names().contains("out/manifest.jsonl"))
    }

    /// A forged digest replaced one photo by another, because photos with the same digest are stored once.
    @Test("Photos share their storage in a merge only if their files have the recorded digest")
    func forgedDigests() async throws {
        try await makePlan(1)
        try await work(0)
        var first: StoredFile?
        try forgeResults { receipt in
            // The digest of the first photo, with the sizes of the others.
            if let first { receipt.original?.sha256 = first.sha256 } else { first = receipt.original }
        }
        let before = try originals()
        _ = try await merge()
        #expect(before.count > 2 && Set(before.values).count == before.count)
        for (name, bytes) in before {
            #expect(try Data(contentsOf: URL(filePath: "\(out)/originals/\(name)")) == bytes, "\(name)")
        }
    }

    /// The receipt of the first shard.
    private func receipt() throws -> ShardReceipt {
        try #require(try ShardReceipt(of: 0, of: Plan(reading: plan), in: LocalStore(Folder(plan))))
    }

    /// A flipped bit in the list of files dropped a file, and 31 of 100 flips were accepted.
    @Test("A receipt with any flipped bit is refused, and merging names it")
    func flippedReceipts() async throws {
        try await makePlan(1)
        try await work(0)
        let file = URL(filePath: "\(plan)/receipts/00000.json")
        let bytes = try [UInt8](Data(contentsOf: file))
        let (plan, store) = (try Plan(reading: self.plan), LocalStore(try Folder(self.plan)))
        for (index, byte) in bytes.enumerated() {
            var flipped = bytes
            flipped[index] = byte ^ 1 << UInt8(index % 8)
            try Data(flipped).write(to: file)
            #expect(throws: MirrorError.self, "byte \(index)") { try ShardReceipt(of: 0, of: plan, in: store) }
        }
        let error = await #expect(throws: MirrorError.self) { try await merge() }
        #expect(error?.code == .damaged && error?.message.contains("receipts/00000.json") == true, "\(error as Any)")
        try Data(bytes).write(to: file)
        #expect(try await merge().missing == [])
    }

    @Test("A receipt of an earlier version, which has no digest, is read")
    func olderReceipt() async throws {
        try await makePlan(1)
        try await work(0)
        try change("\(plan)/receipts/00000.json") { $0.replacing(/,"sha256":"[0-9a-f]{64}"}\n/) { _ in "}\n" } }
        #expect(try await merge(deep: true).missing == [])
    }

    /// Two receipts with the largest number of bytes ended the merge with a trap.
    @Test("Counts whose sum is too large are bounded")
    func largeCounts() {
        var counts = ShardCounts()
        counts.bytes = .max
        counts.add(counts)
        #expect(counts.bytes > 1 << 53)
    }

    @Test("An attempt is removed only if the receipt of its shard names another one")
    func removal() async throws {
        try await makePlan(2)
        try await work(0)
        let attempts = try ShardAttempts(of: 0, of: Plan(reading: plan), below: out, S3Options())
        let committed = try #require(try attempts.all().first)
        var other = try receipt()
        try attempts.remove(committed, losingTo: other)
        try attempts.removeCopy(of: committed)
        #expect(try attempts.all() == [committed])
        other.attempt = "other"
        other.shard = 1
        try attempts.remove(committed, losingTo: other)
        #expect(try attempts.all() == [committed])
        other.shard = 0
        try attempts.remove(committed, losingTo: other)
        #expect(try attempts.all() == [])
    }

    private func attempt() throws -> String {
        let attempts = try ShardAttempts(of: 0, of: Plan(reading: plan), below: out, S3Options())
        return attempts.path(of: try #require(try attempts.all().first))
    }

    private func originals() throws -> [String: Data] {
        let place = "\(try attempt())/originals"
        return try Dictionary(
            uniqueKeysWithValues: FileManager.default.contentsOfDirectory(atPath: place).map {
                ($0, try Data(contentsOf: URL(filePath: "\(place)/\($0)")))
            })
    }

    /// Changes the results of the committed attempt, and the digest in its receipt.
    private func forgeResults(_ body: (inout Receipt) -> Void) throws {
        let ledger = try Ledger(in: Folder(try attempt()), creates: false)
        let results = try ledger.entries(after: 0, limit: 100).compactMap { entry in
            entry.receipt.map { receipt in
                var receipt = receipt
                body(&receipt)
                return (item: entry.item, receipt: receipt)
            }
        }
        try ledger.record(results, inDoubt: [], flushed: false)
        ledger.close()
        let bytes = try Data(contentsOf: URL(filePath: "\(try attempt())/.sluice/ledger.sqlite"))
        var receipt = try receipt()
        receipt.ledger = StoredFile(path: Ledger.name, bytes: bytes.count, sha256: sha256(Array(bytes)))
        try Data(receipt.json).write(to: URL(filePath: "\(plan)/receipts/00000.json"))
    }

    private func change(_ path: String, _ body: (String) -> String) throws {
        let text = try String(contentsOfFile: path, encoding: .utf8)
        try Data(body(text).utf8).write(to: URL(filePath: path))
    }

    @Test("Workers need no list; invalid lines and names from templates are as in a plain mirror")
    func lists() async throws {
        var options = MirrorOptions()
        options.thumbnails.sizes = []
        options.name = "{id}"
        options.retries = 0
        let lines = [
            #"{"id":"a","url":"http://127.0.0.1:1/a"}"#, #"{"id":"A","url":"http://127.0.0.1:1/b"}"#, #"{"id":"c"}"#,
            #"{"id":"d","url":"http://127.0.0.2:1/d"}"#,
        ]
        let list = folder.path("list.jsonl")
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: list))
        _ = try await PhotoMirror(of: list, into: folder.path("plain"), options: options).run()
        options.commandLine = ["mirror", list]
        try await makePlan(2, options, source: list)
        try FileManager.default.removeItem(atPath: list)
        for shard in 0..<2 { #expect(try await work(shard, options).outcome != .unfinished) }
        #expect(try await merge(options).missing == [])
        for name in ["manifest.jsonl", "manifest.csv"] {
            #expect(try folder.bytes(of: "out/\(name)") == folder.bytes(of: "plain/\(name)"))
        }
    }

    @Test("A plan stores no passwords, and a shard's number and options must be those of the plan")
    func refusals() async throws {
        let list = folder.path("list.txt")
        try Data("http://user:secret@127.0.0.1/a\n".utf8).write(to: URL(filePath: list))
        let error = await #expect(throws: MirrorError.self) { try await makePlan(1, source: list) }
        #expect(error?.code == .usage && error?.message.contains("password") == true)
        try await makePlan(2)
        #expect(throws: MirrorError.self) { try ShardRun(2, ofPlanIn: plan, into: out, options: options()) }
        let other = await #expect(throws: MirrorError.self) { try await work(0, options { $0.keepsOriginals = false }) }
        #expect(other?.code == .usage)
    }
}

/// The files below a folder.
struct TemporaryFolderContent {
    var files: [String: [UInt8]] = [:]

    init(_ path: String) throws {
        for case let name as String in FileManager.default.enumerator(atPath: path) ?? .init() {
            var isFolder: ObjCBool = false
            guard unsafe FileManager.default.fileExists(atPath: "\(path)/\(name)", isDirectory: &isFolder) else {
                continue
            }
            if !isFolder.boolValue { files[name] = try [UInt8](Data(contentsOf: URL(filePath: "\(path)/\(name)"))) }
        }
    }
}

extension TemporaryFolder {
    fileprivate func lines(of name: String) throws -> [String] {
        String(decoding: try bytes(of: name), as: UTF8.self).split(separator: "\n").map(String.init)
    }
}
