// SPDX-License-Identifier: MIT

/// Returns the completion script for zsh: `_arguments` with a line for each option.
func zshCompletions() -> String {
    """
    #compdef sluice

    # Offers the sources with a name, after a colon the listings of services, and files.
    _sluice_sources() {
        local -a names
        if [[ $PREFIX == *:* ]]; then
            names=(\(ValuePlaceholder.Completion.listings.joined(separator: " ")))
            _wanted listings expl listing compadd -S '' -a names
        else
            names=(\(ValuePlaceholder.Completion.services.joined(separator: " ")))
            _alternative 'sources:source:compadd -a names' 'files:file:_files'
        fi
    }

    # Offers the services and the recipe files.
    _sluice_recipes() {
        local -a names
        names=(\(ValuePlaceholder.Completion.services.joined(separator: " ")))
        _alternative 'services:service:compadd -a names' 'files:recipe:_files -g "*.json(-.)"'
    }

    # Offers the folders that contain a name, or all folders if none does.
    _sluice_folders_with() {
        local -a found
        found=(${~PREFIX}*(N-/e:'[[ -e $REPLY/'$1' ]]':))
        if (($#found)); then
            _wanted folders expl folder compadd -f -S / -a found
        else
            _files -/
        fi
    }

    _sluice() {
        local context state state_descr line
        typeset -A opt_args
        # Options after the command are those of the command.
        _arguments -C -A '-*' \\
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

/// Returns one line for each name of the option.
private func specifications(_ flag: Flag) -> [String] {
    let help = escapedDescription(flag.help)
    let value = flag.value.map { ":\(withoutColons($0.name)):\(action($0.completion))" } ?? ""
    // A name that ends in = and a letter that ends in + take a value, attached or as the next word.
    var lines = [
        quoted("\(flag.long == "header" ? "*" : "")--\(flag.long)\(flag.value == nil ? "" : "=")[\(help)]\(value)")
    ]
    if let short = flag.short { lines.append(quoted("-\(short)\(flag.value == nil ? "" : "+")[\(help)]\(value)")) }
    if let undo = flag.undo { lines.append(quoted("--\(undo)[Reverse --\(flag.long)]")) }
    return lines
}

private func action(_ completion: ValuePlaceholder.Completion) -> String {
    switch completion {
    case .nothing: " "
    case .file: "_files"
    case .folder: "_files -/"
    case .folderWith(let name): "{_sluice_folders_with \(name)}"
    case .words(let words): "(\(words.joined(separator: " ")))"
    case .source: "_sluice_sources"
    case .recipe: "_sluice_recipes"
    }
}

/// Quotes the text for zsh, whose single quotes only need the quote escaped.
private func quoted(_ text: String) -> String {
    "'" + text.split(separator: "'", omittingEmptySubsequences: false).joined(separator: "'\\''") + "'"
}

/// Escapes brackets and colons, which would end the description.
private func escapedDescription(_ text: String) -> String {
    var result = ""
    for character in text { result += "[]:\\".contains(character) ? "\\\(character)" : "\(character)" }
    return result
}

/// Replaces colons and quotes, which are special in a specification.
private func withoutColons(_ text: String) -> String { String(text.map { $0 == ":" || $0 == "'" ? " " : $0 }) }
