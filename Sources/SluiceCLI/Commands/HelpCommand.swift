// SPDX-License-Identifier: MIT

extension Command {
    static let help = Command(
        name: .help,
        summary: "Print help, of a command or over all",
        about: ["Prints what `sluice COMMAND --help` prints, and without COMMAND what `sluice --help` prints."],
        positionals: [
            Positional(
                name: "COMMAND", help: "The command to be helped with", isRequired: false,
                completion: .words(CommandName.allCases.map(\.rawValue)), isClosed: true)
        ],
        examples: [Example(line: "sluice help mirror", meaning: "all that there is to say of mirror")],
        run: { options, console in
            let command = options.positionals.first.flatMap { Command.named($0) }
            console.out.write(helpText(of: command, .long))
            return .done
        })
}
