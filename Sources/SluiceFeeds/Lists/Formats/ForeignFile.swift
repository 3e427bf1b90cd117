// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Files that people take for lists or pages, recognised by their first bytes.
enum ForeignFile {
    private struct Kind {
        var offset = 0
        let start: [UInt8]
        /// The name in messages about a reply; `nil` for one that may be a feed.
        var name: String?
        /// What it is in place of a list, with the next step; `nil` for a file that may be one.
        var advice: String?

        func begins(_ head: ArraySlice<UInt8>) -> Bool { head.dropFirst(offset).starts(with: start) }
    }

    private static let kinds = [
        Kind(
            start: Array("PK\u{3}\u{4}".utf8), name: "ZIP archive",
            advice: "a ZIP archive; unpack it and give its folder, or save a spreadsheet as CSV"),
        Kind(start: Array("Rar!".utf8), name: "RAR archive", advice: "a RAR archive; unpack it and give its folder"),
        Kind(
            start: [0x37, 0x7A, 0xBC, 0xAF, 0x27, 0x1C], name: "7z archive",
            advice: "a 7-Zip archive; unpack it and give its folder"),
        Kind(
            offset: 257, start: Array("ustar".utf8), name: "TAR archive",
            advice: "a tar archive; unpack it and give its folder"),
        Kind(start: [0xFD, 0x37, 0x7A, 0x58, 0x5A], advice: "compressed with xz; decompress it first"),
        Kind(start: Array("BZh".utf8), advice: "compressed with bzip2; decompress it first"),
        Kind(start: Array("%PDF-".utf8), name: "PDF", advice: "a PDF, not a list"),
        Kind(start: Array("SQLite format 3".utf8), advice: "a database; export a table of it as CSV"),
        Kind(
            start: Array("WARC/1.".utf8),
            advice: "a web archive; unpack its pictures with another program, and give their folder"),
        Kind(
            start: Array("d8:announce".utf8), name: "torrent",
            advice: "a torrent; download its files with another program, and give their folder"),
        Kind(
            start: Array("bplist00".utf8),
            advice: "a page that Safari saved, or a property list; give the address of the page"),
        Kind(offset: 4, start: Array("ftyp".utf8), name: "video"),
        Kind(start: [0x1A, 0x45, 0xDF, 0xA3], name: "video"), Kind(start: Array("#EXTM3U".utf8), name: "playlist"),
        Kind(start: Array("ID3".utf8), name: "sound"), Kind(start: Array("OggS".utf8), name: "sound"),
    ]
    /// The media types of files that cannot be recognised by their first bytes.
    private static let types: [(prefix: String, name: String)] = [
        ("video/", "video"), ("audio/", "sound"), ("application/pdf", "PDF"), ("application/zip", "ZIP archive"),
        ("application/vnd.apple.mpegurl", "playlist"), ("application/x-bittorrent", "torrent"),
        ("text/css", "style sheet"), ("text/javascript", "script"), ("application/javascript", "script"),
        ("image/svg+xml", "drawing"),
    ]

    /// Returns what a reply with a media type is; `nil` if it may be a page or a list.
    static func failure(type: String, _ head: ArraySlice<UInt8>) -> Failure? {
        let known = kinds.first { $0.name != nil && $0.begins(head) }?.name
        guard let name = known ?? types.first(where: { type.hasPrefix($0.prefix) })?.name else { return nil }
        return Failure(
            .wrongType, "this is a \(name), not a page, a list or a photo",
            hint: name.hasSuffix("archive") ? .extractArchive : nil)
    }

    /// Returns what a file is, with the next step; `nil` if it may be a list.
    static func failure(_ head: ArraySlice<UInt8>) -> Failure? {
        if let advice = kinds.first(where: { $0.advice != nil && $0.begins(head) })?.advice {
            return Failure(.feedParse, "this is \(advice)")
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
