// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import TestSupport
import Testing

@testable import SluiceParquet

@Suite("Parquet writer", .timeLimit(.minutes(10))) struct ParquetWriterTests {
    private let folder = TemporaryFolder()

    private static let columns = [
        ParquetColumn("url", .text), ParquetColumn("host", .text), ParquetColumn("seq", .integer),
        ParquetColumn("width", .integer), ParquetColumn("ratio", .double), ParquetColumn("kept", .boolean),
        ParquetColumn("date", .timestamp), ParquetColumn("tags", .texts), ParquetColumn("nothing", .text),
    ]

    /// A row with repeating and distinct, empty, missing and non-ASCII values.
    private struct Row: Codable {
        var url: String
        var host: String?
        var seq: Int
        var width: Int?
        var ratio: Double?
        var kept: Bool?
        var date: Int?
        var tags: [String]?
        var nothing: String?

        init(_ number: Int) {
            url = "https://photos.example/\(number * 7919 % 100_003)/ä\u{1F4F7}\(number)"
            host = number % 7 == 0 ? nil : number % 7 == 1 ? "" : "host\(number % 40).example"
            seq = number
            width = number % 3 == 0 ? nil : (number % 50 - 25) * (1 << 40)
            ratio = number % 11 == 0 ? nil : Double(number) / 8 - 100
            kept = number % 5 == 0 ? nil : number % 2 == 0
            date = number % 13 == 0 ? nil : 1_769_851_815_000 + number * 1001
            tags = number % 4 == 0 ? nil : (1..<(number % 4)).map { "tag\($0 * number % 9)" }
        }

        func add(to writer: inout ParquetWriter) throws {
            writer.add(url)
            writer.add(host)
            writer.add(seq)
            writer.add(width)
            writer.add(ratio)
            writer.add(kept)
            writer.add(date)
            writer.add(tags)
            writer.add(nothing)
            try writer.endRow()
        }
    }

    /// Writes rows, and returns the file's bytes.
    private static func write(
        _ rows: Int, in folder: TemporaryFolder, rowsPerGroup: Int = 100_000, bytesPerGroup: Int = .max
    ) throws -> [UInt8] {
        let file = try NewFile("a.parquet", in: Folder(folder.path))
        var writer = try ParquetWriter(
            columns, to: file, rowsPerGroup: rowsPerGroup, bytesPerGroup: bytesPerGroup)
        for number in 0..<rows { try Row(number).add(to: &writer) }
        try writer.finish().finish(flushed: false)
        return try folder.bytes(of: "a.parquet")
    }

    /// Reads a file with pyarrow, DuckDB, Polars and fastparquet, compares them with JSON lines, and prints facts.
    private static let judge = """
        import sys, json, math, duckdb, fastparquet, pandas, polars, pyarrow.parquet as pq
        name, lines = sys.argv[1:]
        expected = [json.loads(line) for line in open(lines, encoding="utf-8")]
        file = pq.ParquetFile(name)
        columns = [file.schema_arrow.field(i).name for i in range(len(file.schema_arrow))]
        expected = [{c: row.get(c) for c in columns} for row in expected]
        rows = file.read().to_pylist()
        for row in rows:
            row["date"] = row["date"] and round(row["date"].timestamp() * 1000)
        assert rows == expected, [pair for pair in zip(rows, expected) if pair[0] != pair[1]][:3]
        query = "select * replace (epoch_ms(date) as date) from read_parquet(?, file_row_number=true) order by file_row_number"
        rows = duckdb.execute(query, [name]).fetchall()
        assert [dict(zip(columns, row)) for row in rows] == expected
        def plain(column, value):
            # fastparquet has several values for a missing one.
            if column == "tags": return value
            if pandas.isna(value): return None
            return round(value.timestamp() * 1000) if column == "date" else value
        # fastparquet reads plain lists wrongly, those of pyarrow, too.
        flat = [c for c in columns if c != "tags"]
        readings = [polars.read_parquet(name).to_dicts()]
        if expected:
            frame = fastparquet.ParquetFile(name).to_pandas(columns=flat)
            readings.append(frame.astype(object).to_dict("records"))
        for rows in readings:
            read = [{c: plain(c, value) for c, value in row.items()} for row in rows]
            wanted = [{c: row[c] for c in rows[0]} for row in expected]
            assert read == wanted, [pair for pair in zip(read, wanted) if pair[0] != pair[1]][:3]
        groups = [file.metadata.row_group(i) for i in range(file.metadata.num_row_groups)]
        facts = {"groups": [group.num_rows for group in groups], "encodings": {}, "bounds": {}, "nulls": {}}
        for i in range(groups[0].num_columns if groups else 0):
            column = groups[0].column(i)
            statistics = column.statistics
            facts["encodings"][column.path_in_schema] = sorted(column.encodings)
            facts["nulls"][column.path_in_schema] = statistics.null_count
            if statistics.has_min_max:
                facts["bounds"][column.path_in_schema] = str([statistics.min, statistics.max])
        print(json.dumps(facts))
        """

    private struct Facts: Codable {
        var groups: [Int]
        var encodings: [String: [String]]
        var bounds: [String: String]
        var nulls: [String: Int]
    }

    private static func judge(_ rows: Int, in folder: TemporaryFolder) throws -> Facts {
        let encoder = JSONEncoder()
        var lines = Data()
        for number in 0..<rows { lines += try encoder.encode(Row(number)) + Data("\n".utf8) }
        try folder.write(lines, to: "rows.jsonl")
        let output = try PythonPackages.run(judge, [folder.path("a.parquet"), folder.path("rows.jsonl")])
        return try JSONDecoder().decode(Facts.self, from: Data(output.utf8))
    }

    @Test(
        "pyarrow, DuckDB, Polars and fastparquet read all rows of every type, and the statistics",
        .enabled(if: PythonPackages.hasParquet, "the Python packages are not installed (Scripts/setup --tests)"))
    func judges() throws {
        _ = try Self.write(12_345, in: folder, rowsPerGroup: 5000)
        let facts = try Self.judge(12_345, in: folder)
        #expect(facts.groups == [5000, 5000, 2345])
        #expect(facts.encodings["host"]?.contains("RLE_DICTIONARY") == true, "repeating texts have a dictionary")
        #expect(facts.encodings["width"]?.contains("RLE_DICTIONARY") == true)
        #expect(facts.encodings["tags.list.element"]?.contains("RLE_DICTIONARY") == true)
        #expect(facts.encodings["url"]?.contains("RLE_DICTIONARY") == false, "distinct texts have none")
        #expect(facts.bounds["seq"] == "[0, 4999]" && facts.bounds["host"] == "['', 'host9.example']")
        #expect(facts.bounds["kept"] == "[False, True]" && facts.bounds["ratio"] == "[-99.875, 524.875]")
        #expect(facts.nulls["nothing"] == 5000 && facts.nulls["seq"] == 0 && facts.nulls["host"] == 715)
        #expect(facts.nulls["tags.list.element"] == 2500 && facts.bounds["nothing"] == nil)
    }

    @Test(
        "Files without rows, with one row, and with small row groups are valid",
        .enabled(if: PythonPackages.hasParquet, "the Python packages are not installed (Scripts/setup --tests)"),
        arguments: [0, 1, 17])
    func small(rows: Int) throws {
        _ = try Self.write(rows, in: folder, bytesPerGroup: 1000)
        let groups = try Self.judge(rows, in: folder).groups
        #expect(groups.reduce(0, +) == rows && (groups.count > 1) == (rows > 1), "\(groups)")
    }

    @Test("The same rows produce the same bytes")
    func reproducibility() throws {
        let bytes = try Self.write(3000, in: TemporaryFolder())
        #expect(try Self.write(3000, in: TemporaryFolder()) == bytes)
        #expect(bytes.starts(with: parquetMagic) && bytes.suffix(4) == parquetMagic[...])
    }

    @Test("An unfinished file leaves nothing")
    func unfinished() throws {
        var writer: ParquetWriter? = try ParquetWriter(
            Self.columns, to: NewFile("a.parquet", in: Folder(folder.path)))
        #expect(writer != nil && folder.names() == ["a.parquet.part"])
        writer = nil
        #expect(folder.names().isEmpty)
    }

    @Test(
        "A dictionary that gets too large is followed by plain pages",
        .enabled(if: PythonPackages.hasParquet, "the Python packages are not installed (Scripts/setup --tests)"))
    func largeDictionary() throws {
        var writer = try ParquetWriter(
            [ParquetColumn("text", .text)], to: NewFile("a.parquet", in: Folder(folder.path)))
        // Each text comes three times, so the dictionary is useful until it is full.
        for number in 0..<9000 {
            writer.add(String(repeating: "\(number / 3) ", count: 100))
            try writer.endRow()
        }
        try writer.finish().finish(flushed: false)
        let script = """
            import sys, pyarrow.parquet as pq
            file = pq.ParquetFile(sys.argv[1])
            assert file.read().column(0).to_pylist() == [f"{n // 3} " * 100 for n in range(9000)]
            column = file.metadata.row_group(0).column(0)
            print(sorted(column.encodings), column.statistics.has_min_max)
            """
        let text = try PythonPackages.run(script, [folder.path("a.parquet")])
        #expect(text == "['PLAIN', 'RLE', 'RLE_DICTIONARY'] False\n")
    }
}
