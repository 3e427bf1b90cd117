// SPDX-License-Identifier: MIT

/// A JSON value, with lenient accessors for careless feeds.
///
/// Sluice has its own small parser because feeds are untrusted. The parser reports the line and column of an error,
/// limits the depth, and keeps members in order. It keeps numbers as text, because ids do not fit into doubles. It does
/// not need Foundation, which would cost several megabytes at every start of the command.
package enum JSON: Sendable, Hashable {
    case null
    case bool(Bool)
    /// A number, as the text in the source.
    case number(String)
    case string(String)
    case array([JSON])
    case object([Member])

    /// A member of an object.
    package struct Member: Sendable, Hashable {
        package var name: String
        package var value: JSON

        package init(name: String, value: JSON) {
            self.name = name
            self.value = value
        }
    }

    /// The value of the first member with a name; `nil` if there is no such member, or if the value is not an object.
    package subscript(name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The elements; `nil` if the value is not an array.
    package var elements: [JSON]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The text of a string or a number; `nil` for an empty string and all other values, which count as absent.
    package var text: String? {
        switch self {
        case .string(let text), .number(let text): text.isEmpty ? nil : text
        default: nil
        }
    }

    /// The value as JSON text.
    package var serialized: String {
        var writer = JSONWriter()
        writer.value(json: self)
        return String(decoding: writer.bytes, as: UTF8.self)
    }

    /// The integer in a number or a string, of any size; `nil` for other values.
    ///
    /// It is for values that are only stored, printed or compared. Arithmetic with it may overflow.
    package var anyInteger: Int? {
        guard let text else { return nil }
        if let whole = Int(text) { return whole }
        return Double(text).flatMap { Int(exactly: $0) }
    }

    /// The integer in a number or a string; `nil` for other values and outside of ``Quantity/integers``.
    package var integer: Int? { anyInteger?.within(Quantity.integers) }

    /// The integer, if it is one that Sluice may have written as a count or a size; otherwise `nil`.
    package var quantity: Int? { anyInteger?.within(Quantity.range) }

    /// The integer, if it is a possible time in seconds since 1970; otherwise `nil`.
    package var time: Int? { anyInteger?.within(Quantity.times) }

    /// The integer, if it is a possible width or height in pixels; otherwise `nil`.
    package var side: Int? { anyInteger?.within(Quantity.sides) }
}
