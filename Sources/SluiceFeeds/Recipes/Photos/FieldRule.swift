// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The rule that finds a field in a record: a path, a constant or a template, with optional conversions.
struct FieldRule: Sendable {
    /// The members of a rule in object form.
    static let members = ["path", "value", "template", "html", "map", "replace", "is", "if"]

    /// The kind of text that a rule accepts: some services list names and addresses together.
    private enum Kind: String, Sendable, CaseIterable {
        case text
        case address

        func accepts(_ text: String) -> Bool {
            (text.utf8.starts(with: "http://".utf8) || text.utf8.starts(with: "https://".utf8)) == (self == .address)
        }
    }

    private enum ValueSource: Sendable {
        case path(FieldPath)
        case value(String)
        case template(FieldTemplate)
    }

    private struct Alternative: Sendable {
        var source: ValueSource
        var isHTML = false
        var map: [String: String]?
        /// Texts to replace; a text without any of them counts as absent.
        var replacements: [(from: String, to: String)] = []
        var kind: Kind?
        var conditions = FieldConditions.none
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
        let map = node["map"].map { _ in
            [String: String](node.texts("map").map { ($0.name, $0.value) }) { first, _ in first }
        }
        var alternative = Alternative(source: source, isHTML: node.flag("html"), map: map)
        alternative.replacements = node.texts("replace").map { ($0.name, $0.value) }
        alternative.kind = node.choice("is", of: Kind.self)
        if let conditions = node["if"] { alternative.conditions = FieldConditions(conditions) }
        return alternative
    }

    private static func path(_ text: String, _ node: RecipeNode) -> ValueSource? {
        if let path = FieldPath(text) { return .path(path) }
        node.report(RecipeNode.invalidPath)
        return nil
    }

    /// Returns the field's text; `nil` if the record does not have it.
    ///
    /// The texts of a path are put together for a field of tags; others have the first one.
    func text(in context: FieldContext, of kind: PhotoField.Kind = .text) -> String? {
        for alternative in alternatives where alternative.conditions.accept(context) {
            let text = Self.text(of: alternative, in: context, kind)
            if let text = text.flatMap({ Self.converted($0, by: alternative) }) { return text }
        }
        return nil
    }

    /// Returns all texts of the field: several if a path leads to several values.
    func texts(in context: FieldContext) -> [String] {
        for alternative in alternatives where alternative.conditions.accept(context) {
            var texts = Self.text(of: alternative, in: context, .text).map { [$0] } ?? []
            if case .path(let path) = alternative.source {
                texts = path.values(in: context).flatMap { value in
                    value.text.map { [$0] } ?? value.elements?.compactMap(\.text) ?? []
                }
            }
            texts = texts.compactMap { Self.converted($0, by: alternative) }
            if !texts.isEmpty { return texts }
        }
        return []
    }

    /// Applies the conversions of an alternative; `nil` if they make the text absent.
    private static func converted(_ text: String, by alternative: Alternative) -> String? {
        var text = alternative.isHTML ? plainText(fromHTML: text) : text
        if let map = alternative.map {
            guard let mapped = map[text] else { return nil }
            text = mapped
        }
        if !alternative.replacements.isEmpty {
            guard let replaced = replaced(text, alternative.replacements) else { return nil }
            text = replaced
        }
        return text.isEmpty ? nil : text
    }

    /// Replaces texts; `nil` if there are none of them.
    private static func replaced(_ text: String, _ replacements: [(from: String, to: String)]) -> String? {
        var result = text
        for (from, to) in replacements { result = result.replacing(from, with: to) }
        return result.utf8.elementsEqual(text.utf8) ? nil : result
    }

    private static func text(
        of alternative: Alternative, in context: FieldContext, _ kind: PhotoField.Kind
    ) -> String? {
        let isWanted = { (text: String) in alternative.kind?.accepts(text) ?? true }
        return switch alternative.source {
        case .path(let path) where kind == .tags: TagList(path.texts(in: context)).text
        case .path(let path): path.text(in: context, where: isWanted)
        case .value(let value): value
        case .template(let template): template.text(in: context)
        }
    }
}

/// The values at which the paths of a recipe begin.
struct FieldContext: Sendable {
    /// The record of the photo.
    var record: JSON
    /// The reply that contains the record.
    var reply = JSON.null
    /// The element of the record that is the photo, if a record has several photos.
    var element: JSON?
    /// The number of the photo in its record, from 1.
    var number = 1

    init(_ record: JSON, of reply: JSON = .null) {
        self.record = record
        self.reply = reply
    }
}
