// SPDX-License-Identifier: MIT

internal import Sluice

/// The JSON schema of a file of options: what stands in `Documentation/sluice.schema.json`.
func settingsSchema() -> String {
    let flags = Flag.all.filter { $0.reach == .everywhere }
    // Commands may share an option's name, and mean different things by it.
    var names: Set<String> = []
    var lines = ["    \"$schema\": {\"type\":\"string\"}"]
    for flag in flags where names.insert(flag.long).inserted {
        lines.append("    \"\(flag.long)\": \(property(flag, flag.help))")
        if let undo = flag.undo { lines.append("    \"\(undo)\": \(property(flag, "Takes \(flag.long) back"))") }
    }
    return """
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": "Options of Sluice",
          "description": "What may stand in a sluice.json; settings.md tells where such files lie and which counts.",
          "type": "object",
          "properties": {
        \(lines.joined(separator: ",\n"))
          },
          "additionalProperties": false
        }

        """
}

/// What one option takes.
private func property(_ flag: Flag, _ help: String) -> String {
    var writer = JSONWriter()
    writer.object { object in
        object.member("description", help)
        guard let value = flag.value else { return object.member("type", "boolean") }
        if case .words(let words) = value.completion, value.name == words.joined(separator: "|") {
            return object.member("enum", array: { array in for word in words { array.value(word) } })
        }
        object.member("type", array: { array in for type in ["string", "number", "array"] { array.value(type) } })
        object.member(
            "items",
            object: { items in
                items.member("type", array: { array in for type in ["string", "number"] { array.value(type) } })
            })
    }
    return String(decoding: writer.bytes, as: UTF8.self)
}
