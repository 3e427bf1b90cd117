// SPDX-License-Identifier: MIT

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
