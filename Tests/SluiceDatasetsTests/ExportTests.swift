// SPDX-License-Identifier: MIT

import Foundation
import Sluice
import SluiceFiles
import SluiceImaging
import SluiceLedger
import SluiceModel
import TestSupport
import Testing

@testable import SluiceDatasets
@testable import SluiceEngine

/// When a run writes the manifest and the gallery, and when it leaves them unchanged.
@Suite("Exports", .serialized, .timeLimit(.minutes(10))) struct ExportTests {
    private let folder = TemporaryFolder()
    private var out: String { folder.path("mirror") }

    private func run(_ change: (inout MirrorOptions) -> Void = { _ in }) async throws {
        var options = MirrorOptions()
        (options.pages, options.perPage, options.variant) = (1, 3, "thumb")
        options.thumbnails.sizes = []
        change(&options)
        _ = try await PhotoMirror(of: "demo", into: out, options: options).run()
    }

    private static let files = ["manifest.jsonl", "manifest.csv", "index.html", "gallery/data/1.js"]

    /// Identifiers that change when a file is rewritten, even with the same bytes.
    private func stamps() throws -> [String?] {
        let mirror = try Folder(out)
        return Self.files.map { mirror.stamp(of: $0) }
    }

    @Test("A run that changes nothing touches none of the files")
    func unchanged() async throws {
        try await run()
        let before = try stamps()
        try await run()
        #expect(try stamps() == before && !before.contains(nil))
    }

    @Test("A missing or changed file is written again", arguments: files)
    func lost(name: String) async throws {
        try await run()
        let bytes = try folder.bytes(of: "mirror/\(name)")
        try FileManager.default.removeItem(atPath: "\(out)/\(name)")
        try await run()
        #expect(try folder.bytes(of: "mirror/\(name)") == bytes)
        try Data("x".utf8).write(to: URL(filePath: "\(out)/\(name)"))
        try await run()
        #expect(try folder.bytes(of: "mirror/\(name)") == bytes)
    }

    @Test("A run without changes writes the files that a killed run did not write")
    func killed() async throws {
        try await run()
        let before = try folder.bytes(of: "mirror/manifest.jsonl")
        do {
            let ledger = try Ledger(in: Folder(out))
            let entry = try #require(try ledger.entry(at: 2))
            var receipt = try #require(entry.receipt)
            receipt.etag = "another"
            try ledger.record(receipt, for: entry.item)
        }
        try await run()
        let after = try folder.bytes(of: "mirror/manifest.jsonl")
        #expect(after != before && String(decoding: after, as: UTF8.self).contains("another"))
    }

    @Test("A gallery is written when --no-gallery is no longer given")
    func gallery() async throws {
        try await run { $0.writesGallery = false }
        #expect(try stamps()[2] == nil)
        try await run()
        #expect(try !stamps().contains(nil))
    }

    @Test("Once manifest.parquet exists, later runs and rebuilds keep it current, and a deleted one stays away")
    func parquet() async throws {
        func bytes() -> [UInt8]? { try? folder.bytes(of: "mirror/manifest.parquet") }
        try await run()
        #expect(bytes() == nil)
        try await run { $0.run.writesParquet = true }
        let first = try #require(bytes())
        try await run { $0.perPage = 4 }
        let second = try #require(bytes())
        #expect(second != first && second.starts(with: Array("PAR1".utf8)))
        #expect(try await Verification(of: out).run { _ in }.faults.isEmpty, "the file belongs to the mirror")
        _ = try PhotoMirror.rebuild(out)
        #expect(bytes() == second)
        _ = try PhotoMirror.rebuildLedger(out, isForced: true)
        #expect(bytes() == second)
        try FileManager.default.removeItem(atPath: "\(out)/manifest.parquet")
        try await run { $0.perPage = 4 }
        #expect(bytes() == nil)
        _ = try PhotoMirror.rebuild(out, withParquet: true)
        #expect(bytes() == second)
    }

    @Test(
        "manifest.parquet has the values of manifest.jsonl",
        .enabled(if: PythonPackages.hasParquet, "the Python packages are not installed (Scripts/setup --tests)"))
    func parquetValues() async throws {
        let list = """
            {"url":"http://127.0.0.1:9/a.jpg","caption":"ä, \\"b\\"","date":"2026-01-31T09:30:00Z"}
            {"url":"http://127.0.0.1:9/b.jpg","author":"x","camera":"y","width":9}
            """
        try folder.write(list, to: "list.jsonl")
        var options = MirrorOptions()
        options.run.writesParquet = true
        _ = try await PhotoMirror(of: folder.path("list.jsonl"), into: out, options: options).run()
        try await run {
            $0.run.writesParquet = true
            $0.thumbnails.sizes = ThumbnailOptions().sizes
        }
        let script = """
            import sys, json, duckdb, fastparquet, polars, pyarrow.parquet as pq
            lines = [json.loads(line) for line in open(sys.argv[1] + "/manifest.jsonl", encoding="utf-8")]
            table = pq.read_table(sys.argv[1] + "/manifest.parquet")
            header = open(sys.argv[1] + "/manifest.csv").readline().strip().split(",")
            assert table.column_names == header
            def plain(row):
                row["date"] = row["date"] and int(row["date"].timestamp())
                return row
            def expected(line):
                row = {name: line.get(name) for name in header}
                row["thumbs"] = [thumb["file"] for thumb in line.get("thumbs", [])]
                return row
            rows = [plain(row) for row in table.to_pylist()]
            assert rows == [expected(line) for line in lines], rows
            rows = [plain(row) for row in polars.read_parquet(sys.argv[1] + "/manifest.parquet").to_dicts()]
            assert rows == [expected(line) for line in lines], rows
            flat = [name for name in header if name != "thumbs"]
            frame = fastparquet.ParquetFile(sys.argv[1] + "/manifest.parquet").to_pandas(columns=flat)
            assert list(frame.columns) == flat and len(frame) == len(lines)
            assert frame["sha256"].dropna().tolist() == [line["sha256"] for line in lines if "sha256" in line]
            query = "select count(*), sum(bytes), count(date), sum(len(thumbs)) from read_parquet(?)"
            counts = duckdb.execute(query, [sys.argv[1] + "/manifest.parquet"]).fetchone()
            assert counts[0] == len(lines) and counts[1] == sum(line.get("bytes", 0) for line in lines), counts
            assert counts[2] == sum("date" in line for line in lines) > 0, counts
            print(counts[0], counts[3] > 0, {line["state"] for line in lines} >= {"done", "failed"})
            """
        #expect(try PythonPackages.run(script, [out]) == "5 True True\n")
    }
}
