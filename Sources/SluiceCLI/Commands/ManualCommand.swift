// SPDX-License-Identifier: MIT

/// The arguments of `manual`.
struct ManualArguments: ArgumentGroup {
    /// Whether to print the options as Markdown.
    var isMarkdown = false
    /// Whether to print the JSON schema of option files.
    var isSchema = false
}

extension Command {
    static let manual = Command(
        name: .manual,
        summary: "Print the manual page",
        about: [
            "Prints the manual page in roff format, for example for man: sluice manual | man -l -"
        ],
        positionals: [],
        examples: [Example(line: "sluice manual | man -l -", meaning: "read the manual")],
        run: { options, console in
            let text = options[ManualArguments.self].isSchema ? settingsSchema() : options[ManualArguments.self].isMarkdown ? markdownOptions() : manualPage()
            console.out.write(text)
            return .done
        })
}
