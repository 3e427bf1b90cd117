// SPDX-License-Identifier: MIT

/// Completions as zsh wants them: `_arguments` with a line for each option.
func zshCompletions() -> String {
    """
    #compdef sluice

    _sluice() {
        local context state state_descr line
        typeset -A opt_args
        _arguments -C \\
    \(Flag.of(nil).flatMap(specifications).map { "        \($0) \\\n" }.joined())        '1:command:->command' \\
            '*::argument:->argument'
        case $state in
        command)
            local -a commands
            commands=(
    \(Command.all.map { "            \(quoted("\($0.name):\($0.summary)"))\n" }.joined())        )
            _describe -t commands command commands
            ;;
        argument)
            case $line[1] in
    \(Command.all.map(commandCase).joined())        esac
            ;;
        esac
    }

    _sluice "$@"

    """
}

private func commandCase(_ command: Command) -> String {
    let options = Flag.of(command.name).flatMap(specifications)
    let arguments = command.positionals.enumerated().map { index, positional in
        quoted("\(positional.isRepeated ? "*" : "\(index + 1)"):\(positional.name):\(action(positional.completion))")
    }
    let lines = (options + arguments).map { "            \($0)" }.joined(separator: " \\\n")
    return "        \(command.name)) _arguments \\\n\(lines)\n            ;;\n"
}

/// One line for each spelling.
private func specifications(_ flag: Flag) -> [String] {
    let help = bracketed(flag.help)
    let value = flag.value.map { ":\(colonless($0.name)):\(action($0.completion))" } ?? ""
    // A name that ends in = takes its value attached or as the next word; a letter that ends in + likewise.
    var lines = [
        quoted("\(flag.long == "header" ? "*" : "")--\(flag.long)\(flag.value == nil ? "" : "=")[\(help)]\(value)")
    ]
    if let short = flag.short { lines.append(quoted("-\(short)\(flag.value == nil ? "" : "+")[\(help)]\(value)")) }
    if let undo = flag.undo { lines.append(quoted("--\(undo)[Take --\(flag.long) back]")) }
    return lines
}

private func action(_ completion: Placeholder.Completion) -> String {
    switch completion {
    case .nothing: " "
    case .file: "_files"
    case .folder: "_files -/"
    case .words(let words): "(\(words.joined(separator: " ")))"
    }
}

/// Within single quotes nothing but the quote itself has a meaning.
private func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
}

/// Brackets and colons would end the words of help.
private func bracketed(_ text: String) -> String {
    var result = ""
    for character in text { result += "[]:\\".contains(character) ? "\\\(character)" : "\(character)" }
    return result
}

private func colonless(_ text: String) -> String { String(text.map { $0 == ":" || $0 == "'" ? " " : $0 }) }
