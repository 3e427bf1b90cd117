// SPDX-License-Identifier: MIT

/// The pages of one column in one row group, and their metadata.
struct ColumnChunk {
    let column: ParquetColumn
    /// The number of values, including missing ones.
    var levels = 0
    var nulls = 0
    /// The smallest and the largest value in the plain encoding.
    var bounds: (least: [UInt8], greatest: [UInt8])?
    var hasPlainPages = false
    /// The dictionary page with its header; empty without a dictionary.
    var dictionaryPage: [UInt8] = []
    /// The data pages with their headers.
    var pages: [UInt8] = []
    /// The size before compression, with headers.
    var uncompressedSize = 0

    init(_ column: ParquetColumn) { self.column = column }

    /// The size in the file.
    var size: Int { dictionaryPage.count + pages.count }

    /// Writes the metadata of a chunk that starts at `offset` of the file.
    func write(to writer: inout CompactWriter, offset: Int) {
        writer.structure { chunk in
            chunk.int64(2, offset + size)
            chunk.structure(3) { writeMetadata(to: &$0, offset: offset) }
        }
    }

    private func writeMetadata(to writer: inout CompactWriter, offset: Int) {
        writer.int32(1, column.physicalType.rawValue)
        let encodings = encodings
        writer.list(2, of: .int32, count: encodings.count)
        for encoding in encodings { writer.int32(encoding.rawValue) }
        let path = column.path
        writer.list(3, of: .binary, count: path.count)
        for name in path { writer.binary(name.utf8) }
        writer.int32(4, column.codec.rawValue)
        writer.int64(5, levels)
        writer.int64(6, uncompressedSize)
        writer.int64(7, size)
        writer.int64(9, offset + dictionaryPage.count)
        if !dictionaryPage.isEmpty { writer.int64(11, offset) }
        writer.structure(12) { statistics in
            statistics.int64(3, nulls)
            guard let bounds else { return }
            statistics.binary(5, bounds.greatest)
            statistics.binary(6, bounds.least)
        }
    }

    private var encodings: [PageEncoding] {
        var encodings = [PageEncoding.rle]
        if hasPlainPages || !dictionaryPage.isEmpty { encodings.append(.plain) }
        if !dictionaryPage.isEmpty { encodings.append(.rleDictionary) }
        return encodings
    }
}

/// Encodes the headers of pages.
enum PageHeader {
    /// The header of a data page with its number of levels, and its sizes before and after compression.
    static func data(count: Int, encoding: PageEncoding, size: Int, stored: Int) -> [UInt8] {
        header(.data, size: size, stored: stored) { header in
            header.structure(5) { page in
                page.int32(1, count)
                page.int32(2, encoding.rawValue)
                page.int32(3, PageEncoding.rle.rawValue)
                page.int32(4, PageEncoding.rle.rawValue)
            }
        }
    }

    /// The header of a dictionary page with its number of values, and its sizes before and after compression.
    static func dictionary(count: Int, size: Int, stored: Int) -> [UInt8] {
        header(.dictionary, size: size, stored: stored) { header in
            header.structure(7) { page in
                page.int32(1, count)
                page.int32(2, PageEncoding.plain.rawValue)
            }
        }
    }

    private static func header(
        _ type: PageType, size: Int, stored: Int, _ body: (inout CompactWriter) -> Void
    ) -> [UInt8] {
        var writer = CompactWriter()
        writer.structure { header in
            header.int32(1, type.rawValue)
            header.int32(2, size)
            header.int32(3, stored)
            body(&header)
        }
        return writer.bytes
    }
}
