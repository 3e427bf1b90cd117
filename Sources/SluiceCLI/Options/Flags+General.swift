// SPDX-License-Identifier: MIT

extension Flag {
    /// Options for files of options.
    static let configuration: [Flag] = [
        Flag(
            long: "config", value: .file, commands: configurableCommands, settableFrom: .environmentAndArguments,
            others: .anyCommandIf { $0.text == "none" },
            help: "Read options from FILE; none reads no files",
            longHelp: """
                Reads options from a JSON file, with the option names without dashes ({"per-host": 3, "sizes": [256, \
                1024]}). Sluice reads sluice/sluice.json in the user's configuration folder (XDG_CONFIG_HOME, or \
                ~/.config), sluice.json in the mirror's folder, and FILE. A later file overrides an earlier one. \
                Environment variables (SLUICE_PER_HOST=3) override files, and arguments override variables. none \
                reads no files.
                """,
            apply: { $0.config = try $1.singleLine("a file name") }),
        Flag(
            long: "print-config", commands: configurableCommands, isRecorded: false, settableFrom: .argumentsOnly,
            help: "Print the options in effect and where they were set",
            longHelp: """
                Prints each option that is set, its value, and its source: a file, a variable, the mirror's last \
                command, or an argument. The command itself does not run, and secrets are hidden. Options that are \
                not listed have their defaults. With --json, prints one JSON object per line.
                """,
            apply: { options, _ in options.request = options.request ?? .settings }),
    ]

    /// A plan holds all options of its shards, wherever they run, so only arguments set them.
    private static let configurableCommands = CommandName.allCases.filter {
        ![.plan, .work, .merge, .completions, .manual, .help].contains($0)
    }

    /// Options of every command; they may also precede the command.
    static let general: [Flag] = [
        Flag(
            long: "color", value: .choice(of: ColorChoice.self), commands: CommandName.allCases, isRecorded: false,
            others: .anyone,
            help: "When to use colour", default: RawOptions().color.rawValue,
            longHelp: "auto uses colour on a terminal, unless NO_COLOR is set; always and never override this.",
            apply: { $0.color = try $1.choice(of: ColorChoice.self) }),
        Flag(
            long: "help", short: "h", commands: CommandName.allCases, isRecorded: false, settableFrom: .argumentsOnly,
            help: "Print help: short with -h, complete with --help",
            longHelp: "-h prints one line for each option, --help the complete description.",
            apply: { $0.request = .help($1.spelling == "-h" ? .short : .long) }),
        Flag(
            long: "version", short: "V", commands: CommandName.allCases, isRecorded: false,
            settableFrom: .argumentsOnly,
            help: "Print the version of Sluice",
            longHelp: "Prints the version of Sluice. The doctor prints those of the C libraries that it uses.",
            apply: { options, _ in options.request = options.request ?? .version }),
    ]
}
