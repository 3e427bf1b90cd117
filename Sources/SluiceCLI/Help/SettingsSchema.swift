// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceModel

/// Returns the JSON schema of option files, as in `Documentation/sluice.schema.json`.
func settingsSchema() -> String {
    let flags = Flag.all.filter { $0.settableFrom == .all }
    // Several commands may have different options with the same name.
    var names: Set<String> = []
    var lines = ["    \"$schema\": {\"type\":\"string\"}"]
    for flag in flags where names.insert(flag.long).inserted {
        lines.append("    \"\(flag.long)\": \(property(flag, flag.help))")
        if let undo = flag.undo { lines.append("    \"\(undo)\": \(property(flag, "Reverses \(flag.long)"))") }
        for alias in flag.aliases { lines.append("    \"\(alias)\": \(property(flag, "Old name of \(flag.long)"))") }
    }
    return """
        {
          "$schema": "https://json-schema.org/draft/2020-12/schema",
          "title": "Sluice options",
          "description": "The options in a sluice.json file; settings.md describes where such files are and their precedence.",
          "type": "object",
          "properties": {
        \(lines.joined(separator: ",\n"))
          },
          "additionalProperties": false
        }

        """
}

/// Returns the schema of one option.
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
