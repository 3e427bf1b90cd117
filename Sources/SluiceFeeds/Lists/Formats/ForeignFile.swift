// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Files that people take for lists or pages, recognised by their first bytes.
enum ForeignFile {
    private struct Kind {
        let offset: Int
        let start: [UInt8]
        let name: String
        var hint: Hint?

        init(_ start: String, _ name: String, at offset: Int = 0, _ hint: Hint? = nil) {
            self.init(Array(start.utf8), name, at: offset, hint)
        }

        init(_ start: [UInt8], _ name: String, at offset: Int = 0, _ hint: Hint? = nil) {
            (self.start, self.name, self.offset, self.hint) = (start, name, offset, hint)
        }
    }

    private static let kinds = [
        Kind("PK\u{3}\u{4}", "a ZIP archive or a spreadsheet, which can be saved as CSV", .extractArchive),
        Kind("Rar!", "a RAR archive", .extractArchive),
        Kind([0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], "a 7-Zip archive", .extractArchive),
        Kind("ustar", "a tar archive", at: 257, .extractArchive),
        Kind([0xFD, 0x37, 0x7A, 0x58, 0x5A], "compressed with xz; decompress it first"),
        Kind("BZh", "compressed with bzip2; decompress it first"),
        Kind("%PDF-", "a PDF"),
        Kind("SQLite format 3", "a database; export a table of it as CSV"),
        Kind("WARC/1.", "a web archive; unpack its pictures with another program, and give their folder"),
        Kind("d8:announce", "a torrent; download its files with another program, and give their folder"),
        Kind("bplist00", "a page that Safari saved, or a property list; give the address of the page"),
        Kind([0x1A, 0x45, 0xDF, 0xA3], "a video"),
        Kind("ftypiso", "a video", at: 4),
        Kind("ftypmp4", "a video", at: 4),
        Kind("ftypM4V", "a video", at: 4),
        Kind("ftypqt", "a video", at: 4),
        Kind("ftyp3g", "a video", at: 4),
        Kind("ftypM4A", "a sound", at: 4),
        Kind("#EXTM3U", "a playlist"),
        Kind("ID3", "a sound"),
        Kind("OggS", "a sound"),
    ]
    /// The media types of files that cannot be recognised by their first bytes.
    private static let types: [(prefix: String, name: String)] = [
        ("video/", "a video"), ("audio/", "a sound"), ("application/vnd.apple.mpegurl", "a playlist"),
        ("application/pdf", "a PDF"), ("application/zip", "a ZIP archive"), ("application/x-bittorrent", "a torrent"),
        ("text/css", "a style sheet"), ("text/javascript", "a script"), ("application/javascript", "a script"),
        ("image/svg+xml", "a drawing"),
    ]

    /// Returns what a reply with a media type is; `nil` if it may be a page or a list.
    static func failure(type: String, _ head: ArraySlice<UInt8>) -> Failure? {
        if let failure = failure(head) { return failure }
        return types.first { type.hasPrefix($0.prefix) }.map { Failure(.wrongType, "this is \($0.name)") }
    }

    /// Returns what a file is, with the next step; `nil` if it may be a list.
    static func failure(_ head: ArraySlice<UInt8>) -> Failure? {
        if let known = kinds.first(where: { head.dropFirst($0.offset).starts(with: $0.start) }) {
            return Failure(.wrongType, "this is \(known.name)", hint: known.hint)
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
