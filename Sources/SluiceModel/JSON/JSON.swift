// SPDX-License-Identifier: MIT

/// A JSON text's value, as lenient as feeds are careless.
///
/// Sluice reads JSON with its own small parser, because feeds are hostile: it names the line and column of an error,
/// bounds the depth itself, keeps members in order and numbers as they were written (ids are not doubles), and needs no
/// Foundation, which would cost every start of the command several megabytes.
public enum JSON: Sendable, Hashable {
    case null
    case bool(Bool)
    /// The number's own text.
    case number(String)
    case string(String)
    case array([JSON])
    case object([Member])

    /// A name with its value.
    public struct Member: Sendable, Hashable {
        /// The name.
        public var name: String
        /// The value.
        public var value: JSON

        /// Makes a member.
        public init(name: String, value: JSON) {
            self.name = name
            self.value = value
        }
    }

    /// The value of the first member of that name; `nil` if there is none or this is no object.
    public subscript(name: String) -> JSON? {
        guard case .object(let members) = self else { return nil }
        return members.first { $0.name == name }?.value
    }

    /// The elements, if this is an array.
    public var elements: [JSON]? {
        if case .array(let elements) = self { elements } else { nil }
    }

    /// The text of a string or a number; `nil` for `null`, `""` and everything else, which all mean "absent".
    public var text: String? {
        switch self {
        case .string(let text), .number(let text): text.isEmpty ? nil : text
        default: nil
        }
    }

    /// The whole number that a number or a string states; `nil` where there is none.
    public var integer: Int? {
        guard let text else { return nil }
        if let whole = Int(text) { return whole }
        return Double(text).flatMap { Int(exactly: $0) }
    }
}
