// SPDX-License-Identifier: MIT

internal import Sluice

extension Flag {
    /// Where options come from.
    static let settings: [Flag] = [
        Flag(
            long: "config", value: Placeholder("FILE", .file), category: .general, commands: configurable,
            reach: .variablesAndArguments,
            help: "Options from this file, too; none reads no file",
            longHelp: """
                Options may stand in a file of JSON by their names without dashes ({"per-host": 3, "sizes": [256, 1024]}): in                 sluice/sluice.json in the user's folder for settings (XDG_CONFIG_HOME, or ~/.config), in sluice.json in the                 mirror's folder, and in FILE. Of the same option in several the later counts; variables (SLUICE_PER_HOST=3)                 count for more than files, and arguments for more than variables. none reads no file at all.
                """,
            apply: { (options, argument) throws(Refusal) in options.config = try argument.line("a file's name") }),
        Flag(
            long: "print-config", category: .general, commands: configurable, isLasting: false,
            reach: .argumentsAlone,
            help: "Print the options in force, and where they were set",
            longHelp: """
                Prints each option that is set, its value, and where: a file, a variable, the mirror's last command, or an                 argument. Nothing else is done; secrets are not shown. Options that are not listed have their defaults. With                 --json it prints a line of JSON for each.
                """,
            apply: { (options, argument) throws(Refusal) in options.request = options.request ?? .settings }),
    ]

    private static let configurable = CommandName.allCases.filter { ![.completions, .manual, .help].contains($0) }
}
