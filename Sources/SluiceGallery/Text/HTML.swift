// SPDX-License-Identifier: MIT

/// Builds HTML in which untrusted text is always escaped.
///
/// Markup must be a `StaticString`, a literal in the source. Computed text goes through ``text(_:)``, which is safe
/// between tags and in quoted attributes.
struct HTML {
    private(set) var bytes: [UInt8] = []

    init() {}

    /// Makes HTML from one of the package's resources, which is trusted.
    init(trusted bytes: [UInt8]) { self.bytes = bytes }

    mutating func markup(_ markup: StaticString) {
        unsafe bytes.append(contentsOf: UnsafeBufferPointer(start: markup.utf8Start, count: markup.utf8CodeUnitCount))
    }

    /// Appends HTML that was already built.
    mutating func append(_ other: HTML) {
        bytes += other.bytes
    }

    /// Appends escaped text.
    ///
    /// Also valid in a quoted attribute.
    mutating func text(_ text: String) {
        var text = text
        text.withUTF8 { buffer in
            // Fast path: most texts need no escaping.
            if unsafe buffer.allSatisfy(Self.isPlain) {
                unsafe bytes.append(contentsOf: buffer)
            } else {
                for index in buffer.indices { append(unsafe buffer[index]) }
            }
        }
    }

    private mutating func append(_ byte: UInt8) {
        switch byte {
        case UInt8(ascii: "&"): bytes += "&amp;".utf8
        case UInt8(ascii: "<"): bytes += "&lt;".utf8
        case UInt8(ascii: ">"): bytes += "&gt;".utf8
        case UInt8(ascii: "\""): bytes += "&quot;".utf8
        case UInt8(ascii: "'"): bytes += "&#39;".utf8
        case _ where Self.isPlain(byte): bytes.append(byte)
        // HTML cannot represent control characters, not even escaped.
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

    mutating func number(_ number: Int) {
        bytes += String(number).utf8
    }

    /// Appends ` name="value"`; nothing if the value is `nil`.
    mutating func attribute(_ name: StaticString, _ value: String?) {
        guard let value else { return }
        markup(" ")
        markup(name)
        markup("=\"")
        text(value)
        markup("\"")
    }

    /// Appends ` name="number"`; nothing if the number is `nil`.
    mutating func attribute(_ name: StaticString, _ value: Int?) {
        attribute(name, value.map(String.init))
    }

    /// Appends untrusted text, as a link if the URL is a valid web link.
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

/// A page with placeholders of the form `{{name}}`, which are replaced with HTML.
///
/// Inserted HTML is not searched for placeholders.
struct HTMLTemplate {
    private let bytes: [UInt8]

    init(_ bytes: [UInt8]) {
        self.bytes = bytes
    }

    func filled(_ values: [String: HTML]) -> [UInt8] {
        var filled: [UInt8] = []
        var rest = bytes[...]
        while let start = rest.range(ofTwo: UInt8(ascii: "{")),
            let end = rest[start.upperBound...].range(ofTwo: UInt8(ascii: "}"))
        {
            filled += rest[..<start.lowerBound]
            let name = String(decoding: rest[start.upperBound..<end.lowerBound], as: UTF8.self)
            guard let value = values[name] else { preconditionFailure("no value for the placeholder \(name)") }
            filled += value.bytes
            rest = rest[end.upperBound...]
        }
        return filled + rest
    }
}

extension ArraySlice<UInt8> {
    /// The range of the first two bytes in a row that equal this one.
    fileprivate func range(ofTwo byte: UInt8) -> Range<Int>? {
        var rest = self
        while let start = rest.firstIndex(of: byte) {
            let next = start + 1
            if next < endIndex, self[next] == byte { return start..<next + 1 }
            rest = self[next...]
        }
        return nil
    }
}
