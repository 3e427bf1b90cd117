// SPDX-License-Identifier: MIT

/// Help for a command, or over all.
func helpText(of command: Command?, _ length: HelpLength) -> String {
    guard let command else { return overview(length) }
    var text = "Usage: \(command.synopsis)\n\n"
    switch length {
    case .short: text += indented("\(command.summary).", by: 0)
    case .long: text += command.about.map { indented($0, by: 0) }.joined(separator: "\n")
    }
    if !command.positionals.isEmpty {
        text += "\n"
        for positional in command.positionals { text += entry(positional.name, positional.help, column: optionColumn) }
    }
    text += optionList(Flag.of(command.name), length)
    if length == .long { text += exampleList(command.examples) }
    return text
}

/// Where options' help begins.
private let optionColumn = 28

private func overview(_ length: HelpLength) -> String {
    var text = "Sluice mirrors pages of photos to disk, with thumbnails and a gallery.\n\n"
    text += "Usage: sluice COMMAND [options]\n\nCommands:\n"
    for command in Command.all { text += entry(command.name.rawValue, command.summary, column: 16) }
    text += optionList(Flag.of(nil), length)
    if length == .long {
        text += exampleList(Command.all.flatMap(\.examples))
        text += "\nExit codes:\n"
        for (numbers, meaning) in ExitCode.meanings { text += entry(numbers, meaning, column: 18) }
        text += "\nEnvironment:\n"
        for (name, meaning) in environmentMeanings { text += entry(name, meaning, column: 18) }
    }
    return text + "\n`sluice COMMAND --help` tells all about a command.\n"
}

/// The environment variables that Sluice itself looks at.
let environmentMeanings: [(name: String, meaning: String)] = [
    ("NO_COLOR", "Set to anything, it keeps words uncoloured"),
    ("TERM", "With dumb, or without it, there is no live display"),
    ("LC_ALL, LANG", "Without UTF-8 the display keeps to ASCII"),
    ("SLUICE_OPTION", "Sets an option: SLUICE_PER_HOST=3 is --per-host 3, SLUICE_QUIET=1 --quiet"),
    ("XDG_CONFIG_HOME", "The folder of sluice/sluice.json, the user's options (default ~/.config)"),
    ("SSL_CERT_FILE", "The certificates to know https hosts by"),
]

private func optionList(_ flags: [Flag], _ length: HelpLength) -> String {
    var text = ""
    for category in Flag.Category.allCases {
        let members = flags.filter { $0.category == category }
        guard !members.isEmpty else { continue }
        text += "\n\(category.rawValue):\n"
        switch length {
        case .short: text += members.map { entry($0.usage, $0.help, column: optionColumn) }.joined()
        case .long: text += members.map { "  \($0.usage)\n" + indented($0.wholeHelp, by: 10) }.joined(separator: "\n")
        }
    }
    return text
}

private func exampleList(_ examples: [Example]) -> String {
    examples.isEmpty ? "" : "\nExamples:\n" + examples.map { "  \($0.line)\n" + indented($0.meaning, by: 10) }.joined()
}

extension Flag {
    /// `-p, --pages N`.
    var usage: String {
        let letter = short.map { "-\($0), " } ?? "    "
        return "\(letter)--\(long)\(value.map { " \($0.name)" } ?? "")"
    }

    /// The long help, and how the option is taken back.
    var wholeHelp: String {
        undo.map { "\(longHelp) --\($0) takes it back." } ?? longHelp
    }
}
