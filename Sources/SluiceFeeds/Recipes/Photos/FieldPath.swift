// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The path of a value in a JSON record, such as `user.name` or `description|alt_description`.
///
/// Dots join names and bars separate alternatives. After a name, brackets select elements of a list: `[0]` by position,
/// `[-1]` from the end, `[]` all of them (also the values of an object), `[height]` those that have a member,
/// `[rel=next]` by the text of a member, `[href$=.jpg]` by its end, `[href^=/a]` by its beginning, `[href*=.jpg]` by a
/// part of it, `[language.id=en]` by a member further below, and `[>width]` and `[<width]` by the largest and smallest
/// number. A position after such a selector counts the selected elements. Without a member's name they apply to the
/// elements themselves. A leading `$` is the reply that contains the record, `@` the element of the record that is the
/// photo, and `#` the number of the photo in the record.
struct FieldPath: Sendable, Hashable {
    private enum Comparison: String, Sendable, Hashable, CaseIterable {
        case end = "$="
        case start = "^="
        case part = "*="
        case whole = "="
    }

    private enum Step: Sendable, Hashable {
        case name(String)
        case index(Int)
        /// By position among the elements that were selected before.
        case position(Int)
        case match(name: String, Comparison, value: String)
        case extreme(name: String, isLargest: Bool)
        case having(name: String)
        case all
    }

    private enum Root: String, Sendable, Hashable {
        case reply = "$"
        case element = "@"
        case number = "#"
        case record = ""
    }

    private struct Alternative: Sendable, Hashable {
        var root: Root
        var steps: [Step]
    }

    private var alternatives: [Alternative] = []
    let text: String

    /// Parses a path; `nil` if it has an unclosed bracket or an empty name.
    init?(_ text: String) {
        self.text = text
        guard let parts = Self.split(text[...], at: "|") else { return nil }
        for part in parts {
            var steps: [Step] = []
            if !part.isEmpty {
                for name in Self.split(part, at: ".") ?? [] {
                    guard let read = Self.steps(of: name) else { return nil }
                    steps += read
                }
            }
            var root = Root.record
            if case .name(let name)? = steps.first, let other = Root(rawValue: name) {
                root = other
                steps.removeFirst()
            }
            alternatives.append(Alternative(root: root, steps: steps))
        }
    }

    /// The path to the record itself.
    static let whole = FieldPath()
    private init() { (text, alternatives) = ("", [Alternative(root: .record, steps: [])]) }

    /// Splits a text at separators outside brackets; `nil` if a bracket is not closed.
    private static func split(_ text: Substring, at separator: Character) -> [Substring]? {
        var parts: [Substring] = []
        var start = text.startIndex
        var isInBrackets = false
        for index in text.indices {
            switch text[index] {
            case "[": isInBrackets = true
            case "]": isInBrackets = false
            case separator where !isInBrackets:
                parts.append(text[start..<index])
                start = text.index(after: index)
            default: break
            }
        }
        return isInBrackets ? nil : parts + [text[start...]]
    }

    /// Parses a name and its selectors, such as `links[rel=next]`.
    private static func steps(of text: Substring) -> [Step]? {
        let name = text.prefix { $0 != "[" }
        var rest = text[name.endIndex...]
        var steps = name.isEmpty ? [] : [Step.name(String(name))]
        while !rest.isEmpty {
            guard rest.first == "[", let end = rest.firstIndex(of: "]") else { return nil }
            guard let step = selector(rest[rest.index(after: rest.startIndex)..<end]) else { return nil }
            if case .index(let index) = step, case .match? = steps.last {
                steps.append(.position(index))
            } else {
                steps.append(step)
            }
            rest = rest[rest.index(after: end)...]
        }
        return steps.isEmpty ? nil : steps
    }

    /// Parses the text between brackets.
    private static func selector(_ inside: Substring) -> Step? {
        if inside.isEmpty { return .all }
        if let index = Int(inside)?.within(Quantity.integers) { return .index(index) }
        if let sign = inside.first, sign == ">" || sign == "<" {
            return .extreme(name: String(inside.dropFirst()), isLargest: sign == ">")
        }
        for comparison in Comparison.allCases {
            guard let range = inside.firstRange(of: comparison.rawValue) else { continue }
            let value = String(inside[range.upperBound...])
            guard !value.isEmpty else { return nil }
            return .match(name: String(inside[..<range.lowerBound]), comparison, value: value)
        }
        let isName = inside.utf8.allSatisfy {
            UInt8(ascii: "a") <= $0 | 0x20 && $0 | 0x20 <= UInt8(ascii: "z") || $0 == 0x5F
        }
        return isName ? .having(name: String(inside)) : nil
    }

    /// Returns the values of the first alternative that has any, ignoring `null` and empty texts.
    func values(in context: FieldContext) -> [JSON] {
        for alternative in alternatives {
            var values =
                switch alternative.root {
                case .reply: [context.reply]
                case .element: [context.element ?? context.record]
                case .number: [JSON.number(String(context.number))]
                case .record: [context.record]
                }
            for step in alternative.steps { values = Self.select(step, in: values) }
            values.removeAll { $0 == .null || $0 == .string("") }
            if !values.isEmpty { return values }
        }
        return []
    }

    func values(in record: JSON) -> [JSON] { values(in: FieldContext(record)) }

    func value(in record: JSON) -> JSON? { values(in: record).first }

    /// Returns the first value as text; of a list, its first text, because some services give a list for a single text.
    ///
    /// Texts that do not meet the condition are ignored.
    func text(in context: FieldContext, where isWanted: (String) -> Bool = { _ in true }) -> String? {
        for value in values(in: context) {
            let texts = value.text.map { [$0] } ?? value.elements?.compactMap(\.text) ?? []
            if let text = texts.first(where: isWanted) { return text }
            if case .bool(let flag) = value { return flag ? "true" : "false" }
        }
        return nil
    }

    func text(in record: JSON) -> String? { text(in: FieldContext(record)) }

    /// Returns the texts of all values, and of their elements; a single text may list several, separated by commas.
    func texts(in context: FieldContext) -> [String] {
        let texts = values(in: context).flatMap { value in
            value.text.map { [$0] } ?? value.elements?.compactMap(\.text) ?? []
        }
        return texts.count == 1 ? TagList(text: texts[0]).tags : texts
    }

    private static func select(_ step: Step, in values: [JSON]) -> [JSON] {
        switch step {
        case .name(let name): return values.compactMap { $0[name] }
        case .all:
            return values.flatMap { value in
                if case .object(let members) = value { return members.map(\.value) }
                return value.elements ?? []
            }
        case .having(let name): return values.flatMap { $0.elements ?? [$0] }.filter { $0[name] ?? .null != .null }
        case .index(let index):
            return values.compactMap { element(at: index, of: $0.elements ?? []) }
        case .position(let index): return [element(at: index, of: values)].compactMap(\.self)
        case .match(let name, let comparison, let wanted):
            return values.flatMap { value in
                (value.elements ?? [value]).filter { element in
                    texts(of: element, at: name).contains { text in
                        switch comparison {
                        case .end: text.utf8.reversed().starts(with: wanted.utf8.reversed())
                        case .start: text.utf8.starts(with: wanted.utf8)
                        case .part: text.utf8.firstRange(of: wanted.utf8) != nil
                        case .whole: text.utf8.elementsEqual(wanted.utf8)
                        }
                    }
                }
            }
        case .extreme(let name, let isLargest): return extreme(name, isLargest, of: values)
        }
    }

    /// Returns the texts at a member of an element, or below it, such as `language.id`; an empty name is the element.
    private static func texts(of element: JSON, at name: String) -> [String] {
        let names = name.split(separator: ".")
        return names.reduce([element]) { values, name in
            values.flatMap { $0.elements ?? [$0] }.compactMap { $0[String(name)] }
        }.compactMap(\.text)
    }

    /// Returns the element at a position, which counts from the end if it is negative.
    private static func element(at index: Int, of elements: [JSON]) -> JSON? {
        let place = index < 0 ? elements.count + index : index
        return elements.indices.contains(place) ? elements[place] : nil
    }

    /// Returns the element with the largest or smallest number, of lists or of the elements selected before.
    private static func extreme(_ name: String, _ isLargest: Bool, of values: [JSON]) -> [JSON] {
        var best: (number: Int, element: JSON)?
        for element in values.flatMap({ $0.elements ?? [$0] }) {
            guard let number = (name.isEmpty ? element : element[name])?.anyInteger else { continue }
            if best.map({ isLargest ? number > $0.number : number < $0.number }) ?? true { best = (number, element) }
        }
        return best.map { [$0.element] } ?? []
    }
}
