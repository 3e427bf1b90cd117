// SPDX-License-Identifier: MIT

internal import SluiceModel

/// How a list says its photos: one of a few ways, told by how it begins.
protocol ListFormat {
    /// The next photo, or a flawed one in the place of a record that is none; `nil` behind the last.
    mutating func next(from bytes: inout ListBytes) throws(Failure) -> Photo?
    /// What is worth a line about the list as a whole.
    var note: String? { get }
}

extension ListFormat {
    var note: String? { nil }
}

/// Tells a list's format by its beginning, and moves behind what belongs to no record.
enum ListFormats {
    static func sniff(_ bytes: inout ListBytes, options: ListOptions) throws(Failure) -> any ListFormat {
        guard try bytes.fill() else { return AddressLines() }
        if bytes.window.starts(with: [0xEF, 0xBB, 0xBF]) { bytes.advance(to: 3, lines: 0) }
        let head = bytes.window[bytes.start...].prefix(64 << 10)
        guard !head.starts(with: [0xFF, 0xFE]), !head.starts(with: [0xFE, 0xFF]) else {
            throw Failure(.feedParse, "line 1: a list in UTF-16; save it as UTF-8")
        }
        guard !head.contains(0) else { throw Failure(.feedParse, "line 1: binary data, and no list") }
        let text = head.drop { isSpace($0) }
        switch text.first {
        case UInt8(ascii: "{"): return JSONLines(options: options)
        case UInt8(ascii: "["):
            // `[3, "https://..."` is one of gallery-dl's messages, a line for each; all else is one array around all.
            let inner = text.dropFirst().drop { isSpace($0) }.first
            let isMessage = inner.map {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
            }
            return isMessage == true ? JSONLines(options: options) : try JSONArray(&bytes, options: options)
        case UInt8(ascii: "<"): throw Failure(.feedParse, "line 1: XML or HTML, and no list")
        default: return try lines(text, &bytes, options)
        }
    }

    /// A table, if the first line is a header; else lines of addresses.
    private static func lines(
        _ text: ArraySlice<UInt8>, _ bytes: inout ListBytes, _ options: ListOptions
    ) throws(Failure) -> any ListFormat {
        let first = text.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        if options.urlColumn == nil, first.first == UInt8(ascii: "#") || ListAddress.begins(first) {
            return AddressLines()
        }
        let table = Table(separator: Table.separator(in: first), options: options)
        let names = String(decoding: first, as: UTF8.self).split { ",;\t".contains($0) }
        let isHeader = names.contains { ListField(columnNamed: String($0)) == .url }
        // A header without a known name is a table all the same, and the table says what it misses.
        let mayBeHeader = names.count > 1 && !first.contains(UInt8(ascii: ":"))
        return options.urlColumn != nil || isHeader || mayBeHeader ? table : AddressLines()
    }

    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
