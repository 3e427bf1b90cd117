// SPDX-License-Identifier: MIT

extension Flag {
    /// Options for files of options.
    static let configuration: [Flag] = [
        Flag(
            "config", .file(\.config), configurableCommands, settableFrom: .environmentAndArguments,
            others: .anyCommandIf { $0.text == "none" }, "Read options from FILE; none reads no files",
            """
            Reads options from a JSON file, with the option names without dashes ({"per-host": 3, "sizes": [256, \
            1024]}). Sluice reads sluice/sluice.json in the user's configuration folder (XDG_CONFIG_HOME, or \
            ~/.config), sluice.json in the mirror's folder, and FILE. A later file overrides an earlier one. \
            Environment variables (SLUICE_PER_HOST=3) override files, and arguments override variables. none reads no \
            files.
            """),
        Flag(
            "print-config", .custom(nil) { options, _ in options.request = options.request ?? .settings },
            configurableCommands, settableFrom: .argumentsOnly, "Print the options in effect and where they were set",
            """
            Prints each option that is set, its value, and its source: a file, a variable, the mirror's last command, \
            or an argument. The command itself does not run, and secrets are hidden. Options that are not listed have \
            their defaults. With --json, prints one JSON object per line.
            """),
    ]

    /// A plan holds all options of its shards, wherever they run, so only arguments set them.
    private static let configurableCommands = CommandName.allCases.filter {
        ![.plan, .work, .merge, .completions, .manual, .help].contains($0)
    }

    /// Options of every command; they may also precede the command.
    static let general: [Flag] = [
        Flag(
            "color", .choice(\.color), CommandName.allCases, isRecorded: false, others: .anyone, "When to use colour",
            "auto uses colour on a terminal, unless NO_COLOR is set; always and never override this."),
        Flag(
            "help", short: "h", .custom(nil) { $0.request = .help($1.spelling == "-h" ? .short : .long) },
            CommandName.allCases, settableFrom: .argumentsOnly, "Print help: short with -h, complete with --help",
            "-h prints one line for each option, --help the complete description."),
        Flag(
            "version", short: "V", .custom(nil) { options, _ in options.request = options.request ?? .version },
            CommandName.allCases, settableFrom: .argumentsOnly, "Print the version of Sluice",
            "Prints the version of Sluice. The doctor prints those of the C libraries that it uses."),
    ]
}
