// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The path of a value in a JSON record, such as `user.name` or `description|alt_description`.
///
/// Dots join names and bars separate alternatives. After a name, `[0]` selects an element, `[-1]` the last one, `[]`
/// all of them, and `[rel=next]` the first element whose member `rel` is `next`. A leading `$` is the reply that
/// contains the record.
struct FieldPath: Sendable, Hashable {
    private enum Step: Sendable, Hashable {
        case name(String)
        case index(Int)
        case match(name: String, value: String)
        case all
    }

    private struct Alternative: Sendable, Hashable {
        var isOfReply: Bool
        var steps: [Step]
    }

    private var alternatives: [Alternative] = []
    /// The path's source text.
    let text: String

    /// Parses a path; `nil` if it has an unclosed bracket or an empty name.
    init?(_ text: String) {
        self.text = text
        for part in text.split(separator: "|", omittingEmptySubsequences: false) {
            var steps: [Step] = []
            if !part.isEmpty {
                for name in part.split(separator: ".", omittingEmptySubsequences: false) {
                    guard let read = Self.steps(of: name) else { return nil }
                    steps += read
                }
            }
            let isOfReply = steps.first == .name("$")
            alternatives.append(Alternative(isOfReply: isOfReply, steps: isOfReply ? Array(steps.dropFirst()) : steps))
        }
    }

    /// The path to the record itself.
    static let whole = FieldPath()
    private init() { (text, alternatives) = ("", [Alternative(isOfReply: false, steps: [])]) }

    /// Parses a name and its selectors, such as `links[rel=next]`.
    private static func steps(of text: Substring) -> [Step]? {
        let name = text.prefix { $0 != "[" }
        var rest = text[name.endIndex...]
        var steps = name.isEmpty ? [] : [Step.name(String(name))]
        while !rest.isEmpty {
            guard rest.first == "[", let end = rest.firstIndex(of: "]") else { return nil }
            let inside = rest[rest.index(after: rest.startIndex)..<end]
            let pair = inside.split(separator: "=", maxSplits: 1).map(String.init)
            if inside.isEmpty {
                steps.append(.all)
            } else if let index = Int(inside) {
                steps.append(.index(index))
            } else if pair.count == 2 {
                steps.append(.match(name: pair[0], value: pair[1]))
            } else {
                return nil
            }
            rest = rest[rest.index(after: end)...]
        }
        return steps.isEmpty ? nil : steps
    }

    /// Returns the values of the first alternative that has any, ignoring `null` and empty texts.
    func values(in record: JSON, of reply: JSON = .null) -> [JSON] {
        for alternative in alternatives {
            var values = [alternative.isOfReply ? reply : record]
            for step in alternative.steps { values = values.flatMap { Self.select(step, in: $0) } }
            values.removeAll { $0 == .null || $0 == .string("") }
            if !values.isEmpty { return values }
        }
        return []
    }

    /// Returns the first value.
    func value(in record: JSON, of reply: JSON = .null) -> JSON? { values(in: record, of: reply).first }

    /// Returns the first value as text; of a list, its first text, because some services give a list for a single text.
    func text(in record: JSON, of reply: JSON = .null) -> String? {
        for value in values(in: record, of: reply) {
            if let text = value.text ?? value.elements?.lazy.compactMap(\.text).first { return text }
            if case .bool(let flag) = value { return flag ? "true" : "false" }
        }
        return nil
    }

    private static func select(_ step: Step, in value: JSON) -> [JSON] {
        switch step {
        case .name(let name): return value[name].map { [$0] } ?? []
        case .all: return value.elements ?? []
        case .index(let index):
            guard let elements = value.elements else { return [] }
            let place = index < 0 ? elements.count + index : index
            return elements.indices.contains(place) ? [elements[place]] : []
        case .match(let name, let wanted):
            return value.elements?.first { $0[name]?.text === wanted }.map { [$0] } ?? []
        }
    }
}
