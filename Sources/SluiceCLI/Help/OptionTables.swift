// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Returns the commands and options as Markdown tables, as in `Documentation/options.md`.
func markdownOptions() -> String {
    var text = "| command | description |\n|---|---|\n"
    for command in Command.all { text += "| `\(tableCell(command.synopsis))` | \(command.summary) |\n" }
    for category in Flag.Category.allCases {
        let flags = Flag.all.filter { $0.category == category }
        text += "\n**\(category.rawValue)**\n\n| option | commands | description |\n|---|---|---|\n"
        for flag in flags {
            let isGeneral = flag.commands.count == CommandName.allCases.count
            let owners = isGeneral ? "all" : flag.commands.map(\.rawValue).joined(separator: ", ")
            text += "| `\(tableCell(flag.usage))` | \(owners) | \(tableCell(flag.shortHelp)) |\n"
        }
    }
    return text
}

/// Escapes bars, which would end the table cell.
private func tableCell(_ text: String) -> String {
    let trimmed = text.drop { $0 == " " }
    return trimmed.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
}

/// Returns the JSON schema of option files, as in `Documentation/sluice.schema.json`.
func settingsSchema() -> String {
    let flags = Flag.all.filter { $0.settableFrom == .all }
    // Several commands may have different options with the same name.
    var names: Set<String> = []
    var lines = ["    \"$schema\": {\"type\":\"string\"}"]
    for flag in flags where names.insert(flag.long).inserted {
        lines.append("    \"\(flag.long)\": \(property(flag, flag.shortHelp))")
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

private func property(_ flag: Flag, _ help: String) -> String {
    var writer = JSONWriter()
    writer.object { object in
        object.member("description", help)
        guard let value = flag.value else { return object.member("type", "boolean") }
        if case .words(let words) = value.completion, value.name == words.joined(separator: "|") {
            return object.array("enum") { array in for word in words { array.value(word) } }
        }
        object.array("type") { array in for type in ["string", "number", "array"] { array.value(type) } }
        object.object("items") { items in
            items.array("type") { array in for type in ["string", "number"] { array.value(type) } }
        }
    }
    return String(decoding: writer.bytes, as: UTF8.self)
}
