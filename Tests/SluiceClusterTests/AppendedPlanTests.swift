// SPDX-License-Identifier: MIT

import Foundation
import Sluice
import SluiceImaging
import SluiceLedger
import SluiceModel
import TestSupport
import Testing

@testable import SluiceCluster
@testable import SluiceEngine

/// Plans of the photos that were added to a source, and their merges.
@Suite("Appended plans", .serialized, .timeLimit(.minutes(10))) struct AppendedPlanTests {
    private let folder = TemporaryFolder()
    private let options: MirrorOptions
    private let server: RawServer
    private var out: String { folder.path("out") }
    private var list: String { folder.path("list.jsonl") }

    init() throws {
        var scripts: [String: [RawServer.Step]] = [:]
        for id in 1...9 {
            let pixels = Array(repeating: UInt8(id * 25), count: 20 * 20 * 4)
            let picture = try ImageEncoder(.png).encode(pixels, width: 20, height: 20)
            let head = "HTTP/1.1 200 OK\r\nContent-Length: \(picture.count)\r\nConnection: close\r\n\r\n"
            scripts["/\(id).png"] = [.text(head), .raw(picture)]
        }
        server = try RawServer(scripts)
        var options = MirrorOptions()
        options.network.allowsPrivate = true
        options.network.allowedPorts = [Int(server.port)]
        options.thumbnails.sizes = [ThumbnailSize(width: 16, height: 16)]
        options.commandLine = ["mirror", "list.jsonl"]
        options.appearance.title = "photos"
        self.options = options
    }

    private func named(_ template: String) -> MirrorOptions {
        var options = options
        options.name = template
        return options
    }

    /// Writes a list of photos that all have the same caption.
    private func write(_ ids: some Sequence<Int>, _ change: (inout [String]) -> Void = { _ in }) throws {
        var lines = ids.map { id in
            #"{"id":"p\#(id)","url":"http://127.0.0.1:\#(server.port)/\#(id).png","caption":"a lake"}"#
        }
        change(&lines)
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: list))
    }

    private func plan(
        _ name: String, after earlier: [String] = [], shards: Int = 2, _ options: MirrorOptions? = nil
    ) async throws -> PlanReport {
        try await ShardPlanning(
            of: list, into: folder.path(name), options: options ?? self.options, count: .shards(shards),
            appendingTo: earlier.map(folder.path)
        ).run()
    }

    private func work(_ name: String, _ options: MirrorOptions? = nil) async throws {
        for shard in try Plan(reading: folder.path(name)).shards.indices {
            let run = try ShardRun(
                shard, ofPlanIn: folder.path(name), into: out, options: options ?? self.options)
            _ = try await run.run()
        }
    }

    @discardableResult private func merge(_ names: String..., options: MirrorOptions? = nil) async throws -> Summary {
        let merge = try PlanMerge(
            ofPlansIn: names.map(folder.path), into: out, options: options ?? self.options, isDeep: true)
        #expect(try merge.prove() == [] && merge.left == 0)
        return try await merge.run()
    }

    /// Compares the merged mirror with one of the whole list.
    private func expectWhole(_ options: MirrorOptions? = nil) async throws {
        let plain = folder.path("plain")
        _ = try await PhotoMirror(of: list, into: plain, options: options ?? self.options).run()
        func files(_ name: String) throws -> [String: [UInt8]] {
            try TemporaryFolderContent(folder.path(name)).files.filter { name, _ in
                !name.hasPrefix(".sluice") && !name.hasPrefix("report.") && !MirrorFolder.proofFiles.contains(name)
            }
        }
        let (merged, whole) = (try files("out"), try files("plain"))
        #expect(Set(merged.keys) == Set(whole.keys))
        #expect(
            merged["manifest.jsonl"].map { String(decoding: $0, as: UTF8.self) }
                == whole["manifest.jsonl"].map { String(decoding: $0, as: UTF8.self) })
        #expect(merged == whole)
        #expect(try await Verification(of: out).run { _ in }.isSound)
    }

    private func certificate() throws -> JSON { try JSON(parsing: folder.bytes(of: "out/certificate.json")) }

    @Test(
        "Photos that were appended to a list are planned alone, and merging them gives the mirror of the whole list",
        arguments: [nil, "{slug}"])
    func deltas(template: String?) async throws {
        let options = template.map(named) ?? options
        try write(1...5)
        _ = try await plan("plan", options)
        try await work("plan", options)
        try await merge("plan", options: options)
        try write(1...8)
        let delta = try await plan("plan2", after: ["plan"], options)
        #expect(delta.plan.rows == 3 && delta.notes == [])
        #expect(try await plan("plan2", after: ["plan"], options).isUnchanged)
        try await work("plan2", options)
        // The mirror has the first plan, so that only the new one must be named.
        #expect(try await merge("plan2", options: options).done == 3)
        try await expectWhole(options)
        #expect(try certificate()["rows"]?.integer == 8)
        #expect(try certificate()["appended"]?.elements?.first?["plan"]?.text == delta.plan.id)
        #expect(!folder.names().contains("out/.sluice/shards"))
        // A third plan names both of the others.
        try write(1...9)
        let alone = await #expect(throws: MirrorError.self) { try await plan("plan3", after: ["plan2"], options) }
        #expect(alone?.message.contains("it was appended to another plan; name that plan first") == true)
        #expect(try await plan("plan3", after: ["plan", "plan2"], shards: 1, options).plan.rows == 1)
        try await work("plan3", options)
        try await merge("plan", "plan2", "plan3", options: options)
        try folder.remove("plain")
        try await expectWhole(options)
        for names in [["plan"], ["plan", "plan2"], ["plan3"]] {
            #expect(try PlanMerge(ofPlansIn: names.map(folder.path), into: out, options: options).isMerged)
        }
    }

    @Test("Merging joins a plan, the plans appended to it, and their leftovers")
    func together() async throws {
        try write(1...4)
        _ = try await plan("plan")
        // One shard has a result; the other is closed, and its photos are planned again.
        _ = try await ShardRun(0, ofPlanIn: folder.path("plan"), into: out, options: options).run()
        let left = try LeftoverPlanning(
            ofPlanIn: folder.path("plan"), below: out, into: folder.path("left"), options: options
        ).run()
        #expect(left.plan.rows == 2)
        try write(1...6)
        #expect(try await plan("plan2", after: ["plan"]).plan.rows == 2)
        try await work("plan2")
        let early = try PlanMerge(ofPlansIn: ["plan", "plan2"].map(folder.path), into: out, options: options)
        let error = #expect(throws: MirrorError.self) { try early.prove() }
        #expect(error?.message.contains("the plan before it has unfinished shards") == true)
        try await work("left")
        try await merge("plan", "left", "plan2")
        try await expectWhole()
        #expect(try certificate()["leftover_plans"]?.elements?.compactMap(\.text) == [left.plan.id])
    }

    @Test("An unfinished addition leaves the earlier merge certified, and _SUCCESS comes back with the last shard")
    func unfinished() async throws {
        try write(1...2)
        _ = try await plan("plan")
        try await work("plan")
        try await merge("plan")
        try write(1...4)
        _ = try await plan("plan2", after: ["plan"])
        _ = try await ShardRun(0, ofPlanIn: folder.path("plan2"), into: out, options: options).run()
        let partial = try PlanMerge(ofPlansIn: [folder.path("plan2")], into: out, options: options)
        #expect(try partial.prove() == [1] && !partial.isMerged)
        #expect(try await partial.run().done == 1)
        #expect(!folder.names().contains("out/_SUCCESS"))
        #expect(try PlanMerge(ofPlansIn: [folder.path("plan")], into: out, options: options).isMerged)
        try await work("plan2")
        try await merge("plan2")
        #expect(folder.names().contains("out/_SUCCESS"))
        try await expectWhole()
    }

    @Test("Photos keep their positions wherever new ones are in the list; changed and removed ones are not planned")
    func positions() async throws {
        try write([1, 2, 3])
        _ = try await plan("plan")
        try await work("plan")
        try await merge("plan")
        try write([4, 1, 5, 3]) { $0[1] = $0[1].replacing("1.png", with: "2.png") }
        let delta = try await plan("plan2", after: ["plan"])
        #expect(delta.plan.rows == 2)
        #expect(delta.notes.contains { $0.hasPrefix("the source has another address or hash for p1 than") })
        try await work("plan2")
        try await merge("plan2")
        let manifest = try folder.text("out/manifest.jsonl")
        #expect(manifest.matches(of: /"id":"(p\d)"/).map(\.output.1) == ["p1", "p2", "p3", "p4", "p5"])
        // Addresses are compared as well as expected hashes.
        try write([1, 2]) { $0[1] = $0[1].replacing("}", with: #","sha256":"\#(String(repeating: "0", count: 64))"}"#) }
        let same = await #expect(throws: MirrorError.self) { try await plan("plan3", after: ["plan", "plan2"]) }
        #expect(same?.code == .usage && same?.message.hasSuffix("lists no new photos") == true)
    }

    @Test("Plans are appended only to those of the same feed and options, and merged only in their order")
    func refusals() async throws {
        try write(1...2)
        _ = try await plan("plan")
        try write(1...3)
        _ = try await plan("plan2", after: ["plan"])
        var larger = options
        larger.thumbnails.sizes = [ThumbnailSize(width: 32, height: 32)]
        let other = await #expect(throws: MirrorError.self) { try await plan("plan3", after: ["plan"], larger) }
        #expect(other?.code == .usage && other?.message.contains("options that make other files") == true)
        try write(1...4)
        _ = try await plan("plan4", after: ["plan"])
        for names in [["plan", "plan4", "plan2"], ["plan2", "plan"]] {
            let error = #expect(throws: MirrorError.self) {
                try PlanMerge(ofPlansIn: names.map(folder.path), into: out, options: options)
            }
            #expect(error?.message.contains("it was not appended to") == true)
        }
        try await work("plan2")
        let early = try PlanMerge(ofPlansIn: [folder.path("plan2")], into: out, options: options)
        let error = #expect(throws: MirrorError.self) { try early.prove() }
        #expect(error?.code == .usage && error?.message.contains("name that plan first") == true)
    }

    @Test("An addition is not merged into a mirror that has lost photos or files of the earlier merge")
    func damage() async throws {
        try write(1...3)
        _ = try await plan("plan")
        try await work("plan")
        try await merge("plan")
        try write(1...4)
        _ = try await plan("plan2", after: ["plan"], shards: 1)
        try await work("plan2")
        let file = try #require(folder.names().first { $0.hasPrefix("out/originals/00002") })
        try folder.remove(file)
        let merge = try PlanMerge(ofPlansIn: [folder.path("plan2")], into: out, options: options)
        let error = #expect(throws: MirrorError.self) { try merge.prove() }
        #expect(error?.code == .damaged && error?.message.contains("of an earlier merge is missing or damaged") == true)
    }
}
