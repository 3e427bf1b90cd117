// SPDX-License-Identifier: MIT

extension Command {
    static let help = Command(
        name: .help,
        summary: "Print help for a command, or an overview",
        about: [
            "Prints the output of `sluice COMMAND --help`, or of `sluice --help` without COMMAND."
        ],
        positionals: [
            Positional(
                name: "COMMAND", help: "Command to describe", isRequired: false,
                completion: .words(CommandName.allCases.map(\.rawValue)), isClosed: true)
        ],
        examples: [Example(line: "sluice help mirror", meaning: "describe mirror in full")],
        run: { options, console in
            let command = options.positionals.first.flatMap { Command.named($0) }
            console.printHelp(of: command, .long)
            return .done
        })
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
            let text =
                options.manual.isSchema
                ? settingsSchema() : options.manual.isMarkdown ? markdownOptions() : manualPage()
            console.out.write(text)
            return .done
        })
}

extension Command {
    static let completions = Command(
        name: .completions,
        summary: "Print shell completions",
        about: [
            """
            Prints a completion script, which asks the installed sluice for its commands and options. For bash, save \
            it as ~/.local/share/bash-completion/completions/sluice; for zsh, as _sluice in a folder of $fpath; for \
            fish, as ~/.config/fish/completions/sluice.fish.
            """
        ],
        positionals: [
            Positional(
                name: "SHELL", help: "bash, zsh or fish", completion: .words(Shell.allCases.map(\.rawValue)),
                isClosed: true)
        ],
        examples: [Example(line: "sluice completions bash", meaning: "print the completions for bash")],
        run: { options, console in
            let shell = Shell(rawValue: options.positionals[0]) ?? .bash
            console.out.write(shell.script)
            return .done
        })
}
