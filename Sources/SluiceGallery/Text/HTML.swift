// SPDX-License-Identifier: MIT

/// HTML under construction, which strangers' text enters in one way only: escaped.
///
/// Markup is a `StaticString`, that is, it stands in the source; whatever is computed goes through ``text(_:)``, which
/// is safe between tags and within quoted attributes alike.
struct HTML {
    private(set) var bytes: [UInt8] = []

    init() {}

    /// Markup that is one of the package's own files.
    init(ours bytes: [UInt8]) { self.bytes = bytes }

    /// Appends markup.
    mutating func markup(_ markup: StaticString) {
        unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: markup.utf8Start, count: markup.utf8CodeUnitCount))
    }

    /// Appends markup that was built before.
    mutating func append(_ other: HTML) {
        bytes += other.bytes
    }

    /// Appends text: it stays text, also within a quoted attribute.
    mutating func text(_ text: String) {
        // Nearly every text is plain, and copied as it is.
        if text.utf8.allSatisfy(Self.isPlain) {
            bytes += text.utf8
            return
        }
        for byte in text.utf8 { append(byte) }
    }

    private mutating func append(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "&"): bytes += "&amp;".utf8
        case UInt8(ascii: "<"): bytes += "&lt;".utf8
        case UInt8(ascii: ">"): bytes += "&gt;".utf8
        case UInt8(ascii: "\""): bytes += "&quot;".utf8
        case UInt8(ascii: "'"): bytes += "&#39;".utf8
        case _ where Self.isPlain(byte): bytes.append(byte)
        // HTML has no word for a control character, not even an escaped one.
        default: bytes += "\u{FFFD}".utf8
        }
    }

    private static func isPlain(_ byte: UInt8) -> Bool {
        switch byte {
        case 0x09, 0x0A, 0x0D: true
        case 0x00..<0x20, 0x7F: false
        case UInt8(ascii: "&"), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "\""), UInt8(ascii: "'"): false
        default: true
        }
    }

    /// Appends a whole number.
    mutating func number(_ number: Int) {
        bytes += String(number).utf8
    }

    /// Appends ` name="value"`; nothing if there is no value.
    mutating func attribute(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        markup(" ")
        markup(name)
        markup("=\"")
        text(value)
        markup("\"")
    }

    /// Appends ` name="number"`; nothing if there is none.
    mutating func attribute(_ name: StaticString, _ value: Int?) {
        attribute(name, value.map(String.init))
    }

    /// Appends a stranger's text as a link where its address is one of the web's, and as mere text where not.
    mutating func link(_ text: String, to address: String?) {
        if let address = address.flatMap(WebLink.init) {
            markup("<a rel=\"noopener noreferrer nofollow\"")
            attribute("href", address.address)
            markup("><bdi>")
            self.text(text)
            markup("</bdi></a>")
        } else {
            markup("<bdi>")
            self.text(text)
            markup("</bdi>")
        }
    }
}
