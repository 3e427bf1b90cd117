// SPDX-License-Identifier: MIT

/// Files that people take for lists, recognised by their first bytes.
enum ForeignFile {
    private static let kinds: [(offset: Int, start: [UInt8], reason: String)] = [
        (0, Array("PK\u{3}\u{4}".utf8), "a ZIP archive; unpack it and give its folder, or save a spreadsheet as CSV"),
        (0, Array("Rar!".utf8), "a RAR archive; unpack it and give its folder"),
        (0, [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "a 7-Zip archive; unpack it and give its folder"),
        (257, Array("ustar".utf8), "a tar archive; unpack it and give its folder"),
        (0, [0xFD, 0x37, 0x7A, 0x58, 0x5A], "compressed with xz; decompress it first"),
        (0, Array("BZh".utf8), "compressed with bzip2; decompress it first"),
        (0, Array("%PDF-".utf8), "a PDF, not a list"),
        (0, Array("SQLite format 3".utf8), "a database; export a table of it as CSV"),
    ]

    /// Returns what a file is, with the next step; `nil` if it may be a list.
    static func reason(_ head: ArraySlice<UInt8>) -> String? {
        kinds.first { head.dropFirst($0.offset).starts(with: $0.start) }?.reason
    }
}
