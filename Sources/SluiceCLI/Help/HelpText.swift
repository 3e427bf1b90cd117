// SPDX-License-Identifier: MIT

internal import SluiceSystem

/// The first sentence of the help and the manual.
let shortDescription =
    "Sluice downloads photo collections in bulk, makes thumbnails, and builds a browsable offline gallery"

/// Returns the help of a command, or the overview, in lines of at most `width` columns.
func helpText(of command: Command?, _ length: HelpLength, width: Int = maximumHelpWidth) -> String {
    HelpWriter(length: length, width: width).text(of: command)
}

/// Writes the help of one length for one width.
private struct HelpWriter {
    let length: HelpLength
    let width: Int
    /// The column at which the help of options starts.
    private let optionColumn = 28

    func text(of command: Command?) -> String {
        guard let command else { return overview() }
        var text = indented("Usage: \(command.synopsis)", by: 0, width: width) + "\n"
        switch length {
        case .short: text += indented("\(command.summary).", by: 0, width: width)
        case .long: text += command.about.map { indented($0, by: 0, width: width) }.joined(separator: "\n")
        }
        if !command.positionals.isEmpty {
            text += "\n"
            for positional in command.positionals { text += line(positional.name, positional.help) }
        }
        let flags = Flag.of(command.name)
        switch length {
        case .short: return text + usualOptions(flags, of: command.name)
        case .long: return text + options(flags) + examples(command.examples)
        }
    }

    private func overview() -> String {
        var text = indented("\(shortDescription).", by: 0, width: width) + "\n"
        text += "Usage: sluice COMMAND [options]\n"
        if length == .short {
            text += "\nExamples:\n"
            for example in Command.firstExamples { text += line(example.line, example.meaning, column: 46) }
        }
        for group in Command.Group.allCases {
            text += "\n\(group.rawValue):\n"
            for command in Command.all where command.group == group {
                text += line(command.name.rawValue, command.summary, column: 16)
            }
        }
        text += options(Flag.of(nil))
        if length == .long {
            text += examples(Command.all.flatMap(\.examples))
            text += "\nExit codes:\n"
            for (numbers, meaning) in ExitCode.meanings { text += line(numbers, meaning, column: 18) }
            text += "\nEnvironment:\n"
            for (name, meaning) in environmentMeanings { text += line(name, meaning, column: 18) }
        }
        let end =
            length == .short
            ? "`sluice COMMAND -h` lists the usual options of a command, and `sluice COMMAND --help` describes all. "
                + "`sluice help` has more examples, the exit codes and the environment variables."
            : "`sluice COMMAND --help` describes a command in full."
        return text + "\n" + indented(end, by: 0, width: width)
    }

    private func line(_ term: String, _ meaning: String, column: Int? = nil) -> String {
        entry(term, meaning, column: column ?? optionColumn, width: width)
    }

    /// Returns the essential options of a command, the output folder first, or else all but rare ones.
    private func usualOptions(_ flags: [Flag], of command: CommandName) -> String {
        let essential = flags.filter { $0.essential.contains(command) }
        let sorted = essential.filter { $0.long == "out" } + essential.filter { $0.long != "out" }
        let usual = flags.filter { !$0.isRare }
        let text =
            essential.isEmpty ? options(usual) : "\nOptions:\n" + sorted.map { line($0.usage, $0.shortHelp) }.joined()
        guard (essential.isEmpty ? usual : essential).count < flags.count else { return text }
        return text + "\n"
            + indented("`sluice \(command) --help` lists all \(flags.count) options.", by: 0, width: width)
    }

    private func options(_ flags: [Flag]) -> String {
        var text = ""
        for category in Flag.Category.allCases {
            let members = flags.filter { $0.category == category }
            guard !members.isEmpty else { continue }
            text += "\n\(category.rawValue):\n"
            switch length {
            case .short: text += members.map { line($0.usage, $0.shortHelp) }.joined()
            case .long: text += members.map(description).joined(separator: "\n")
            }
        }
        return text
    }

    /// Returns the complete description of an option.
    private func description(of flag: Flag) -> String {
        let usage =
            columnCount("  \(flag.usage)") <= width ? "  \(flag.usage)\n" : indented(flag.usage, by: 2, width: width)
        return usage + indented(flag.fullHelp, by: width < 60 ? 4 : 10, width: width)
    }

    private func examples(_ examples: [Example]) -> String {
        guard !examples.isEmpty else { return "" }
        return "\nExamples:\n"
            + examples.map {
                let start =
                    columnCount($0.line) + 2 <= width ? "  \($0.line)\n" : indented($0.line, by: 2, width: width)
                return start + indented($0.meaning, by: width < 60 ? 4 : 10, width: width)
            }.joined()
    }
}

/// The environment variables that Sluice reads, as listed in help and the manual.
let environmentMeanings: [(name: String, meaning: String)] = [
    ("NO_COLOR", "Disables colour if set"),
    ("TERM", "Disables the live display if unset or dumb"),
    ("LC_ALL, LANG", "Select ASCII for the display if not UTF-8"),
    ("SLUICE_OPTION", "Sets an option: SLUICE_PER_HOST=3 is --per-host 3, SLUICE_QUIET=1 is --quiet"),
    ("PAGER", "Program that shows long help on a terminal (default less)"),
    ("XDG_CONFIG_HOME", "Folder of sluice/sluice.json, the user's options (default ~/.config)"),
    ("SSL_CERT_FILE", "File with the certificates to verify HTTPS hosts"),
    ("SSL_CERT_DIR", "Folder with such certificates, named by hashes"),
]

extension Flag {
    /// `-p, --pages N`.
    var usage: String {
        let letter = short.map { "-\($0), " } ?? "    "
        let shown = value.map { implied == nil ? " \($0.name)" : "[=\($0.name)]" } ?? ""
        return "\(letter)--\(long)\(shown)"
    }

    var shortHelp: String { help + (self.default.map { " (default \($0))" } ?? "") }

    /// The long help, followed by the default, by the name that reverses the option, and by its older names.
    var fullHelp: String {
        let standard = longHelp.contains("default") ? nil : self.default
        let isDefault = standard.map { " The default is \($0)." } ?? ""
        let reversal = undo.map { " --\($0) reverses it." } ?? ""
        let oldNames = aliases.map { " The old name --\($0) also works." }.joined()
        return longHelp + isDefault + reversal + oldNames
    }
}

extension Console {
    /// The first pager that is installed, for a user who has chosen none.
    private static let standardPager =
        "command -v less >/dev/null && exec less -FRX; command -v more >/dev/null && exec more; exec cat"

    /// Prints the help of a command, or the overview; long help goes through a pager on a terminal.
    func printHelp(of command: Command?, _ length: HelpLength) {
        let text = helpText(of: command, length, width: helpWidth(on: out))
        guard length == .long, out.isTerminal, environment.canRedraw, page(text) else {
            out.write(text)
            return
        }
    }

    /// Shows the text in the user's pager; returns false if it cannot be started.
    private func page(_ text: String) -> Bool {
        guard let pipe = unsafe popen(environment.pager ?? Self.standardPager, "w") else { return false }
        let bytes = Array(text.utf8)
        unsafe fwrite(bytes, 1, bytes.count, pipe)
        // 127: the shell did not find the program.
        return unsafe pclose(pipe) != 127 << 8
    }
}
