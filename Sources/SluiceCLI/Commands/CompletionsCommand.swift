// SPDX-License-Identifier: MIT

extension Command {
    static let completions = Command(
        name: .completions,
        summary: "Print shell completions",
        about: [
            """
            Prints a completion script for Sluice's commands and options. For bash, save it as \
            ~/.local/share/bash-completion/completions/sluice; for zsh, as _sluice in a folder of $fpath; for fish, \
            as ~/.config/fish/completions/sluice.fish.
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
            console.out.write(shell.script())
            return .done
        })
}

/// The shells with completions.
enum Shell: String, Sendable, CaseIterable {
    case bash, zsh, fish

    /// Returns the completion script.
    func script() -> String {
        switch self {
        case .bash: bashCompletions()
        case .zsh: zshCompletions()
        case .fish: fishCompletions()
        }
    }
}
