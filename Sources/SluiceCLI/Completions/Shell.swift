// SPDX-License-Identifier: MIT

enum Shell: String, Sendable, CaseIterable {
    case bash, zsh, fish

    /// The completion script, which asks the command for ``Completions`` and finds paths itself.
    var script: String {
        switch self {
        case .bash: Self.bashScript
        case .zsh: Self.zshScript
        case .fish: Self.fishScript
        }
    }

    private static let bashScript = #"""
        # bash completion of sluice
        _sluice() {
            local IFS=$'\n' current=${COMP_WORDS[COMP_CWORD]} words=() last=-1 word paths name
            # bash has split the words at = and at colons.
            for word in "${COMP_WORDS[@]:1:COMP_CWORD}"; do
                if ((last >= 0)) && [[ $word == [=:]* || ${words[last]} == *[=:] ]]; then
                    words[last]+=$word
                else
                    words[++last]=$word
                fi
            done
            if [[ $current == [=:] ]]; then current=; fi
            COMPREPLY=()
            {
                IFS=' ' read -r paths name
                while IFS=$'\t' read -r word _; do
                    if [[ $word == "${words[last]}"* ]]; then COMPREPLY+=("${word#"${words[last]%"$current"}"}"); fi
                done
            } < <("${1/#\~/$HOME}" __complete "${words[@]}" 2>/dev/null)
            if [[ ${COMPREPLY[0]} == */ ]]; then compopt -o nospace 2>/dev/null; fi
            case $paths in
            none) return ;;
            file) COMPREPLY+=($(compgen -f -- "$current")) ;;
            recipe) COMPREPLY+=($(compgen -f -X '!*.json' -- "$current") $(compgen -d -- "$current")) ;;
            folder)
                for word in $(compgen -d -- "$current"); do
                    if [[ -e ${word/#\~/$HOME}/$name ]]; then COMPREPLY+=("$word"); fi
                done
                if ((${#COMPREPLY[@]} == 0)); then COMPREPLY=($(compgen -d -- "$current")); fi
                ;;
            esac
            compopt -o filenames 2>/dev/null
        }
        complete -F _sluice sluice

        """#

    private static let zshScript = #"""
        #compdef sluice
        _sluice() {
            local -a lines offers found
            local line key
            lines=("${(@f)$(command ${~words[1]} __complete "${(@Q)words[2,CURRENT-1]}" "$PREFIX" 2>/dev/null)}")
            if [[ $PREFIX == --*=* ]]; then
                key=${PREFIX%%=*}=
                compset -P '--*='
            fi
            for line in "${(@)lines[2,-1]}"; do
                line=${line#$key}
                offers+=("${${line%%$'\t'*}//:/\\:}${${(M)line%%$'\t'*}/$'\t'/:}")
            done
            if [[ $PREFIX == *:* ]]; then
                _describe 'listing' offers -S ''
            elif (($#offers)); then
                _describe 'argument' offers
            fi
            case $lines[1] in
            file) _files ;;
            recipe) _files -g '*.json(-.)' ;;
            folder*)
                found=(${~PREFIX}*(N-/e:'[[ -e $REPLY/'${lines[1]##folder( |)}' ]]':))
                if (($#found)); then compadd -f -S / -a found; else _files -/; fi
                ;;
            esac
        }
        _sluice "$@"

        """#

    private static let fishScript = #"""
        # fish completion of sluice
        function __sluice_complete
            set -l words (commandline -opc)
            set -l current (commandline -ct)
            set -l lines (command $words[1] __complete $words[2..] "$current" 2>/dev/null)
            set -l kind (string split ' ' -- "$lines[1]")
            set -l key (string match -r -- '^--[^=]*=' "$current")
            set -l path (string replace -r -- '^--[^=]*=' '' "$current")
            set -q lines[2]; and printf '%s\n' $lines[2..]
            set -l found
            switch "$kind[1]"
                case file
                    set found (__fish_complete_path "$path")
                case recipe
                    set found (__fish_complete_suffix "$path" .json)
                case folder
                    set -l all (__fish_complete_directories "$path" '' | string replace -r '\t.*' '')
                    for folder in $all
                        test -e (string replace -r '^~' $HOME -- $folder)/$kind[2]; and set -a found $folder
                    end
                    set -q found[1]; or set found $all
            end
            set -q found[1]; and printf "$key%s\n" $found
        end
        complete -c sluice -f -k -a '(__sluice_complete)'

        """#
}
