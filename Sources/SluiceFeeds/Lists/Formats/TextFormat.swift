// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A text with addresses in it: Markdown, YAML, quoted addresses, notes.
///
/// An address in a sentence is a photo if it ends like one; an address with nothing but punctuation around it always
/// is.
struct TextFormat: ListFormat {
    private(set) var note: String?

    mutating func next(from buffer: inout ListBuffer, more: inout [Photo]) throws(Failure) -> Photo? {
        while let line = try buffer.nextLine() {
            guard !line.isTooLong else { return ListRecord.invalid(line: line.number, ListBuffer.tooLong) }
            let text = ListText(buffer.window[line.range]).text
            let addresses = Self.photos(in: text)
            if let first = addresses.first {
                more = addresses.dropFirst().reversed().map(ListRecord.photo)
                return ListRecord.photo(at: first)
            }
            if !text.isEmpty { note = "lines without the address of a picture are ignored" }
        }
        return nil
    }

    /// Whether a text has the address of a photo.
    static func hasPhotos(_ text: ArraySlice<UInt8>) -> Bool {
        text.split(whereSeparator: { $0 == UInt8(ascii: "\n") }).contains {
            !photos(in: String(decoding: $0, as: UTF8.self)).isEmpty
        }
    }

    /// Returns the addresses of a line's photos.
    static func photos(in line: String) -> [String] {
        let bytes = Array(line.utf8)
        var (found, others): ([String], [UInt8]) = ([], [])
        var index = 0
        while index < bytes.count {
            let isInWord = index > 0 && Self.isLetter(bytes[index - 1])
            guard !isInWord, ListAddress.begins(bytes[index...]) else {
                others.append(bytes[index])
                index += 1
                continue
            }
            let end = end(ofAddressAt: index, in: bytes)
            found.append(address(bytes[index..<end], after: index > 0 ? bytes[index - 1] : nil))
            index = end
        }
        let isAlone = found.count == 1 && !others.contains(where: Self.isLetter)
        return isAlone ? found : found.filter(PictureName.isPicture)
    }

    /// Returns where an address ends: at a space, a quote or an unmatched bracket, after a picture's name at a comma,
    /// a semicolon or a bracket, and before a sentence's punctuation.
    private static func end(ofAddressAt start: Int, in bytes: [UInt8]) -> Int {
        let quote = start > 0 && bytes[start - 1] == UInt8(ascii: "'") ? UInt8(ascii: "'") : UInt8(ascii: "\"")
        var (end, depth) = (start, 0)
        scan: while end < bytes.count {
            switch bytes[end] {
            case ...0x20, 0x7F, quote, UInt8(ascii: "\""), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "`"),
                UInt8(ascii: "|"), UInt8(ascii: "\\"):
                break scan
            // In a query, such as `?a=1&amp;b=2`, they belong to the address.
            case let byte
            where ",;[".utf8.contains(byte) && !bytes[start..<end].contains(UInt8(ascii: "?"))
                && PictureName.isPicture(String(decoding: bytes[start..<end], as: UTF8.self)):
                break scan
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): depth += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"):
                guard depth > 0 else { break scan }
                depth -= 1
            default: break
            }
            end += 1
        }
        while end > start, ",;.:!?".utf8.contains(bytes[end - 1]) { end -= 1 }
        return end
    }

    /// The text of an address; in an attribute of HTML, its ampersands are written as entities.
    private static func address(_ bytes: ArraySlice<UInt8>, after previous: UInt8?) -> String {
        let text = String(decoding: bytes, as: UTF8.self)
        let isQuoted = previous == UInt8(ascii: "\"") || previous == UInt8(ascii: "'")
        return isQuoted ? text.replacing("&amp;", with: "&") : text
    }

    private static func isLetter(_ byte: UInt8) -> Bool {
        (UInt8(ascii: "a")...UInt8(ascii: "z")).contains(byte | 0x20) || byte >= 0x80
    }
}
