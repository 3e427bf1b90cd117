// SPDX-License-Identifier: MIT

/// Returns the completion script for bash: a function that depends on the command, the previous word, and the number of
/// arguments before the current one.
func bashCompletions() -> String {
    """
    # bash completion of sluice
    \(bashHelpers)

    _sluice() {
        local current=${COMP_WORDS[COMP_CWORD]} previous=${COMP_WORDS[COMP_CWORD-1]} command= position=0 skip= word
        for word in "${COMP_WORDS[@]:1:COMP_CWORD-1}"; do
            case $skip:$word in
            *:=) ;;
            1:*) skip= ;;
            *::) skip=1 ;;
            \(Flag.valueSpellings.map { "*:\($0)" }.joined(separator: " | "))) skip=1 ;;
            *:-?*) ;;
            *) if [[ -z $command ]]; then command=$word; else ((position += 1)); fi ;;
            esac
        done
        COMPREPLY=()
        if [[ $current == = ]]; then current=; fi
        if [[ $previous == = ]]; then previous=${COMP_WORDS[COMP_CWORD-2]}; fi
        case $previous in
        :) _sluice_listings "${COMP_WORDS[COMP_CWORD-2]}"; return ;;
    \(valueCases())    esac
        case $command:$position:$current in
    \(Command.all.map(optionCase).joined())    :*:-*) _sluice_words "\(optionWords(Flag.of(nil)))" ;;
        :*) _sluice_words "\(CommandName.allCases.map(\.rawValue).joined(separator: " "))" ;;
    \(Command.all.flatMap(positionalCases).joined())    esac
    }
    complete -F _sluice sluice

    """
}

/// The functions that offer words, paths and listings.
private var bashHelpers: String {
    """
    _sluice_words() {
        local IFS=$' \\t\\n'
        COMPREPLY+=($(compgen -W "$1" -- "$current"))
    }

    # Offers files (-f) or folders (-d).
    _sluice_paths() {
        local IFS=$'\\n'
        compopt -o filenames 2>/dev/null
        COMPREPLY+=($(compgen "$@" -- "$current"))
    }

    # Offers the folders that contain a name, or all folders if none does.
    _sluice_folders_with() {
        local IFS=$'\\n' folder
        compopt -o filenames 2>/dev/null
        for folder in $(compgen -d -- "$current"); do
            [[ -e ${folder/#\\~/$HOME}/$1 ]] && COMPREPLY+=("$folder")
        done
        ((${#COMPREPLY[@]})) || _sluice_paths -d
    }

    # Offers the listings of a service; bash has split the word at the colon.
    _sluice_listings() {
        local listing
        for listing in \(ValuePlaceholder.Completion.listings.joined(separator: " ")); do
            [[ $listing == "$1:"* ]] && _sluice_words "${listing#*:}"
        done
        compopt -o nospace 2>/dev/null
    }
    """
}

/// Returns a case for each option with a value, which completes the value.
private func valueCases() -> String {
    Flag.all.compactMap { flag -> String? in
        guard let value = flag.value else { return nil }
        let reply = reply(value.completion).map { "\($0); " } ?? ""
        return "    \(flag.spellings.joined(separator: "|"))) \(reply)return ;;\n"
    }.joined()
}

private func optionCase(_ command: Command) -> String {
    "    \(command.name):*:-*) _sluice_words \"\(optionWords(Flag.of(command.name)))\" ;;\n"
}

private func positionalCases(_ command: Command) -> [String] {
    command.positionals.enumerated().compactMap { index, positional in
        reply(positional.completion).map {
            "    \(command.name):\(positional.isRepeated ? "*" : "\(index)"):*) \($0) ;;\n"
        }
    }
}

private func reply(_ completion: ValuePlaceholder.Completion) -> String? {
    switch completion {
    case .nothing: nil
    case .file: "_sluice_paths -f"
    case .folder: "_sluice_paths -d"
    case .folderWith(let name): "_sluice_folders_with \(name)"
    case .words(let words): "_sluice_words \"\(words.joined(separator: " "))\""
    case .source:
        "_sluice_words \"\(ValuePlaceholder.Completion.services.joined(separator: " "))\"; _sluice_paths -f"
    case .recipe:
        "_sluice_words \"\(ValuePlaceholder.Completion.services.joined(separator: " "))\"; "
            + "_sluice_paths -f -X '!*.json'; _sluice_paths -d"
    }
}

private func optionWords(_ flags: [Flag]) -> String {
    flags.flatMap { flag in
        (flag.short.map { ["-\($0)"] } ?? []) + flag.shownNames.map { "--\($0)" }
    }.joined(separator: " ")
}
