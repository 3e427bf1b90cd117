// SPDX-License-Identifier: MIT

/// Writes JSON texts into a buffer, with members in the order of the calls.
///
/// `JSONEncoder` does not guarantee an order, but manifests must have the same bytes for the same inputs. A member with
/// the value `nil` is omitted.
package struct JSONWriter {
    /// The bytes written so far.
    package private(set) var bytes: [UInt8] = []
    private var needsComma = false

    package init() {}

    /// Clears the buffer and keeps its capacity.
    package mutating func removeAll() {
        bytes.removeAll(keepingCapacity: true)
        needsComma = false
    }

    /// Writes an object; `members` writes its members.
    package mutating func object(_ members: (inout JSONWriter) -> Void) {
        nest("{", "}", members)
    }

    /// Writes an array; `elements` writes its elements.
    package mutating func array(_ elements: (inout JSONWriter) -> Void) {
        nest("[", "]", elements)
    }

    /// Ends a line of JSON Lines.
    package mutating func newline() {
        bytes.append(UInt8(ascii: "\n"))
        needsComma = false
    }

    /// Writes a member with a string; omits it if the value is `nil`.
    package mutating func member(_ name: String, _ value: String?) {
        guard let value else { return }
        key(name)
        self.value(value)
    }

    /// Writes a member with an integer; omits it if the value is `nil`.
    package mutating func member(_ name: String, _ value: Int?) {
        guard let value else { return }
        key(name)
        self.value(value)
    }

    /// Writes a member with a number, rounded to three decimal places.
    package mutating func member(_ name: String, decimal value: Double) {
        key(name)
        literal(Self.decimal(value))
    }

    /// Writes a member with a Boolean.
    package mutating func member(_ name: String, _ value: Bool) {
        key(name)
        literal(value ? "true" : "false")
    }

    /// Writes a member that is `null`, as services do; a manifest omits such a member.
    package mutating func member(null name: String) {
        key(name)
        literal("null")
    }

    /// Writes a member with an object.
    package mutating func object(_ name: String, _ members: (inout JSONWriter) -> Void) {
        key(name)
        object(members)
    }

    /// Writes a member with an array.
    package mutating func array(_ name: String, _ elements: (inout JSONWriter) -> Void) {
        key(name)
        array(elements)
    }

    /// Writes a string as an element of an array.
    package mutating func value(_ text: String) {
        comma()
        quote(text)
        needsComma = true
    }

    /// Writes an integer as an element of an array.
    package mutating func value(_ number: Int) {
        literal(String(number))
    }

    /// Writes a number as an element of an array, rounded to three decimal places.
    package mutating func value(decimal number: Double) {
        literal(Self.decimal(number))
    }

    /// Writes a member with a parsed value.
    package mutating func member(_ name: String, json value: JSON) {
        key(name)
        self.value(json: value)
    }

    /// Writes a parsed value; a number keeps its digits.
    package mutating func value(json value: JSON) {
        switch value {
        case .null: literal("null")
        case .bool(let flag): literal(flag ? "true" : "false")
        case .number(let digits): literal(digits)
        case .string(let text): self.value(text)
        case .array(let elements): array { for element in elements { $0.value(json: element) } }
        case .object(let members): object { for member in members { $0.member(member.name, json: member.value) } }
        }
    }

    private mutating func literal(_ text: String) {
        comma()
        bytes += text.utf8
        needsComma = true
    }

    private mutating func nest(_ open: Unicode.Scalar, _ close: Unicode.Scalar, _ body: (inout JSONWriter) -> Void) {
        comma()
        bytes.append(UInt8(ascii: open))
        needsComma = false
        body(&self)
        bytes.append(UInt8(ascii: close))
        needsComma = true
    }

    private mutating func key(_ name: String) {
        comma()
        quote(name)
        bytes.append(UInt8(ascii: ":"))
        needsComma = false
    }

    private mutating func comma() {
        if needsComma { bytes.append(UInt8(ascii: ",")) }
        needsComma = false
    }

    /// Writes a quoted string.
    ///
    /// Besides JSON's own escapes, it escapes characters that end a line or a script elsewhere (DEL, U+2028, U+2029,
    /// `<`), and the bidirectional controls, which reorder text on a terminal.
    private mutating func quote(_ text: String) {
        bytes.append(UInt8(ascii: "\""))
        var text = text
        text.withUTF8 { buffer in
            var start = 0
            while true {
                // Fast path: most texts need no escapes and are copied in one piece.
                let end = unsafe PlainBytes.end(in: buffer, from: start)
                unsafe bytes.append(contentsOf: buffer[start..<end])
                if end == buffer.count { return }
                guard let scalar = unsafe PlainBytes.scalar(in: buffer, at: end) else { return }
                append(scalar)
                start = end + UTF8.width(scalar)
            }
        }
        bytes.append(UInt8(ascii: "\""))
    }

    private mutating func append(_ scalar: Unicode.Scalar) {
        switch scalar {
        case "\"": bytes += #"\""#.utf8
        case "\\": bytes += #"\\"#.utf8
        case "\n": bytes += #"\n"#.utf8
        case "\r": bytes += #"\r"#.utf8
        case "\t": bytes += #"\t"#.utf8
        case "\0"..<" ", "<", "\u{7F}"..."\u{9F}", "\u{2028}"..."\u{202E}", "\u{2066}"..."\u{2069}": escape(scalar)
        default: bytes += String(scalar).utf8
        }
    }

    private mutating func escape(_ scalar: Unicode.Scalar) {
        bytes += "\\u".utf8
        bytes += String(scalar.value, radix: 16).zeroPadded(to: 4).utf8
    }

    /// Formats a number with three decimal places; infinities and NaN become 0, because JSON cannot express them.
    private static func decimal(_ value: Double) -> String {
        guard let thousandths = Int(exactly: (value * 1000).rounded()) else { return "0" }
        let fraction = String(abs(thousandths) % 1000)
        let sign = thousandths < 0 ? "-" : ""
        return "\(sign)\(abs(thousandths) / 1000)." + fraction.zeroPadded(to: 3)
    }
}
