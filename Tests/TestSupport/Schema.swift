// SPDX-License-Identifier: MIT

internal import Foundation
package import SluiceModel

/// Validates JSON with the subset of JSON Schema that our schemas use; an unknown keyword fails validation.
package struct Schema {
    package let root: JSON

    /// Reads a schema from `Documentation/`, for example `recipe` or `report`.
    package init(_ name: String) throws {
        let path = URL(filePath: #filePath).deletingLastPathComponent()
            .appending(path: "../../Documentation/\(name).schema.json").standardized
        root = try JSON(parsing: Array(Data(contentsOf: path)))
    }

    /// The names of the members in a definition, or in the root if `definition` is `nil`.
    package func members(of definition: String?) -> Set<String> {
        let place = definition.flatMap { root["$defs"]?[$0] } ?? root
        return Set(Self.members(place["properties"]).map(\.name))
    }

    /// Whether the value is valid.
    package func allows(_ value: JSON) -> Bool { allows(value, by: root) }

    private func allows(_ value: JSON, by schema: JSON) -> Bool {
        Self.members(schema).allSatisfy { keyword in holds(keyword.name, keyword.value, of: schema, for: value) }
    }

    private func holds(_ keyword: String, _ rule: JSON, of schema: JSON, for value: JSON) -> Bool {
        switch keyword {
        case "$schema", "title", "description", "$defs": return true
        case "$ref": return allows(value, by: root["$defs"]?[String(rule.text?.dropFirst(8) ?? "")] ?? .bool(false))
        case "type": return (rule.elements ?? [rule]).contains { Self.isOf($0.text ?? "", value) }
        case "anyOf": return rule.elements?.contains { allows(value, by: $0) } ?? false
        case "enum": return rule.elements?.contains(value) ?? false
        case "required": return rule.elements?.allSatisfy { value[$0.text ?? ""] != nil } ?? false
        case "properties":
            return Self.members(value).allSatisfy { member in
                rule[member.name].map { allows(member.value, by: $0) } ?? true
            }
        case "additionalProperties":
            return Self.members(value).filter { schema["properties"]?[$0.name] == nil }.allSatisfy {
                rule != .bool(false) && allows($0.value, by: rule)
            }
        case "items": return value.elements?.allSatisfy { allows($0, by: rule) } ?? true
        case "minLength": return value.text?.isEmpty == false
        case "minProperties": return !Self.members(value).isEmpty
        case "minimum": return Double(value.text ?? "").map { $0 >= Double(rule.text ?? "") ?? 0 } ?? true
        case "maximum": return Double(value.text ?? "").map { $0 <= Double(rule.text ?? "") ?? 0 } ?? true
        case "const": return value == rule
        case "maxItems": return value.elements.map { $0.count <= rule.integer ?? 0 } ?? true
        case "pattern":
            guard let pattern = try? Regex(rule.text ?? "") else { return false }
            return value.text?.firstMatch(of: pattern) != nil
        default: return false
        }
    }

    private static func isOf(_ type: String, _ value: JSON) -> Bool {
        switch (type, value) {
        case ("string", .string), ("number", .number), ("boolean", .bool), ("object", .object), ("array", .array): true
        case ("integer", .number): value.integer != nil
        default: false
        }
    }

    private static func members(_ value: JSON?) -> [JSON.Member] {
        if case .object(let members)? = value { members } else { [] }
    }
}
