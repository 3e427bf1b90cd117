// SPDX-License-Identifier: MIT

import Foundation
import TestSupport
import Testing

/// Shards of plans from strangers, whose digests match whatever their rows contain.
@Suite("Shards from strangers", .timeLimit(.minutes(10))) struct ForgedShardTests {
    private let folder: TemporaryFolder
    private let rows: [String]

    init() throws {
        folder = try TemporaryFolder()
        let words = ["--pages=1", "--per-page=3", "--variant=thumb", "--sizes=64", "--shards=1", "-o", "plan"]
        let result = try Binary.run(["plan", "demo"] + words, folder: folder.url)
        try #require(result.code == 0, "\(result.err)")
        let variants = #"[{"name":"thumb","url":"http://photos.sluice.test/images/a/thumb.jpg"}]"#
        rows = (1...3).map { #"{"seq":\#($0),"page":1,"name":"0000\#($0)-a","id":"\#($0)","variants":\#(variants)}"# }
    }

    private func run(_ line: String) throws -> Binary.Result { try Binary.shell("sluice \(line)", folder: folder.url) }

    /// Replaces the rows of the shard, and the digest and the number of rows in the plan.
    private func forge(_ rows: [String], count: Int? = nil) throws {
        let text = rows.map { "\($0)\n" }.joined()
        try Data(text.utf8).write(to: folder.url.appending(path: "plan/shards/00000.jsonl.zst"))
        let file = folder.url.appending(path: "plan/plan.json")
        var plan = try String(contentsOf: file, encoding: .utf8)
        let old = try #require(plan.firstMatch(of: /"rows":[0-9]+,"hosts":[0-9]+,"sha256":"([0-9a-f]{64})"/))
        plan.replace(String(old.output.1), with: sha256(Array(text.utf8)))
        plan.replace(#""rows":3"#, with: #""rows":\#(count ?? rows.count)"#)
        try Data(plan.utf8).write(to: file)
    }

    /// Names that lead out of their folder, or to other files of the mirror.
    ///
    /// `work` ended with 75, so schedulers repeated such shards for ever.
    @Test(
        "Malformed rows and unsafe names end work and merge with 2, and nothing is written",
        arguments: [
            "../../evil", "/etc/evil", "a/../../evil", ".sluice/ledger", "a\\u0000b", "..", ".", "a//b", "a/", "con",
            "-rf", " a", "a\\u001b[2J", "a\\u202eb", "x.jpg/y", "a/b/c/d/e/f/g/h/i",
        ])
    func names(name: String) throws {
        try forge([rows[0], rows[1].replacing("00002-a", with: name), rows[2]])
        for line in ["work plan --shard 0 -o out", "merge plan -o out"] {
            let result = try run(line)
            #expect(result.code == 2 && result.err.contains("a row is malformed"), "\(result.code) \(result.err)")
        }
        #expect(folder.names().filter { !$0.hasPrefix("plan") } == [])
    }

    @Test("Lines that are no rows end work and merge with 2", arguments: ["{}", "", "[1]", "{", "null"])
    func malformed(line: String) throws {
        try forge([rows[0], line, rows[2]])
        for command in ["work plan --shard 0 -o out", "merge plan -o out"] {
            let result = try run(command)
            #expect(result.code == 2 && result.err.contains("a row is malformed"), "\(result.code) \(result.err)")
        }
    }

    /// `merge` ended with a trap, because it took a bit for each claimed row.
    @Test("A plan that claims more rows than its shards have is refused before memory is taken for them")
    func claimedRows() throws {
        try forge(rows, count: 1 << 38)
        for line in ["work plan --shard 0 -o out", "merge plan -o out"] {
            let result = try Binary.shell("ulimit -v 4000000; sluice \(line)", folder: folder.url)
            #expect(
                result.code == 2 && result.err.contains("it was changed after it was planned"),
                "\(result.code) \(result.err)")
        }
    }

    /// A row of 2 GB took 2.1 GB.
    @Test("A very long row is refused before it is read whole")
    func longRow() throws {
        try forge([rows[0], #"{"seq":2,"id":""# + String(repeating: "a", count: 32 << 20)])
        for line in ["work plan --shard 0 -o out", "merge plan -o out"] {
            let result = try run(line)
            #expect(
                result.code == 2 && result.err.contains("a line of more than 16 MB"), "\(result.code) \(result.err)")
        }
    }
}
