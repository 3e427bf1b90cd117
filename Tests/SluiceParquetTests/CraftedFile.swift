// SPDX-License-Identifier: MIT

import Foundation
import SluiceFiles

@testable import SluiceParquet

/// Files with one required column `a` of texts, whose pages and metadata a test makes up.
enum CraftedFile {
    /// An uncompressed data page of texts.
    static func plainPage(_ texts: [[UInt8]], count: Int? = nil) -> [UInt8] {
        var body: [UInt8] = []
        for text in texts {
            body.appendLittleEndian(UInt64(text.count), count: 4)
            body += text
        }
        let count = count ?? texts.count
        return PageHeader.data(count: count, encoding: .plain, size: body.count, stored: body.count) + body
    }

    /// Writes a file whose row groups all refer to the same pages.
    static func write(
        _ pages: [UInt8], rows: Int, codec: PageCodec = .uncompressed, groups: Int = 1, size: Int? = nil,
        to path: String
    ) throws {
        var footer = CompactWriter()
        footer.structure { file in
            file.int32(1, 2)
            file.list(2, of: .structure, count: 2)
            file.structure { root in
                root.binary(4, "schema".utf8)
                root.int32(5, 1)
            }
            file.structure { column in
                column.int32(1, PhysicalType.byteArray.rawValue)
                column.int32(3, Repetition.required.rawValue)
                column.binary(4, "a".utf8)
            }
            file.int64(3, rows)
            file.list(4, of: .structure, count: groups)
            for _ in 0..<groups {
                file.structure { group in
                    group.list(1, of: .structure, count: 1)
                    group.structure { chunk in
                        chunk.structure(3) { metadata in
                            metadata.int32(4, codec.rawValue)
                            metadata.int64(5, rows)
                            metadata.int64(7, size ?? pages.count)
                            metadata.int64(9, parquetMagic.count)
                        }
                    }
                    group.int64(3, rows)
                }
            }
        }
        var bytes = parquetMagic + pages + footer.bytes
        bytes.appendLittleEndian(UInt64(footer.bytes.count), count: 4)
        try Data(bytes + parquetMagic).write(to: URL(filePath: path))
    }
}
