// SPDX-License-Identifier: MIT

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
            text += "| `\(tableCell(flag.usage))` | \(owners) | \(tableCell(flag.help)) |\n"
        }
    }
    return text
}

/// Escapes bars, which would end the table cell.
private func tableCell(_ text: String) -> String {
    let trimmed = text.drop { $0 == " " }
    return trimmed.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
}
