// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceEngine
internal import SluiceModel

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

extension Command {
    static let doctor = Command(
        name: .doctor,
        summary: "Check the requirements of Sluice on this machine",
        about: [
            """
            Checks the requirements of runs on this machine: write access and free space, the limit of open files, a \
            plausible clock, certificates for HTTPS hosts, and the sandbox for decoders. Prints one line per check, \
            with advice if there is a problem. Exits with 5 if there is a problem.
            """
        ],
        positionals: [],
        examples: [Example(line: "sluice doctor", meaning: "check this machine")],
        run: { _, console in
            let results = Doctor.examine(isolation: .ownWorkers)
            for result in results {
                console.print(statusLine(of: result, style: console.outStyle))
            }
            for library in Version.libraries { console.print("         \(library.name) \(library.version)") }
            let hasProblem = results.contains { $0.verdict == .problem }
            return hasProblem ? .local : .done
        })
}

/// Returns the line for a check, for example `ok       open files: at most 1024`, with advice after an arrow.
func statusLine(of result: HealthCheckResult, style: Style) -> String {
    let color: Style.Color =
        switch result.verdict {
        case .ok: .green
        case .warning: .yellow
        case .problem: .red
        }
    let verdict = style.paint(padded(result.verdict.rawValue, to: 9), color)
    let advice = result.advice.map { "\(style.isUnicode ? "→" : "->") \($0)" }
    return "\(verdict)\(result.name): \(escaped(result.detail))\(advice.map { " \($0)" } ?? "")"
}
