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
