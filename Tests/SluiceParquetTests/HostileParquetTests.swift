// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles
import TestSupport
import Testing

@testable import SluiceParquet

@Suite("Hostile Parquet files", .timeLimit(.minutes(10))) struct HostileParquetTests {
    private let folder = TemporaryFolder()

    private func error(
        _ pages: [UInt8], rows: Int, codec: PageCodec = .uncompressed, groups: Int = 1, size: Int? = nil
    ) throws -> String {
        try CraftedFile.write(pages, rows: rows, codec: codec, groups: groups, size: size, to: folder.path("a"))
        let error = #expect(throws: ParquetError.self) {
            try ParquetReader.rows(of: folder.path("a"), columns: ["a"])
        }
        return error.map { "\($0)" } ?? ""
    }

    @Test("Sizes are checked before memory is used")
    func sizes() throws {
        let header = PageHeader.data(count: 1, encoding: .plain, size: 1 << 30, stored: 3)
        #expect(
            try error(header + [1, 2, 3], rows: 1, codec: .zstd)
                == "is an unsupported Parquet file: a page of column 'a' is larger than 128 MiB")
        let long = PageHeader.data(count: 1, encoding: .plain, size: 3, stored: 1 << 30)
        #expect(try error(long, rows: 1) == "is a damaged Parquet file: a page of column 'a' is truncated")
        #expect(
            try error([1, 2, 3], rows: 1, size: 1 << 40)
                == "is a damaged Parquet file: the pages of column 'a' are outside the file")
        let negative = PageHeader.data(count: 1, encoding: .plain, size: -1, stored: 3)
        #expect(
            try error(negative, rows: 1) == "is a damaged Parquet file: the header of a page has an invalid size")
    }

    @Test("Lengths whose sum exceeds the largest integer are refused")
    func hugeLevels() throws {
        var header = CompactWriter()
        header.structure { page in
            page.int32(1, 3)
            page.int32(2, 0)
            page.int32(3, 0)
            page.structure(8) { version in
                version.int32(5, .max)
                version.int32(6, .max)
            }
        }
        #expect(
            try error(header.bytes, rows: 1) == "is a damaged Parquet file: the header of a page has an invalid size")
    }

    @Test(
        "A page that decompresses to another size is refused",
        arguments: [PageCodec.zstd, .snappy, .gzip, .lz4, .lz4Raw, .brotli])
    func bombs(codec: PageCodec) throws {
        let bomb = ZstdEncoder().frame([UInt8](repeating: 0, count: 1 << 22))
        let header = PageHeader.data(count: 1, encoding: .plain, size: 100, stored: bomb.count)
        #expect(
            try error(header + bomb, rows: 1, codec: codec)
                == "is a damaged Parquet file: a page cannot be decompressed")
    }

    @Test("Row groups cannot refer to the same pages again and again")
    func sharedPages() throws {
        let page = CraftedFile.plainPage([[UInt8](repeating: 0x61, count: 1000)])
        #expect(try error(page, rows: 1, groups: 1000) == "is a damaged Parquet file: its row groups share pages")
    }

    @Test("A column has as many values as its row group has rows")
    func counts() throws {
        let page = CraftedFile.plainPage([[0x61], [0x62]])
        #expect(try error(page, rows: 1).contains("has more values than the column has rows"))
        #expect(try error(page, rows: 3).contains("column 'a' has fewer values than rows"))
        #expect(try error(CraftedFile.plainPage([[0x61]], count: 2), rows: 2).contains("ends within a value"))
        let index = PageHeader.data(count: 1, encoding: .rleDictionary, size: 3, stored: 3) + [1, 2, 0]
        #expect(try error(index, rows: 1).contains("has no dictionary"))
        let dictionary = PageHeader.dictionary(count: 1, size: 5, stored: 5) + [1, 0, 0, 0, 0x61]
        let outside = PageHeader.data(count: 1, encoding: .rleDictionary, size: 3, stored: 3) + [1, 2, 1]
        #expect(try error(dictionary + outside, rows: 1).contains("has an index outside its dictionary"))
        #expect(try error(dictionary + dictionary, rows: 1).contains("is a second dictionary"))
    }

    @Test("Values that need much more memory than their page are refused")
    func expansion() throws {
        // A value of 2000 bytes, and many that repeat it: prefixes and suffixes are differences of no bits.
        var body: [UInt8] = [0x80, 0x80, 0x04, 1, 0x80, 0x80, 0x08, 0] + [0x9F, 0x1F, 0] + [0]
        body += [0x80, 0x80, 0x04, 1, 0x80, 0x80, 0x08, 0xA0, 0x1F] + [0x9F, 0x1F, 0] + [0]
        body += [UInt8](repeating: 0x61, count: 2000)
        let header = PageHeader.data(count: 1 << 17, encoding: .deltaByteArray, size: body.count, stored: body.count)
        #expect(!(try error(header + body, rows: 1 << 17)).isEmpty)
        let counted: [UInt8] = [0x80, 1, 1, 0xFF, 0xFF, 0xFF, 0xFF, 7, 0]
        let many = PageHeader.data(count: 9, encoding: .deltaLengthByteArray, size: 9, stored: 9) + counted
        #expect(
            try error(many, rows: 9) == "is a damaged Parquet file: a page has more values than its header states")
    }

    @Test("A file that ends anywhere is refused", arguments: ["snappy-dictionary-1", "gzip-plain-1", "lz4-delta-2"])
    func truncation(name: String) throws {
        let bytes = try [UInt8](Data(contentsOf: PyarrowFiles.corpus.appending(path: name)))
        for length in stride(from: 0, to: bytes.count, by: 7) {
            try Data(bytes[..<length]).write(to: URL(filePath: folder.path("a")))
            #expect(throws: ParquetError.self) {
                try ParquetReader.rows(of: folder.path("a"), columns: PyarrowFiles.columns)
            }
        }
    }

    @Test("A damaged byte anywhere ends in an error or in no more rows than before", arguments: PyarrowFiles.names)
    func damage(name: String) throws {
        let bytes = try [UInt8](Data(contentsOf: PyarrowFiles.corpus.appending(path: name)))
        for position in stride(from: 0, to: bytes.count, by: 7) {
            var damaged = bytes
            damaged[position] ^= UInt8(1 << (position % 8))
            try Data(damaged).write(to: URL(filePath: folder.path("a")))
            // The rows may be missing a column whose name is damaged.
            guard let rows = try? ParquetReader.rows(of: folder.path("a"), columns: PyarrowFiles.columns) else {
                continue
            }
            #expect(rows.count <= 40, "byte \(position)")
        }
    }

    @Test("Metadata that is nested too deeply is refused")
    func nesting() throws {
        // Field 9 is a list of lists of lists.
        let lists = [0x99] + [UInt8](repeating: 0x19, count: 100)
        var reader = CompactReader(lists)
        #expect(throws: ParquetError.self) { try reader.structure { _, _, _ in false } }
        var bytes = parquetMagic + lists
        bytes.appendLittleEndian(UInt64(lists.count), count: 4)
        try Data(bytes + parquetMagic).write(to: URL(filePath: folder.path("a")))
        let error = #expect(throws: ParquetError.self) {
            try ParquetReader.rows(of: folder.path("a"), columns: ["a"])
        }
        #expect(error == .invalid("its metadata is nested too deeply"))
    }
}
