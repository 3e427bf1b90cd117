// SPDX-License-Identifier: MIT

import Foundation
import SluiceImaging
import SluiceLedger
import SluiceModel
import SluiceStore
import TestSupport
import Testing

@testable import SluiceCluster
@testable import SluiceEngine

/// Plans of lists that are long enough for several batches, whose rows tasks make concurrently.
@Suite("Plans of long lists", .timeLimit(.minutes(10))) struct PlanningTests {
    private static let count = 18_000
    private let folder = TemporaryFolder()
    private var plan: String { folder.path("plan") }
    private var list: String { folder.path("list.txt") }

    /// Writes a list of photos on 11 hosts; several have the same name.
    private func writeList(_ change: (inout [String]) -> Void = { _ in }) throws {
        var lines = (0..<Self.count).map { "http://h\($0 * 7 % 11).test/\($0)/photo-\($0 % 9000).jpg" }
        change(&lines)
        try Data(lines.joined(separator: "\n").utf8).write(to: URL(filePath: list))
    }

    private func planning(shards: Int = 3, name: String? = nil) -> ShardPlanning {
        var options = MirrorOptions()
        options.thumbnails.sizes = [ThumbnailSize(width: 64, height: 64)]
        options.name = name
        options.commandLine = ["mirror", "list.txt"]
        return ShardPlanning(of: list, into: plan, options: options, count: .shards(shards))
    }

    /// The planned photos of all shards in the order of their positions.
    private func planned() throws -> [PlannedItem] {
        let store = try Plan.store(plan, S3Options())
        let plan = try Plan(in: store)
        var all: [PlannedItem] = []
        for shard in plan.shards.indices {
            try RowFileReader.check(shard, of: plan, in: store)
            var reader = try RowFileReader(shard, of: plan, in: store)
            var last = 0
            while case let rows = try reader.next(1000), !rows.isEmpty {
                for row in rows {
                    #expect(row.item.seq > last)
                    last = row.item.seq
                }
                all += rows
            }
        }
        return all.sorted { $0.item.seq < $1.item.seq }
    }

    @Test("Positions and names are those that one thread would give", arguments: [nil, "{name}", "{slug:4}"])
    func order(template: String?) async throws {
        try writeList()
        let report = try await planning(name: template).run()
        #expect(report.plan.rows == Self.count && report.plan.shards.map(\.rows).reduce(0, +) == Self.count)
        var names = FileNames(try template.map { try NameTemplate($0) } ?? .standard)
        let planned = try planned()
        #expect(planned.count == Self.count)
        for (index, row) in planned.enumerated() {
            let url = "http://h\(index * 7 % 11).test/\(index)/photo-\(index % 9000).jpg"
            let item = Item(
                seq: index + 1, feed: "list", page: index / 1000 + 1,
                photo: Photo(id: url, variants: [Variant(name: "original", url: url)]))
            guard row == PlannedItem(item, name: names.name(for: item)) else {
                Issue.record("row \(index + 1) is \(row)")
                break
            }
        }
    }

    @Test("The same list gives the same plan, byte for byte")
    func repetition() async throws {
        try writeList()
        _ = try await planning().run()
        let first = try TemporaryFolderContent(plan).files.filter { !$0.key.hasPrefix(".") }
        try FileManager.default.removeItem(atPath: plan)
        _ = try await planning().run()
        #expect(try TemporaryFolderContent(plan).files.filter { !$0.key.hasPrefix(".") } == first && first.count == 4)
    }

    @Test("An error in the middle of a list ends with its message, and nothing is planned")
    func errors() async throws {
        try writeList { $0[12_000] = "http://user:secret@h1.test/a.jpg" }
        let secret = await #expect(throws: MirrorError.self) { try await planning().run() }
        #expect(secret?.code == .usage)
        let address = "the address of photo 'http://h1.test/a.jpg' contains a password; use .netrc instead"
        #expect(secret?.message.contains(address) == true, "\(secret?.message ?? "")")
        for hasSecret in [false, true] {
            try writeList { lines in
                if hasSecret { lines[Self.count - 2] = "http://user:secret@h1.test/a.jpg" }
                lines = lines.map { "{\"url\": \"\($0)\"}," }
                lines[0] = "[" + lines[0]
            }
            let open = await #expect(throws: MirrorError.self) { try await planning().run() }
            // The first error counts.
            #expect(open?.message.contains(hasSecret ? address : "the array is not closed") == true)
        }
        #expect(!folder.names().contains { $0.hasPrefix("plan/plan.json") || $0.hasPrefix("plan/shards/") })
        try writeList()
        #expect(try await planning().run().plan.rows == Self.count)
    }

    @Test("A stopped planning ends between two pages, and the next one plans everything")
    func stopping() async throws {
        try writeList()
        let stopped = planning()
        let error = await #expect(throws: MirrorError.self) {
            try await stopped.run { count in if count >= 10_000 { stopped.stop() } }
        }
        #expect(error?.message.contains("cancelled") == true, "\(error?.message ?? "")")
        #expect(!folder.names().contains("plan/plan.json"))
        #expect(try await planning().run().plan.rows == Self.count)
    }
}
