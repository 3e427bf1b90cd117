// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Reads an input of libFuzzer as the choices of a generator, so that each input is one sentence of its grammar.
///
/// At the end of the input each choice is the first one, which leaves everything as an honest author writes it.
struct Choices {
    private var rest: ArraySlice<UInt8>

    init(_ bytes: [UInt8]) { rest = bytes[...] }

    var isAtEnd: Bool { rest.isEmpty }

    /// Chooses a number below `count`.
    mutating func pick(_ count: Int) -> Int { Int(rest.popFirst() ?? 0) % count }

    mutating func pick<Element>(_ elements: [Element]) -> Element { elements[pick(elements.count)] }

    /// Whether to do something unusual, which is so once in `count` times.
    mutating func isUnusual(oneIn count: Int) -> Bool { pick(count) == count - 1 }

    /// The remaining choices as bytes.
    mutating func remaining(atMost count: Int) -> [UInt8] {
        defer { rest = rest.dropFirst(count) }
        return Array(rest.prefix(count))
    }

    /// A number that an attacker would write.
    mutating func number() -> Int {
        pick([
            0, 1, 2, -1, 7, 255, 65_536, 1 << 31, (1 << 31) - 1, 1 << 32, 1 << 38, 1 << 44, (1 << 44) + 1, 1 << 53,
            Int.max,
            Int.max - 1, Int.min, Int.min + 1, -1 << 32, 100_000_000,
        ])
    }

    /// A text that an attacker would write.
    mutating func text() -> String {
        pick([
            "", "a", "../../evil", "/etc/passwd", "..", ".", "a/b", "a//b", "a\u{0}b", "\u{1B}[2J", "a\u{202E}b",
            "e\u{301}", "é",
            "<script>alert(1)</script>", "https://a.example/b.jpg", "http://127.0.0.1/", "http://[::1]:8/x",
            "file:///etc/passwd",
            "--trace=x", "mirror", "done", "skipped", "failed", "jpeg", "#aabbcc", "1.5", "1e999", "NaN", "-0",
            "\u{FEFF}", "'\"\\",
            "originals/00001-a.jpg", "thumbs/64/00001-a.jpg", ".sluice/ledger.sqlite", "sha256", "9223372036854775808",
            String(repeating: "a", count: 300), String(repeating: "é", count: 3000), String(repeating: "ab", count: 32),
            String(repeating: "0", count: 64), "{}", "[", "null", "true", "&lt;", "]]>", "%00", "%2e%2e%2f",
            "🏔\u{FE0F}",
        ])
    }
}

/// Changes an honest JSON document: values, types, members and their number.
struct JSONForgery {
    private var choices: Choices

    init(_ choices: Choices) { self.choices = choices }

    /// Returns the text of a changed document.
    mutating func forged(_ json: JSON) -> [UInt8] {
        var text = ""
        write(changed(json, depth: 0), to: &text)
        var bytes = Array(text.utf8)
        // Rarely, the text itself is damaged.
        if choices.isUnusual(oneIn: 50), !bytes.isEmpty { bytes[choices.number() & 0xFFFF % bytes.count] ^= 0x20 }
        return bytes
    }

    private mutating func changed(_ json: JSON, depth: Int) -> JSON {
        guard !choices.isAtEnd else { return json }
        if choices.isUnusual(oneIn: 12) { return value(depth: depth) }
        switch json {
        case .object(let members):
            var changed: [JSON.Member] = []
            for member in members {
                if choices.isUnusual(oneIn: 24) { continue }
                let name = choices.isUnusual(oneIn: 40) ? choices.text() : member.name
                changed.append(JSON.Member(name: name, value: self.changed(member.value, depth: depth + 1)))
                if choices.isUnusual(oneIn: 30) {
                    changed.append(JSON.Member(name: member.name, value: value(depth: depth)))
                }
            }
            return .object(changed)
        case .array(let elements):
            var changed: [JSON] = []
            for element in elements {
                let count = choices.isUnusual(oneIn: 10) ? choices.pick(4) : 1
                for _ in 0..<count { changed.append(self.changed(element, depth: depth + 1)) }
            }
            return .array(changed)
        default: return json
        }
    }

    private mutating func value(depth: Int) -> JSON {
        switch choices.pick(depth > 6 ? 5 : 7) {
        case 0, 1: .number("\(choices.number())")
        case 2: .string(choices.text())
        case 3: choices.pick([.null, .bool(true), .bool(false), .number("1e400"), .number("0.5"), .number("-0")])
        case 4: .number("99999999999999999999999")
        case 5: .array((0..<choices.pick(5)).map { _ in value(depth: depth + 1) })
        default:
            .object(
                (0..<choices.pick(4)).map { _ in JSON.Member(name: choices.text(), value: value(depth: depth + 1)) })
        }
    }

    private func write(_ json: JSON, to text: inout String) {
        switch json {
        case .null: text += "null"
        case .bool(let value): text += "\(value)"
        case .number(let number): text += number
        case .string(let string): write(string, to: &text)
        case .array(let elements):
            text += "["
            for (index, element) in elements.enumerated() {
                if index > 0 { text += "," }
                write(element, to: &text)
            }
            text += "]"
        case .object(let members):
            text += "{"
            for (index, member) in members.enumerated() {
                if index > 0 { text += "," }
                write(member.name, to: &text)
                text += ":"
                write(member.value, to: &text)
            }
            text += "}"
        }
    }

    private func write(_ string: String, to text: inout String) {
        text += "\""
        for scalar in string.unicodeScalars {
            switch scalar {
            case "\"", "\\": text += "\\\(scalar)"
            case _ where scalar.value < 0x20:
                let digits = String(scalar.value, radix: 16)
                text += "\\u" + String(repeating: "0", count: 4 - digits.count) + digits
            default: text.unicodeScalars.append(scalar)
            }
        }
        text += "\""
    }
}

/// An element of an honest XML document, from which documents of an attacker are made.
struct XMLTemplate {
    var name: String
    var text = ""
    var children: [XMLTemplate] = []

    init(_ name: String, _ text: String) { (self.name, self.text) = (name, text) }
    init(_ name: String, _ children: [XMLTemplate]) { (self.name, self.children) = (name, children) }

    /// Returns the text of a changed document.
    func forged(_ choices: inout Choices) -> [UInt8] {
        var text = choices.pick([
            "<?xml version=\"1.0\" encoding=\"UTF-8\"?>", "", "\u{FEFF}", "<!-- c -->",
            "<!DOCTYPE a [<!ENTITY b \"c\"><!ENTITY d \"&b;&b;&b;\">]>", "<?xml version=\"1.0\" encoding=\"UTF-16\"?>",
            "<!DOCTYPE a SYSTEM \"file:///etc/passwd\">",
        ])
        write(to: &text, &choices, depth: 0)
        if choices.isUnusual(oneIn: 20) { text += choices.text() }
        var bytes = Array(text.utf8)
        if choices.isUnusual(oneIn: 20) { bytes = Array(bytes.prefix(choices.pick(256) * bytes.count / 256)) }
        return bytes
    }

    private func write(to text: inout String, _ choices: inout Choices, depth: Int) {
        let times = choices.isUnusual(oneIn: 15) ? choices.pick([0, 2, 3, 20]) : 1
        for _ in 0..<(text.utf8.count > 1 << 18 ? 1 : times) {
            let name = choices.isUnusual(oneIn: 30) ? choices.text() : name
            text += "<" + name
            if choices.isUnusual(oneIn: 12) {
                text += " " + choices.pick(["xmlns", "a", "href", "url"]) + "=\"\(choices.text())\""
            }
            if choices.isUnusual(oneIn: 40) {
                text += "/>"
                continue
            }
            text += ">"
            if choices.isUnusual(oneIn: 10) {
                text += choices.pick([
                    choices.text(), "\(choices.number())", "<![CDATA[\(choices.text())]]>",
                    "&#x\(String(choices.pick(256), radix: 16));",
                    "&d;", "&#99999999;", "<!-- \(choices.text()) -->",
                    String(repeating: "<x>", count: choices.pick(64)),
                ])
            } else {
                text += self.text
            }
            for child in children { child.write(to: &text, &choices, depth: depth + 1) }
            if !choices.isUnusual(oneIn: 40) { text += "</\(name)>" }
        }
    }
}
