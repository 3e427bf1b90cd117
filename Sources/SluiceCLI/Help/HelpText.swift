// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceEngine
internal import SluiceModel

/// The first sentence of the help and the manual.
let shortDescription =
    "Sluice downloads photo collections in bulk, makes thumbnails, and builds a browsable offline gallery"

/// Returns the help of a command, or the overview.
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

/// The column at which the help of options starts.
private let optionColumn = 28

private func overview(_ length: HelpLength) -> String {
    var text = indented("\(shortDescription).", by: 0) + "\n"
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
    return text + "\n`sluice COMMAND --help` describes a command in full.\n"
}

/// The environment variables that Sluice reads, as listed in help and the manual.
let environmentMeanings: [(name: String, meaning: String)] = [
    ("NO_COLOR", "Disables colour if set"),
    ("TERM", "Disables the live display if unset or dumb"),
    ("LC_ALL, LANG", "Select ASCII for the display if not UTF-8"),
    ("SLUICE_OPTION", "Sets an option: SLUICE_PER_HOST=3 is --per-host 3, SLUICE_QUIET=1 is --quiet"),
    ("XDG_CONFIG_HOME", "Folder of sluice/sluice.json, the user's options (default ~/.config)"),
    ("SSL_CERT_FILE", "Certificates to verify HTTPS hosts"),
]

private func optionList(_ flags: [Flag], _ length: HelpLength) -> String {
    var text = ""
    for category in Flag.Category.allCases {
        let members = flags.filter { $0.category == category }
        guard !members.isEmpty else { continue }
        text += "\n\(category.rawValue):\n"
        switch length {
        case .short: text += members.map { entry($0.usage, $0.help, column: optionColumn) }.joined()
        case .long: text += members.map { "  \($0.usage)\n" + indented($0.fullHelp, by: 10) }.joined(separator: "\n")
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

    /// The long help, followed by the name that reverses the option and by its older names.
    var fullHelp: String {
        let reversal = undo.map { " --\($0) reverses it." } ?? ""
        let oldNames = aliases.map { " The old name --\($0) also works." }.joined()
        return longHelp + reversal + oldNames
    }
}
