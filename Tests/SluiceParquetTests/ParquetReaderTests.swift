// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import TestSupport
import Testing

@testable import SluiceParquet

@Suite("Parquet reader", .timeLimit(.minutes(10))) struct ParquetReaderTests {
    private let folder = TemporaryFolder()

    @Test("Reads pyarrow's files of every compression, encoding and page version", arguments: PyarrowFiles.names)
    func fixtures(name: String) throws {
        let path = PyarrowFiles.corpus.appending(path: name).path
        let rows = try ParquetReader.rows(of: path, columns: PyarrowFiles.columns)
        #expect(rows.map(\.values) == (0..<40).map(PyarrowFiles.row))
        #expect(rows.allSatisfy { $0.problem == nil })
    }

    @Test(
        "Reads large files of pyarrow and DuckDB with several pages and row groups",
        .enabled(if: PythonPackages.hasParquet, "the Python packages are not installed (Scripts/setup --tests)"))
    func generated() throws {
        try PyarrowFiles.write(into: folder.path, rows: 3000)
        let expected = (0..<3000).map(PyarrowFiles.row)
        var count = 0
        for name in folder.names() {
            let rows = try ParquetReader.rows(of: folder.path(name), columns: PyarrowFiles.columns)
            let isEqual = rows.map(\.values) == expected
            #expect(isEqual, "\(name)")
            count += 1
        }
        #expect(count == 38)
    }

    @Test(
        "Reads files of pyarrow, DuckDB, Polars and fastparquet with pages and row groups of many sizes",
        .enabled(if: PythonPackages.hasParquet, "the Python packages are not installed (Scripts/setup --tests)"))
    func foreign() throws {
        try ForeignFiles.write(into: folder.path, rows: 600)
        let expected = (0..<600).map(PyarrowFiles.row)
        #expect(folder.names().count == 415)
        for name in folder.names() {
            let rows = try ParquetReader.rows(of: folder.path(name), columns: PyarrowFiles.columns)
            let isEqual = rows.map(\.values) == expected
            #expect(isEqual, "\(name)")
        }
    }

    @Test("Decimal numbers of each storage have all their digits, and those of more than 16 bytes are no values")
    func decimals() throws {
        let path = PyarrowFiles.corpus.appending(path: "decimals").path
        let rows = try ParquetReader.rows(of: path, columns: ["d5", "d18", "d38", "whole"])
        let long = "123456789012345678901234567890.12345"
        #expect(
            rows.map(\.values) == [
                ["0.05", "0.05", long, "1"], [nil, nil, nil, nil], ["-12.50", "-12.50", "-\(long)", "-3"],
                ["7.00", "7.00", "0.00000", "4"], ["-0.01", "-0.01", "1.00000", "5"],
            ])
    }

    @Test("Reads the writer's files")
    func roundTrip() throws {
        let columns = [ParquetColumn("a", .text), ParquetColumn("n", .integer), ParquetColumn("t", .timestamp)]
        var writer = try ParquetWriter(
            columns, to: NewFile("a", in: Folder(folder.path)), rowsPerGroup: 700, bytesPerGroup: .max)
        for number in 0..<5000 {
            writer.add(number % 3 == 0 ? nil : "text \(number % 1000)")
            writer.add(number - 2500)
            writer.add(number % 2 == 0 ? nil : -1000)
            try writer.endRow()
        }
        try writer.finish().finish(flushed: false)
        let rows = try ParquetReader.rows(of: folder.path("a"), columns: ["n", "a", "t"])
        let expected = (0..<5000).map { number in
            [
                "\(number - 2500)", number % 3 == 0 ? nil : "text \(number % 1000)",
                number % 2 == 0 ? nil : "1969-12-31T23:59:59Z",
            ]
        }
        #expect(rows.map(\.values) == expected)
    }

    @Test("Skips rows, also over the ends of row groups", arguments: [0, 1, 24, 25, 26, 39, 40, 41])
    func skipping(count: Int) throws {
        let path = PyarrowFiles.corpus.appending(path: "zstd-plain-1").path
        var reader = try ParquetReader(.reading(path, followsLink: true))
        try reader.select(reader.fields.filter { $0.name == "url" })
        #expect(try reader.skip(count) == min(count, 40))
        let next = try reader.next()?.values
        #expect(next == (count < 40 ? ["https://x.example/\(count).jpg"] : nil))
    }

    @Test("Refuses unsupported files with a reason")
    func refusals() throws {
        func reason(_ path: String, _ column: String) throws -> String {
            "\(try #require(throws: ParquetError.self) { try ParquetReader.rows(of: path, columns: [column]) })"
        }
        #expect(
            try reason(PyarrowFiles.corpus.appending(path: "lzo").path, "url")
                == "is an unsupported Parquet file: its pages are compressed with LZO")
        let page = PageHeader.data(count: 1, encoding: .bitPacked, size: 1, stored: 1) + [0]
        try CraftedFile.write(page, rows: 1, to: folder.path("a"))
        #expect(
            try reason(folder.path("a"), "a")
                == "is an unsupported Parquet file: the pages of column 'a' have the encoding bitPacked")
    }

    @Test("Fields in groups are found by their paths, and lists split rows")
    func nested() throws {
        let path = PyarrowFiles.corpus.appending(path: "nested").path
        var reader = try ParquetReader(.reading(path, followsLink: true))
        let names = ["id", "image.url", "pictures.url", "pictures.text", "urls", "grid", "map.key", "map.value"]
        #expect(reader.fields.map(\.name) == names)
        #expect(reader.fields.map(\.problem) == names.map { $0 == "grid" ? "it is a list in a list" : nil })
        let first = try ParquetReader.rows(of: path, columns: ["id", "image.url", "pictures.url", "urls", "map.value"])
        #expect(
            first.prefix(4).map(\.values) == [
                ["0", "i0", nil, nil, nil], ["1", nil, "p1.0", nil, "v"], ["2", "i2", "p2.0", "u2.0", nil],
                ["3", nil, "p3.0", nil, "v"],
            ])
        try reader.select(
            reader.fields.filter { ["id", "pictures.url", "pictures.text", "urls"].contains($0.name) },
            splittingBy: 1)
        var expected: [[String?]] = []
        for row in 0..<60 {
            for element in 0..<row % 5 {
                let text = element == 1 ? nil : "t\(element)"
                expected.append(["\(row)", "p\(row).\(element)", text, row % 4 == 2 ? "u\(row).0" : nil])
            }
        }
        var rows: [ParquetReader.Row] = []
        #expect(try reader.skip(50) == 50)
        while let row = try reader.next() { rows.append(row) }
        #expect(rows.map(\.values) == Array(expected.dropFirst(50)))
        #expect(rows.last?.number == 60 && rows.last?.element == 3)
    }

    @Test("An optional column that cannot be read is ignored with a note")
    func optional() throws {
        let path = PyarrowFiles.corpus.appending(path: "lzo").path
        var reader = try ParquetReader(.reading(path, followsLink: true))
        try reader.select(reader.fields, optional: [0])
        #expect(try reader.next()?.values == [nil])
        #expect(reader.notes == ["ignored column 'url' from row 1: its pages are compressed with LZO"])
    }

    @Test("Bytes of a chosen length become digits")
    func digits() throws {
        try CraftedFile.write(CraftedFile.plainPage([[0x0A, 0xFF], [0x61]]), rows: 2, to: folder.path("a"))
        var reader = try ParquetReader(.reading(folder.path("a"), followsLink: true))
        try reader.select(reader.fields.map { $0.hexadecimal(count: 2) })
        #expect(try [reader.next()?.values, reader.next()?.values] == [["0aff"], ["a"]])
    }

    @Test("A text that is not UTF-8 makes its row invalid")
    func notUTF8() throws {
        let page = CraftedFile.plainPage([[0x61], [0xFF], []])
        try CraftedFile.write(page, rows: 3, to: folder.path("a"))
        let rows = try ParquetReader.rows(of: folder.path("a"), columns: ["a"])
        #expect(rows.map(\.values) == [["a"], [nil], [""]])
        #expect(rows.map(\.problem) == [nil, "column 'a' is not UTF-8", nil])
    }
}
