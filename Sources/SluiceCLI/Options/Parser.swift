// SPDX-License-Identifier: MIT

internal import SluiceImaging
internal import SluiceModel

/// Parses the command line with the tables of commands and options.
struct Parser {
    struct Result: Sendable {
        /// The command; `nil` if only help or the version was requested.
        var command: Command?
        var options = RawOptions()
    }

    /// What people call commands and options that have other names here.
    private static let otherNames = [
        "download": "mirror", "get": "mirror", "fetch": "mirror", "sync": "mirror", "resize": "thumbs",
        "thumbnail": "thumbs", "dedupe": "duplicates", "check": "verify", "services": "feeds", "version": "--version",
    ]

    private var result = Result()
    private var rest: ArraySlice<String>
    private var flags = Flag.of(nil)
    private let source: SettingSource

    /// Parses `arguments`, which do not include the program name; `source` says where they come from.
    static func parse(
        _ arguments: [String], from source: SettingSource = .argument
    ) throws(UsageError) -> Result {
        var parser = Parser(rest: arguments[...], source: source)
        try parser.parseAll()
        parser.addDefaultPositionals()
        try parser.checkPositionals()
        return parser.result
    }

    private init(rest: ArraySlice<String>, source: SettingSource) {
        self.rest = rest
        self.source = source
    }

    private mutating func parseAll() throws(UsageError) {
        var isAfterSeparator = false
        while let argument = rest.popFirst() {
            if isAfterSeparator || argument == "-" || !argument.hasPrefix("-") {
                try parseWord(argument)
            } else if argument == "--" {
                isAfterSeparator = true
            } else if argument.hasPrefix("--") {
                try parseLong(argument)
            } else {
                try parseShort(argument)
            }
        }
    }

    // MARK: Commands and positional arguments

    private mutating func parseWord(_ word: String) throws(UsageError) {
        guard let command = result.command else { return try parseCommand(word) }
        let count = result.options.positionals.count
        let isRepeated = command.positionals.last?.isRepeated ?? false
        guard count < command.positionals.count || isRepeated else {
            let accepted = command.positionals.last.map { "only one \($0.name)" } ?? "no arguments"
            throw UsageError(
                "unexpected argument '\(escaped(word))': \(command.name) takes \(accepted)",
                hint: command.positionals.last?.hintForMore)
        }
        let positional = command.positionals[min(count, command.positionals.count - 1)]
        if case .words(let words) = positional.completion, positional.isClosed, !words.contains(word) {
            let list = listed(words, "or")
            let suggestion = didYouMean(closestMatch(to: word, in: words))
            throw UsageError(
                "invalid argument '\(escaped(word))' for \(command.name): expected \(list)\(suggestion)")
        }
        guard !word.isEmpty else { throw UsageError("\(command.name): \(positional.name) is empty") }
        try checkIsNoSize(word)
        result.options.positionals.append(word)
    }

    /// Refuses the second of several sizes with blanks between them, which would be a source.
    private func checkIsNoSize(_ word: String) throws(UsageError) {
        guard let last = result.options.settings.last, last.flag.long == "sizes", ThumbnailSize(word) != nil else {
            return
        }
        let list = "\(last.argument.spelling) \(last.argument.text),\(word)"
        throw UsageError(
            "unexpected argument '\(escaped(word))' after \(last.argument.spelling)",
            hint: "for several sizes, write \(escaped(list)); for a folder or list, ./\(escaped(word))")
    }

    private mutating func parseCommand(_ word: String) throws(UsageError) {
        guard let command = Command.named(word) else {
            let names = CommandName.allCases.map(\.rawValue)
            let suggestion = didYouMean(Self.otherNames[word] ?? closestMatch(to: word, in: names))
            if word.contains("/") || word.contains(":") {
                throw UsageError(
                    "'\(escaped(word))' is not a command", hint: "to mirror it, run `sluice mirror \(escaped(word))`")
            }
            throw UsageError(
                "unknown command '\(escaped(word))'"
                    + (suggestion.isEmpty ? "; `sluice help` lists the commands" : suggestion))
        }
        result.command = command
        flags = Flag.of(command.name)
    }

    private mutating func addDefaultPositionals() {
        for positional in result.command?.positionals.dropFirst(result.options.positionals.count) ?? [] {
            guard let value = positional.defaultValue else { return }
            result.options.positionals.append(value)
        }
    }

    private func checkPositionals() throws(UsageError) {
        guard let command = result.command, result.options.request == nil else { return }
        let missing = command.positionals.dropFirst(result.options.positionals.count).first { $0.isRequired }
        guard let missing else { return }
        throw UsageError("\(command.name) needs a \(missing.name), for example: \(command.example)")
    }

    // MARK: Options

    private mutating func parseLong(_ argument: String) throws(UsageError) {
        let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        let attached = parts.count == 2 ? String(parts[1]) : nil
        guard let flag = flags.first(where: { $0.names.contains(name) }) else {
            throw unknownOption("--\(name)", candidates: flags.flatMap(\.shownNames)) { $0.names.contains(name) }
        }
        try parse(flag, spelling: "--\(name)", attached: attached, isOn: flag.undo != name)
    }

    /// Parses one letter, or several letters in one argument.
    ///
    /// The rest after a letter that takes a value is the value.
    private mutating func parseShort(_ argument: String) throws(UsageError) {
        var letters = argument.dropFirst()
        while let letter = letters.popFirst() {
            guard let flag = flags.first(where: { $0.short == letter }) else {
                throw unknownOption("-\(letter)", candidates: []) { $0.short == letter }
            }
            guard flag.value != nil, !letters.isEmpty else {
                if letters.first == "=" { throw UsageError("-\(letter) takes no value") }
                try parse(flag, spelling: "-\(letter)", attached: nil, isOn: true)
                continue
            }
            let value = letters.first == "=" ? letters.dropFirst() : letters
            try parse(flag, spelling: "-\(letter)", attached: String(value), isOn: true)
            return
        }
    }

    private mutating func parse(_ flag: Flag, spelling: String, attached: String?, isOn: Bool) throws(UsageError) {
        var argument = Argument(spelling: spelling, isOn: isOn)
        if let placeholder = flag.value {
            argument.text =
                if let text = attached ?? flag.implied { text } else { try nextValue(of: spelling, placeholder) }
            // A list that is given in parts is one list; none is no part. Recorded commands have the whole list last.
            if source == .argument, placeholder.name == "LIST", !flag.isRepeatable,
                let earlier = result.options.settings.last(where: { $0.flag.names == flag.names })?.argument.text,
                ![earlier, argument.text].contains("none")
            {
                argument.text = "\(earlier),\(argument.text)"
            }
        } else if attached != nil {
            throw UsageError("\(spelling) takes no value")
        }
        try checkUniqueness(of: flag, argument)
        try result.options.apply(Setting(flag: flag, argument: argument, source: source))
    }

    /// Rejects a second value of an option that the user may take for one that adds values.
    ///
    /// Recorded commands are accepted, because they may come from an earlier version.
    private func checkUniqueness(of flag: Flag, _ argument: Argument) throws(UsageError) {
        guard flag.isUnique, source == .argument else { return }
        let earlier = result.options.settings.last { $0.flag.long == flag.long }?.argument.text
        guard let earlier, earlier != argument.text else { return }
        throw UsageError(
            "\(argument.spelling) takes one name: '\(escaped(earlier))' or '\(escaped(argument.text))'")
    }

    /// Takes the next argument as a value, unless it looks like an option: in `--out --json` the value is missing.
    private mutating func nextValue(of spelling: String, _ placeholder: ValuePlaceholder) throws(UsageError) -> String {
        let next = rest.first
        let isOption = next.map { $0.hasPrefix("-") && $0 != "-" && !($0.dropFirst().first?.isNumber ?? false) }
        guard let next, isOption == false else {
            throw UsageError("\(spelling) needs a value: \(spelling) \(placeholder.name)")
        }
        rest.removeFirst()
        return next
    }

    private func unknownOption(
        _ spelling: String, candidates: [String], matches: (Flag) -> Bool
    ) -> UsageError {
        let suggestion = closestMatch(to: String(spelling.drop { $0 == "-" }), in: candidates).map { "--\($0)" }
        if let flag = Flag.all.first(where: matches) {
            guard let command = result.command else {
                return UsageError(
                    "\(spelling) must follow its command, for example: sluice \(flag.commands[0]) \(spelling)")
            }
            let owners = listed(flag.commands.map(\.rawValue), "and")
            let reason =
                flag.commands.count > 3
                ? "\(command.name) has no option \(spelling)"
                : "\(spelling) is an option of \(owners), not of \(command.name)"
            return UsageError(reason + didYouMean(suggestion))
        }
        if let reason = Flag.removed[spelling] { return UsageError("\(spelling) was removed: \(reason)") }
        return UsageError("unknown option '\(escaped(spelling))'\(didYouMean(suggestion))")
    }
}
