// SPDX-License-Identifier: MIT

internal import SluiceModel
internal import SluiceParquet

/// Parses the records of a list.
protocol ListFormat {
    /// Returns the next photo, with an `invalidReason` if its record is invalid; `nil` after the last.
    ///
    /// The other photos of its record are put into `more`, the last one first.
    mutating func next(from buffer: inout ListBuffer, more: inout [Photo]) throws(Failure) -> Photo?
    /// Whether each record is a row of the user's list, see ``Page/hasRows``.
    var hasRows: Bool { get }
    /// A note for the user about the whole list, such as its ignored columns.
    var note: String? { get }
    /// The members of the first record, if no record so far has an address; `nil` otherwise.
    var membersWithoutAddress: [String]? { get }
}

extension ListFormat {
    var hasRows: Bool { false }
    var note: String? { nil }
    var membersWithoutAddress: [String]? { nil }
}

/// Detects a list's format from its first bytes and skips the text before the first record.
enum ListFormatDetector {
    static func detect(_ buffer: inout ListBuffer, options: ListOptions) throws(Failure) -> any ListFormat {
        guard try buffer.fill() else { return AddressLinesFormat() }
        if buffer.window.starts(with: [0xEF, 0xBB, 0xBF]) { buffer.advance(to: 3, lines: 0) }
        let head = buffer.window[buffer.start...].prefix(64 << 10)
        guard !head.starts(with: ParquetReader.magic) else {
            throw Failure(.feedParse, "a Parquet file cannot be read from a pipe; give its path")
        }
        if let failure = ForeignFile.failure(head) { throw failure }
        guard !isBinary(head) else { throw Failure(.feedParse, "line 1: binary data, not a list") }
        let text = head.drop { $0.isSpace }
        if LockFormat.begins(text) { return LockFormat() }
        if let separator = TableFormat.statedSeparator(text) {
            _ = try buffer.nextLine()
            return TableFormat(separator: separator, options: options)
        }
        if let first = text.first, "{[".utf8.contains(first), !beginsValue(text) {
            return try lineFormat(startingWith: text, options)
        }
        switch text.first {
        case UInt8(ascii: "{"): return try objectFormat(&buffer, options: options)
        case UInt8(ascii: "["):
            // `[3, "https://..."` is a gallery-dl message, one per line. Any other list is a single array.
            let inner = text.dropFirst().drop { $0.isSpace }.first
            let isMessage = inner.map {
                (UInt8(ascii: "0")...UInt8(ascii: "9")).contains($0) || $0 == UInt8(ascii: "-")
            }
            return isMessage == true
                ? JSONLinesFormat(options: options) : try JSONArrayFormat(&buffer, options: options)
        case UInt8(ascii: "<"): throw Failure(.feedParse, "line 1: XML or HTML, not a list")
        default: return try lineFormat(startingWith: text, options)
        }
    }

    /// Whether a text with a bracket first begins like JSON, and not like TOML (`[[photos]]`) or a wiki (`{{Infobox`).
    private static func beginsValue(_ text: ArraySlice<UInt8>) -> Bool {
        let rest = text.dropFirst().drop { $0.isSpace }
        guard let next = rest.first else { return true }
        if text.first == UInt8(ascii: "{") { return "\"}".utf8.contains(next) }
        if "-0123456789".utf8.contains(next) { return beginsNumber(rest) }
        return "\"]".utf8.contains(next) || "{[".utf8.contains(next) && beginsValue(rest)
    }

    /// Whether the text after a bracket is a number, and not the time of a message of WhatsApp: `[12/05/2024, 10:11]`.
    private static func beginsNumber(_ text: ArraySlice<UInt8>) -> Bool {
        let number = text.prefix { "-+.eE0123456789".utf8.contains($0) }
        guard Double(String(decoding: number, as: UTF8.self)) != nil else { return false }
        return text.dropFirst(number.count).first { !$0.isSpace }.map(",]".utf8.contains) ?? true
    }

    /// Returns JSON Lines if the first line is a value, or ends like one before another, and otherwise one document.
    private static func objectFormat(
        _ buffer: inout ListBuffer, options: ListOptions
    ) throws(Failure) -> any ListFormat {
        try buffer.skipSpace()
        while true {
            let text = buffer.window[buffer.start...]
            let line = text.prefix { $0 != UInt8(ascii: "\n") }
            if let next = text.dropFirst(line.count).first(where: { !$0.isSpace }) {
                let isClosed = line.last { !$0.isSpace } == UInt8(ascii: "}") && next == UInt8(ascii: "{")
                guard !isClosed, (try? JSON(parsing: Array(line))) == nil else {
                    return JSONLinesFormat(options: options)
                }
                return try JSONDocumentFormat(&buffer, options: options)
            }
            if line.count > ListBuffer.maxRecordLength { return try JSONDocumentFormat(&buffer, options: options) }
            guard try buffer.fill() else { break }
        }
        // A single line may be a record, or have records in it.
        guard let json = try? JSON(parsing: Array(buffer.window[buffer.start...])) else {
            return JSONLinesFormat(options: options)
        }
        let photos = JSONRecords.photos(in: json, options: options)
        guard !photos.isEmpty else { return JSONLinesFormat(options: options) }
        buffer.advance(to: buffer.window.count, lines: 0)
        return JSONDocumentFormat(photos: photos)
    }

    /// Whether the text has a NUL in its first line, or many of them.
    ///
    /// A single one further on makes its own record invalid.
    private static func isBinary(_ head: ArraySlice<UInt8>) -> Bool {
        if head.prefix(while: { $0 != UInt8(ascii: "\n") }).contains(0) { return true }
        let zeros = head.count { $0 == 0 }
        return zeros >= 8 && zeros > head.count / 256
    }

    /// Returns the format of lines: a table if the first is a header, an address in each, or text with addresses.
    private static func lineFormat(
        startingWith text: ArraySlice<UInt8>, _ options: ListOptions
    ) throws(Failure) -> any ListFormat {
        let first = text.prefix { $0 != UInt8(ascii: "\n") && $0 != UInt8(ascii: "\r") }
        if options.urlColumn == nil, let table = HeaderlessTableFormat(text, options: options) { return table }
        if options.urlColumn == nil, first.first == UInt8(ascii: "#") || ListAddress.begins(first) {
            guard beginsWithAddress(text) || !TextFormat.hasPhotos(text) else { return TextFormat() }
            return DownloadsFormat.begins(text) ? DownloadsFormat() : AddressLinesFormat()
        }
        let table = TableFormat(separator: TableFormat.separator(in: first), options: options)
        let names = String(decoding: first, as: UTF8.self).split { ",;\t".contains($0) }
        let isHeader = names.contains { ListField(columnNamed: String($0)) == .url }
        // A header without a known name is treated as a table, which then reports the missing column.
        let mayBeHeader = names.count > 1 && !first.contains(UInt8(ascii: ":"))
        if options.urlColumn != nil || isHeader { return table }
        // Cells may hold text with addresses, for example HTML.
        let isText = TextFormat.hasPhotos(text)
        if mayBeHeader, !isText || hasAddressCell(text.dropFirst(first.count)) { return table }
        if isText { return TextFormat() }
        guard !text.isEmpty, text.firstRange(of: "://".utf8) == nil else { return AddressLinesFormat() }
        let line = String(decoding: first, as: UTF8.self)
        let isPath = PictureName.isPicture(line)
        throw Failure(
            .feedParse,
            "line 1 is \(isPath ? "the path of a file, not an address" : "no address"): \(line.truncated(to: 80))",
            hint: isPath ? .listSources : nil)
    }

    /// Whether a cell of the first row begins with an address.
    private static func hasAddressCell(_ text: ArraySlice<UInt8>) -> Bool {
        let row = text.drop(while: \.isSpace).prefix { $0 != UInt8(ascii: "\n") }
        return row.split(whereSeparator: { ",;\t".utf8.contains($0) }).contains { cell in
            ListAddress.begins(cell.drop { $0.isSpace || $0 == UInt8(ascii: "\"") })
        }
    }

    /// Whether the first line that is no comment begins with an address.
    private static func beginsWithAddress(_ text: ArraySlice<UInt8>) -> Bool {
        let lines = text.split(whereSeparator: { $0 == UInt8(ascii: "\n") }).lazy.map { $0.drop(while: \.isSpace) }
        let content = lines.first { $0.first.map { $0 != UInt8(ascii: "#") && $0 != UInt8(ascii: "|") } ?? false }
        return content.map { ListAddress.begins($0) } ?? false
    }

}
