// SPDX-License-Identifier: MIT

extension Command {
    static let completions = Command(
        name: .completions,
        summary: "Print the completions of a shell",
        about: [
            """
            Prints a script that teaches the shell Sluice's commands and options. For bash, put it into \
            ~/.local/share/bash-completion/completions/sluice; for zsh, into a file _sluice in a folder of $fpath; for \
            fish, into ~/.config/fish/completions/sluice.fish.
            """
        ],
        positionals: [
            Positional(
                name: "SHELL", help: "One of bash, zsh and fish", completion: .words(Shell.allCases.map(\.rawValue)),
                isClosed: true)
        ],
        examples: [Example(line: "sluice completions bash", meaning: "print bash's completions")],
        run: { options, console in
            let shell = Shell(rawValue: options.positionals[0]) ?? .bash
            console.out.write(shell.script())
            return .done
        })
}

/// The shells that there are completions for.
enum Shell: String, Sendable, CaseIterable {
    case bash, zsh, fish

    /// The completions, as that shell reads them.
    func script() -> String {
        switch self {
        case .bash: bashCompletions()
        case .zsh: zshCompletions()
        case .fish: fishCompletions()
        }
    }
}
