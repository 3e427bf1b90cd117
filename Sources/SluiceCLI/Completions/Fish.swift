// SPDX-License-Identifier: MIT

/// Returns the completion script for fish: one `complete` for each command, each argument and each option.
func fishCompletions() -> String {
    var text = """
        # fish completion of sluice

        \(fishHelpers)

        complete -c sluice -f

        """
    for command in Command.all {
        text += "complete -c sluice -n __sluice_needs_command -a \(command.name) -d \(quoted(command.summary))\n"
    }
    for command in Command.all {
        for (index, positional) in command.positionals.enumerated() where positional.completion != .nothing {
            let last = positional.isRepeated ? anyCount : index
            text += "complete -c sluice -n '__sluice_at \(index) \(last) \(command.name)'"
            text += "\(action(positional.completion)) -d \(quoted(positional.help))\n"
        }
    }
    for flag in Flag.all { text += optionLines(flag) }
    return text
}

/// The functions that know the place in the line, and those that print folders, sources and recipes.
private var fishHelpers: String {
    """
    # Whether the command is one of those after the two numbers, with a number of arguments in this range.
    function __sluice_at
        set -l words (commandline -opc)
        set -l command
        set -l count 0
        set -l skip 0
        for word in $words[2..]
            if test $skip = 1
                set skip 0
            else if contains -- $word \(Flag.valueSpellings.joined(separator: " "))
                set skip 1
            else if not string match -qr '^-.' -- $word
                if test -z "$command"
                    set command $word
                else
                    set count (math $count + 1)
                end
            end
        end
        test $count -ge $argv[1]; and test $count -le $argv[2]; and contains -- "$command" $argv[3..]
    end

    # Whether no command is given yet.
    function __sluice_needs_command
        __sluice_at 0 0 ''
    end

    # Prints the folders that contain a name, or all folders if none does.
    function __sluice_folders_with
        set -l all (__fish_complete_directories (commandline -ct) '' | string replace -r '\\t.*' '')
        set -l found
        for folder in $all
            test -e (string replace -r '^~' $HOME -- $folder)/$argv[1]; and set -a found $folder
        end
        set -q found[1]; and printf '%s\\n' $found; or printf '%s\\n' $all
    end

    # Prints the sources with a name, and after a colon the listings of services.
    function __sluice_sources
        if string match -q '*:*' -- (commandline -ct)
            printf '%s\\n' \(ValuePlaceholder.Completion.listings.joined(separator: " "))
        else
            printf '%s\\n' \(ValuePlaceholder.Completion.services.joined(separator: " "))
        end
    end

    # Prints the services and the recipe files.
    function __sluice_recipes
        printf '%s\\n' \(ValuePlaceholder.Completion.services.joined(separator: " "))
        __fish_complete_suffix .json
    end
    """
}

/// A number of arguments that no command line reaches.
private let anyCount = 9999

/// Returns a line for each name of the option.
private func optionLines(_ flag: Flag) -> String {
    let owners = CommandName.allCases.filter(flag.isOption).map(\.rawValue).joined(separator: " ")
    let isGeneral = flag.commands.count == CommandName.allCases.count
    let condition = isGeneral ? "" : " -n '__sluice_at 0 \(anyCount) \(owners)'"
    var text = "complete -c sluice\(condition) -l \(flag.long)\(flag.short.map { " -s \($0)" } ?? "")"
    text += flag.value.map { " -r\(action($0.completion))" } ?? ""
    text += " -d \(quoted(flag.help))\n"
    if let undo = flag.undo {
        text += "complete -c sluice\(condition) -l \(undo) -d \(quoted("Reverse --\(flag.long)"))\n"
    }
    return text
}

private func action(_ completion: ValuePlaceholder.Completion) -> String {
    switch completion {
    case .nothing: " -f"
    case .file: " -F"
    case .folder: " -f -a '(__fish_complete_directories)'"
    case .folderWith(let name): " -f -a '(__sluice_folders_with \(name))'"
    case .words(let words): " -f -a '\(words.joined(separator: " "))'"
    case .source: " -F -a '(__sluice_sources)'"
    case .recipe: " -f -k -a '(__sluice_recipes)'"
    }
}

/// Quotes the text for fish, whose single quotes only need the quote and the backslash escaped.
private func quoted(_ text: String) -> String {
    var result = ""
    for character in text { result += character == "'" || character == "\\" ? "\\\(character)" : "\(character)" }
    return "'\(result)'"
}
