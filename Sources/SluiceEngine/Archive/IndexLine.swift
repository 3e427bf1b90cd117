// SPDX-License-Identifier: MIT

internal import SluiceTransfer

/// A line of a CDXJ index: the key and time of a response, and where its record is.
struct IndexLine {
    var url: String
    /// The record's time, as in its header.
    var date: String
    var mediaType: String?
    var status: Int
    var digest: String
    var length: Int
    var offset: Int
    var file: String

    /// The line without its line end.
    var text: String {
        let key = WebAddress(url).map(SortKey.of) ?? url
        let time = String(decoding: date.utf8.filter { (0x30...0x39).contains($0) }, as: UTF8.self)
        let members: [(String, String?)] = [
            ("url", url), ("mime", mediaType.flatMap(Self.name)), ("status", "\(status)"), ("digest", digest),
            ("length", "\(length)"), ("offset", "\(offset)"), ("filename", file),
        ]
        let object = members.compactMap { name, value in value.map { "\"\(name)\": \"\(Self.escaped($0))\"" } }
        return "\(key) \(time) {\(object.joined(separator: ", "))}"
    }

    /// The name of a media type, without its parameters; `nil` for an empty one.
    private static func name(of type: String) -> String? {
        let name = type.utf8.prefix { $0 != UInt8(ascii: ";") && $0 > 0x20 }
        return name.isEmpty ? nil : String(Substring(name))
    }

    /// Escapes a text for JSON in ASCII.
    private static func escaped(_ text: String) -> String {
        var result = ""
        for unit in text.utf16 {
            switch unit {
            case 0x22, 0x5C: result += "\\" + String(UnicodeScalar(UInt8(unit)))
            case 0x20..<0x7F: result.unicodeScalars.append(UnicodeScalar(UInt8(unit)))
            default:
                let digits = String(unit, radix: 16)
                result += "\\u" + String(repeating: "0", count: 4 - digits.utf8.count) + digits
            }
        }
        return result
    }
}
