// SPDX-License-Identifier: MIT

internal import SluiceModel

/// How a fact is found in a record: by a path, a constant or a template, and how it is read then.
struct FieldRule: Sendable, Hashable {
    /// The members of a rule that is an object.
    static let members = ["path", "value", "template", "html", "map"]

    private enum Origin: Sendable, Hashable {
        case path(FieldPath)
        case value(String)
        case template(Template)
    }

    private struct Way: Sendable, Hashable {
        var origin: Origin
        var isHTML = false
        var map: [String: String]?
    }

    private var ways: [Way] = []

    /// Reads a rule: a path as a text, an object, or several of them, of which the first that finds something counts.
    ///
    /// `others` are members of the object that somebody else reads.
    init(_ node: RecipeNode, beside others: [String] = []) {
        switch node.json {
        case .array: ways = node.children.compactMap { Self.way($0.node, beside: others) }
        default: ways = Self.way(node, beside: others).map { [$0] } ?? []
        }
    }

    private static func way(_ node: RecipeNode, beside others: [String]) -> Way? {
        if case .string(let text) = node.json, !text.isEmpty { return path(text, node).map { Way(origin: $0) } }
        guard case .object = node.json else {
            node.note("takes a path, or an object with a path, a value or a template")
            return nil
        }
        return way(of: node, beside: others)
    }

    private static func way(of node: RecipeNode, beside others: [String]) -> Way? {
        node.allow(members + others)
        let origins = ["path", "value", "template"].filter { node[$0] != nil }
        guard origins.count == 1, let name = origins.first, let place = node[name], let text = place.text else {
            node.note("takes one of path, value and template")
            return nil
        }
        let origin: Origin?
        switch name {
        case "path": origin = path(text, place)
        case "value": origin = .value(text)
        default:
            origin = Template(text).map { .template($0) }
            if origin == nil { place.note("is no template: places are paths between braces") }
        }
        guard let origin else { return nil }
        let map = node["map"].map { _ in Dictionary(node.texts("map").map { ($0.name, $0.value) }) { first, _ in first }
        }
        return Way(origin: origin, isHTML: node.flag("html"), map: map)
    }

    private static func path(_ text: String, _ node: RecipeNode) -> Origin? {
        if let path = FieldPath(text) { return .path(path) }
        node.note("is no path: names stand between dots, elements in brackets")
        return nil
    }

    /// The fact; `nil` where the record does not state it.
    func text(in record: JSON, of reply: JSON) -> String? {
        for way in ways {
            guard var text = Self.text(by: way.origin, in: record, of: reply) else { continue }
            if way.isHTML { text = plainText(text) }
            if let map = way.map {
                guard let mapped = map[text] else { continue }
                text = mapped
            }
            if !text.isEmpty { return text }
        }
        return nil
    }

    private static func text(by origin: Origin, in record: JSON, of reply: JSON) -> String? {
        switch origin {
        case .path(let path): path.text(in: record, of: reply)
        case .value(let value): value
        case .template(let template): template.text(in: record, of: reply)
        }
    }
}
