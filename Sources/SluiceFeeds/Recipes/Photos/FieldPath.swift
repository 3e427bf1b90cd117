// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Where a fact is in a record: names joined by dots, with alternatives behind bars (`description|alt_description`).
///
/// Behind a name `[0]` is an element, `[-1]` the last, `[rel=next]` the first element whose member `rel` is `next`, `[]`
/// all of them. `$` in the first place is the whole reply that the record stands in.
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
    /// The path as it is written.
    let text: String

    /// Reads a path; `nil` for one with a bracket that is not closed or a name that is empty.
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

    /// `links[rel=next]` is a name and what is wanted of it.
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

    /// The values of the first alternative that has any but `null` and the empty text.
    func values(in record: JSON, of reply: JSON = .null) -> [JSON] {
        for alternative in alternatives {
            var values = [alternative.isOfReply ? reply : record]
            for step in alternative.steps { values = values.flatMap { Self.take(step, of: $0) } }
            values.removeAll { $0 == .null || $0 == .string("") }
            if !values.isEmpty { return values }
        }
        return []
    }

    /// The first value that is there.
    func value(in record: JSON, of reply: JSON = .null) -> JSON? { values(in: record, of: reply).first }

    /// The text of the first alternative that has one.
    ///
    /// Some services give a list where others give a text: then it is the first.
    func text(in record: JSON, of reply: JSON = .null) -> String? {
        for value in values(in: record, of: reply) {
            if let text = value.text ?? value.elements?.lazy.compactMap(\.text).first { return text }
            if case .bool(let flag) = value { return flag ? "true" : "false" }
        }
        return nil
    }

    private static func take(_ step: Step, of value: JSON) -> [JSON] {
        switch step {
        case .name(let name): return value[name].map { [$0] } ?? []
        case .all: return value.elements ?? []
        case .index(let index):
            guard let elements = value.elements else { return [] }
            let place = index < 0 ? elements.count + index : index
            return elements.indices.contains(place) ? [elements[place]] : []
        case .match(let name, let wanted):
            return value.elements?.first { $0[name]?.text == wanted }.map { [$0] } ?? []
        }
    }
}
