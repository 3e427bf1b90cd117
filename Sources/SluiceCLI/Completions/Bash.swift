// SPDX-License-Identifier: MIT

/// Returns the completion script for bash: one function that depends on the command and the previous word.
func bashCompletions() -> String {
    """
    # bash completion of sluice
    _sluice() {
        local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command= word
        for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
            case $word in
            \(CommandName.allCases.map(\.rawValue).joined(separator: "|"))) command=$word; break ;;
            esac
        done
        COMPREPLY=()
        case $previous in
    \(valueCases())    esac
        case $command:$current in
    \(Command.all.map(optionCase).joined())    :-*) COMPREPLY=($(compgen -W "\(optionWords(Flag.of(nil)))" -- "$current")) ;;
        :*) COMPREPLY=($(compgen -W "\(CommandName.allCases.map(\.rawValue).joined(separator: " "))" -- "$current")) ;;
    \(Command.all.compactMap(positionalCase).joined())    esac
    }
    complete -F _sluice sluice

    """
}

/// Returns a case for each option with a value, which completes the value.
private func valueCases() -> String {
    Flag.all.compactMap { flag -> String? in
        guard let value = flag.value else { return nil }
        let names = (([flag.long] + flag.aliases).map { "--\($0)" } + (flag.short.map { ["-\($0)"] } ?? [])).joined(
            separator: "|")
        let reply = bashReply(value.completion).map { "COMPREPLY=(\($0)); " } ?? ""
        return "    \(names)) \(reply)return ;;\n"
    }.joined()
}

private func optionCase(_ command: Command) -> String {
    let words = optionWords(Flag.of(command.name))
    return "    \(command.name):-*) COMPREPLY=($(compgen -W \"\(words)\" -- \"$current\")) ;;\n"
}

private func positionalCase(_ command: Command) -> String? {
    guard let reply = command.positionals.first.flatMap({ bashReply($0.completion) }) else { return nil }
    return "    \(command.name):*) COMPREPLY=(\(reply)) ;;\n"
}

private func bashReply(_ completion: ValuePlaceholder.Completion) -> String? {
    switch completion {
    case .nothing: nil
    case .file: "$(compgen -f -- \"$current\")"
    case .folder: "$(compgen -d -- \"$current\")"
    case .nameOrFile(let words): "$(compgen -f -W \"\(words.joined(separator: " "))\" -- \"$current\")"
    case .words(let words): "$(compgen -W \"\(words.joined(separator: " "))\" -- \"$current\")"
    }
}

private func optionWords(_ flags: [Flag]) -> String {
    flags.flatMap { flag in
        (flag.short.map { ["-\($0)"] } ?? []) + flag.shownNames.map { "--\($0)" }
    }.joined(separator: " ")
}
