// SPDX-License-Identifier: MIT

/// Every command's options as Markdown: what stands in the README between its markers.
func markdownOptions() -> String {
    var text = "| command | |\n|---|---|\n"
    for command in Command.all { text += "| `\(inTable(command.synopsis))` | \(command.summary) |\n" }
    for category in Flag.Category.allCases {
        let flags = Flag.all.filter { $0.category == category }
        text += "\n**\(category.rawValue)**\n\n| option | of | |\n|---|---|---|\n"
        for flag in flags {
            let isEverywhere = flag.commands.count == CommandName.allCases.count
            let owners = isEverywhere ? "all" : flag.commands.map(\.rawValue).joined(separator: ", ")
            text += "| `\(inTable(flag.usage))` | \(owners) | \(inTable(flag.help)) |\n"
        }
    }
    return text
}

/// A bar would end the table's cell.
private func inTable(_ text: String) -> String {
    let trimmed = text.drop { $0 == " " }
    return trimmed.split(separator: "|", omittingEmptySubsequences: false).joined(separator: "\\|")
}
