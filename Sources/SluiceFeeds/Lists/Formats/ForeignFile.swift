// SPDX-License-Identifier: MIT

internal import SluiceModel

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
        (0, Array("WARC/1.".utf8), "a web archive; unpack its pictures with another program, and give their folder"),
        (0, Array("d8:announce".utf8), "a torrent; download its files with another program, and give their folder"),
        (0, Array("bplist00".utf8), "a page that Safari saved, or a property list; give the address of the page"),
    ]

    /// Returns what a file is, with the next step; `nil` if it may be a list.
    static func failure(_ head: ArraySlice<UInt8>) -> Failure? {
        if let known = kinds.first(where: { head.dropFirst($0.offset).starts(with: $0.start) }) {
            return Failure(.feedParse, "this is \(known.reason)")
        }
        let text = String(decoding: head.prefix(4 << 10), as: UTF8.self)
        if text.hasPrefix("# Netscape HTTP Cookie File") || text.hasPrefix("# HTTP Cookie File") {
            return Failure(.feedParse, "this is a file of cookies, not a list", hint: .sendCookies)
        }
        if let page = value(of: "Snapshot-Content-Location:", in: text) {
            return Failure(
                .feedParse, "this is a web page saved as MHTML; save it as HTML, or give its address: \(page)")
        }
        // Windows may write a section of another program first.
        if text.hasPrefix("["), ["[InternetShortcut]", "[Desktop Entry]"].contains(where: text.contains),
            let target = value(of: "URL=", in: text)
        {
            return shortcut(to: target)
        }
        if text.hasPrefix("["), ["\"Path\":", "\"ModTime\":", "\"IsDir\":"].allSatisfy(text.contains) {
            return Failure(
                .feedParse, "this is a listing of rclone, without addresses; mount the remote, and give its folder")
        }
        return nil
    }

    /// The failure of a file that only leads to an address.
    static func shortcut(to address: String) -> Failure {
        Failure(.feedParse, "this is a shortcut; give its address: \(address)")
    }

    /// Returns the rest of the first line that begins with a name.
    private static func value(of name: String, in text: String) -> String? {
        let line = text.split(whereSeparator: \.isNewline).first { $0.hasPrefix(name) }
        return line.map { String($0.dropFirst(name.count)).trimmed.truncated(to: 1000) }
    }
}
