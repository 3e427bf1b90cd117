// SPDX-License-Identifier: MIT

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
            let text =
                options[ManualArguments.self].isSchema
                ? settingsSchema() : options[ManualArguments.self].isMarkdown ? markdownOptions() : manualPage()
            console.out.write(text)
            return .done
        })
}
