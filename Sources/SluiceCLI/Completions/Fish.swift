// SPDX-License-Identifier: MIT

/// Returns the completion script for fish: one `complete` for each command and each option.
func fishCompletions() -> String {
    let names = CommandName.allCases.map(\.rawValue).joined(separator: " ")
    var text = "# fish completion of sluice\ncomplete -c sluice -f\n"
    for command in Command.all {
        text += "complete -c sluice -n __fish_use_subcommand -a \(command.name) -d \(quoted(command.summary))\n"
    }
    for command in Command.all {
        for positional in command.positionals where positional.completion != .nothing {
            text +=
                "complete -c sluice -n '__fish_seen_subcommand_from \(command.name)'\(action(positional.completion))"
            text += " -d \(quoted(positional.help))\n"
        }
    }
    for flag in Flag.all {
        let isGeneral = flag.commands.count == CommandName.allCases.count
        let owners =
            isGeneral ? names : CommandName.allCases.filter(flag.isOption).map(\.rawValue).joined(separator: " ")
        let condition = isGeneral ? "" : " -n '__fish_seen_subcommand_from \(owners)'"
        text += "complete -c sluice\(condition) -l \(flag.long)\(flag.short.map { " -s \($0)" } ?? "")"
        text += flag.value.map { " -r\(action($0.completion))" } ?? ""
        text += " -d \(quoted(flag.help))\n"
        if let undo = flag.undo {
            text += "complete -c sluice\(condition) -l \(undo) -d \(quoted("Reverse --\(flag.long)"))\n"
        }
    }
    return text
}

private func action(_ completion: ValuePlaceholder.Completion) -> String {
    switch completion {
    case .nothing: " -f"
    case .file: " -F"
    case .folder: " -f -a '(__fish_complete_directories)'"
    case .words(let words): " -f -a '\(words.joined(separator: " "))'"
    case .nameOrFile(let words): " -F -a '\(words.joined(separator: " "))'"
    }
}

/// Quotes the text for fish, whose single quotes only need the quote and the backslash escaped.
private func quoted(_ text: String) -> String {
    var result = ""
    for character in text { result += character == "'" || character == "\\" ? "\\\(character)" : "\(character)" }
    return "'\(result)'"
}
