// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The columns of a list's record that are no photo field, as the members of a JSON object.
///
/// A record is limited in length, and so is the object.
struct OtherColumns {
    private var members: [JSON.Member] = []

    /// Adds a column of a table, a number with its digits; an empty value is missing.
    mutating func add(_ name: String, text: String) {
        guard !text.isEmpty else { return }
        add(name, Self.value(text))
    }

    /// Returns a number with its digits, or else the text.
    static func value(_ text: String) -> JSON { isNumber(text.utf8) ? .number(text) : .string(text) }

    /// Adds a member unless it is null.
    mutating func add(_ name: String, _ value: JSON) {
        guard value != .null else { return }
        members.append(JSON.Member(name: name, value: value.kept))
    }

    /// The object; `nil` without columns.
    var text: String? { members.isEmpty ? nil : JSON.object(members).serialized }

    /// Whether the text is a number in JSON that an integer of 64 bits or a double holds; others, like `007`, remain
    /// texts.
    private static func isNumber(_ text: String.UTF8View) -> Bool {
        var rest = text.first == UInt8(ascii: "-") ? text.dropFirst() : text[...]
        func takeDigits() -> Int {
            let digits = rest.prefix { (0x30...0x39).contains($0) }.count
            rest = rest.dropFirst(digits)
            return digits
        }
        let startsWithZero = rest.first == UInt8(ascii: "0")
        let whole = takeDigits()
        guard (1...(startsWithZero ? 1 : 19)).contains(whole) else { return false }
        if rest.isEmpty { return whole <= 15 || Int(String(text)) != nil }
        if rest.first == UInt8(ascii: ".") {
            rest = rest.dropFirst()
            let fraction = takeDigits()
            guard fraction > 0, whole <= 15 || whole + fraction <= 17 else { return false }
        } else if whole > 15 {
            return false
        }
        if let mark = rest.first, mark | 0x20 == UInt8(ascii: "e") {
            rest = rest.dropFirst()
            if let sign = rest.first, sign == UInt8(ascii: "+") || sign == UInt8(ascii: "-") { rest = rest.dropFirst() }
            guard (1...3).contains(takeDigits()) else { return false }
        }
        return rest.isEmpty
    }
}

extension JSON {
    /// The value without the credentials of addresses in its texts; long numbers are texts.
    fileprivate var kept: JSON {
        switch self {
        case .string(let text): .string(Userinfo.removed(fromText: text))
        case .array(let elements): .array(elements.map(\.kept))
        case .object(let members):
            .object(members.map { JSON.Member(name: $0.name, value: $0.value.kept) })
        case .number(let digits): OtherColumns.value(digits)
        case .null, .bool: self
        }
    }
}

extension ListOptions {
    /// Whether a record keeps the column with this name if it is no photo field.
    func keeps(_ name: String) -> Bool { keptColumns?.contains(name) ?? true }
}
