// SPDX-License-Identifier: MIT

internal import SluiceTransfer

/// The header of a WARC 1.1 record, and the bytes of its block that are in memory.
struct ArchiveRecord {
    enum Kind: String {
        case warcinfo, request, response, revisit
    }

    /// The record's identifier, in angle brackets.
    let id = Self.makeID()
    /// The lines of the header that differ between records.
    private(set) var fields: [(name: String, value: String)]
    /// The beginning of the block.
    let block: [UInt8]

    init(_ kind: Kind, date: String, block: [UInt8]) {
        fields = [("WARC-Type", kind.rawValue), ("WARC-Record-ID", id), ("WARC-Date", date)]
        self.block = block
    }

    /// Adds a line; a value from a server must not have line breaks.
    mutating func add(_ name: String, _ value: String?) {
        guard let value, value.utf8.allSatisfy({ $0 >= 0x20 && $0 != 0x7F }) else { return }
        fields.append((name, value))
    }

    /// The header of a block with this many bytes, and the empty line after it.
    func header(length: Int) -> [UInt8] {
        let lines = ["WARC/1.1"] + fields.map { "\($0.name): \($0.value)" } + ["Content-Length: \(length)", "", ""]
        return Array(lines.joined(separator: "\r\n").utf8)
    }

    /// The bytes after each block.
    static let end: [UInt8] = [13, 10, 13, 10]

    /// Makes a random identifier (UUID version 4).
    private static func makeID() -> String {
        var bytes = (0..<16).map { _ in UInt8.random(in: 0...255) }
        bytes[6] = bytes[6] & 0x0F | 0x40
        bytes[8] = bytes[8] & 0x3F | 0x80
        let text = bytes.map { ($0 < 16 ? "0" : "") + String($0, radix: 16) }
        let groups = [text[0..<4], text[4..<6], text[6..<8], text[8..<10], text[10..<16]].map { $0.joined() }
        return "<urn:uuid:\(groups.joined(separator: "-"))>"
    }
}

extension RecordedHeads {
    /// Whether the exchange used HTTP/2, whose heads are recorded in the form of HTTP/1.1.
    var isHTTP2: Bool { response.starts(with: "HTTP/2".utf8) }

    /// The fields that Sluice itself sends; others may be secrets of the user, such as cookies and keys.
    private static let ownFields: Set<String> = [
        "host", "user-agent", "accept", "accept-encoding", "range", "if-range", "if-none-match", "if-modified-since",
        "connection", "upgrade", "http2-settings",
    ]

    /// The request's head, without the values of fields that the user gave.
    var archivedRequest: [UInt8] {
        Self.mapLines(of: request) { (line, isFirst) in
            if isFirst { return Self.replacing(" HTTP/2\r\n", by: " HTTP/1.1\r\n", atEndOf: line) }
            let name = line.prefix { $0 != UInt8(ascii: ":") }
            let isOwn = Self.ownFields.contains(String(decoding: name, as: UTF8.self).lowercased())
            guard !isOwn, name.count < line.count else { return line }
            return Array(name) + Array(": redacted\r\n".utf8)
        }
    }

    /// The response's head; with a body in chunks, `Transfer-Encoding` has the prefix `X-Crawler-`, because the body
    /// is stored without them.
    var archivedResponse: [UInt8] {
        Self.mapLines(of: response) { (line, isFirst) in
            if isFirst, isHTTP2 { return Array("HTTP/1.1".utf8) + line.drop { $0 != UInt8(ascii: " ") } }
            let name = String(decoding: line.prefix(18), as: UTF8.self).lowercased()
            return name.utf8.elementsEqual("transfer-encoding:".utf8) ? Array("X-Crawler-".utf8) + line : line
        }
    }

    private static func mapLines(of head: [UInt8], _ body: ([UInt8], _ isFirst: Bool) -> [UInt8]) -> [UInt8] {
        var result: [UInt8] = []
        var rest = head[...]
        while let end = rest.firstIndex(of: 10) {
            result += body(Array(rest[...end]), rest.startIndex == head.startIndex)
            rest = rest[(end + 1)...]
        }
        return result + rest
    }

    private static func replacing(_ suffix: String, by other: String, atEndOf line: [UInt8]) -> [UInt8] {
        let count = suffix.utf8.count
        guard line.suffix(count).elementsEqual(suffix.utf8) else { return line }
        return Array(line.dropLast(count)) + Array(other.utf8)
    }
}
