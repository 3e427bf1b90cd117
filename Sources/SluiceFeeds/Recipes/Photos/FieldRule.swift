// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The rule that finds a field in a record: a path, a constant or a template, with optional conversions.
struct FieldRule: Sendable, Hashable {
    /// The members of a rule in object form.
    static let members = ["path", "value", "template", "html", "map"]

    private enum ValueSource: Sendable, Hashable {
        case path(FieldPath)
        case value(String)
        case template(FieldTemplate)
    }

    private struct Alternative: Sendable, Hashable {
        var source: ValueSource
        var isHTML = false
        var map: [String: String]?
    }

    private var alternatives: [Alternative] = []

    /// Reads a rule: a path as a string, an object, or an array of these, of which the first with a value applies.
    ///
    /// The object may also have `otherMembers`, which the caller reads.
    init(_ node: RecipeNode, otherMembers: [String] = []) {
        switch node.json {
        case .array: alternatives = node.children.compactMap { Self.alternative($0.node, otherMembers) }
        default: alternatives = Self.alternative(node, otherMembers).map { [$0] } ?? []
        }
    }

    private static func alternative(_ node: RecipeNode, _ otherMembers: [String]) -> Alternative? {
        if case .string(let text) = node.json, !text.isEmpty {
            return path(text, node).map { Alternative(source: $0) }
        }
        guard case .object = node.json else {
            node.report("expected a path, or an object with a path, a value or a template")
            return nil
        }
        node.checkMembers(members + otherMembers)
        let sources = ["path", "value", "template"].filter { node[$0] != nil }
        guard sources.count == 1, let name = sources.first, let member = node[name], let text = member.text else {
            node.report("expected exactly one of path, value and template")
            return nil
        }
        let source: ValueSource?
        switch name {
        case "path": source = path(text, member)
        case "value": source = .value(text)
        default:
            source = FieldTemplate(text).map { .template($0) }
            if source == nil { member.report(RecipeNode.invalidTemplate) }
        }
        guard let source else { return nil }
        let map = node["map"].map { _ in Dictionary(node.texts("map").map { ($0.name, $0.value) }) { first, _ in first }
        }
        return Alternative(source: source, isHTML: node.flag("html"), map: map)
    }

    private static func path(_ text: String, _ node: RecipeNode) -> ValueSource? {
        if let path = FieldPath(text) { return .path(path) }
        node.report(RecipeNode.invalidPath)
        return nil
    }

    /// Returns the field's text; `nil` if the record does not have it.
    func text(in record: JSON, of reply: JSON) -> String? {
        for alternative in alternatives {
            guard var text = Self.text(from: alternative.source, in: record, of: reply) else { continue }
            if alternative.isHTML { text = plainText(fromHTML: text) }
            if let map = alternative.map {
                guard let mapped = map[text] else { continue }
                text = mapped
            }
            if !text.isEmpty { return text }
        }
        return nil
    }

    private static func text(from source: ValueSource, in record: JSON, of reply: JSON) -> String? {
        switch source {
        case .path(let path): path.text(in: record, of: reply)
        case .value(let value): value
        case .template(let template): template.text(in: record, of: reply)
        }
    }
}
