// SPDX-License-Identifier: MIT

internal import Sluice

/// Reads the command line by the tables of commands and options.
struct Parser {
    /// A command line that was understood.
    struct Result: Sendable {
        /// The command; `nil` where only help or the version was asked for.
        var command: Command?
        /// What was said.
        var options = RawOptions()
    }

    private var result = Result()
    private var rest: ArraySlice<String>
    private var flags = Flag.of(nil)
    private let origin: Origin

    /// Reads `arguments`, without the program's own name; `origin` is where they were given.
    static func parse(_ arguments: [String], from origin: Origin = .argument) throws(UsageError) -> Result {
        var parser = Parser(rest: arguments[...], origin: origin)
        try parser.readAll()
        try parser.checkPositionals()
        return parser.result
    }

    private init(rest: ArraySlice<String>, origin: Origin) {
        self.rest = rest
        self.origin = origin
    }

    private mutating func readAll() throws(UsageError) {
        var areOptionsOver = false
        while let argument = rest.popFirst() {
            if areOptionsOver || argument == "-" || !argument.hasPrefix("-") {
                try readWord(argument)
            } else if argument == "--" {
                areOptionsOver = true
            } else if argument.hasPrefix("--") {
                try readLong(argument)
            } else {
                try readShort(argument)
            }
        }
    }

    // MARK: Words

    private mutating func readWord(_ word: String) throws(UsageError) {
        guard let command = result.command else {
            guard let found = Command.all.first(where: { $0.name.rawValue == word }) else {
                let near = hint(nearest(word, CommandName.allCases.map(\.rawValue)))
                throw UsageError(
                    "unknown command \(escaped(word))\(near.isEmpty ? "; `sluice help` lists them" : near)")
            }
            result.command = found
            flags = Flag.of(found.name)
            return
        }
        let count = result.options.positionals.count
        let isRepeated = command.positionals.last?.isRepeated ?? false
        guard count < command.positionals.count || isRepeated else {
            let takes = command.positionals.last.map { "only one \($0.name)" } ?? "no argument"
            throw UsageError("\(command.name) takes \(takes); \(escaped(word)) is one too many")
        }
        let positional = command.positionals[min(count, command.positionals.count - 1)]
        if case .words(let words) = positional.completion, positional.isClosed, !words.contains(word) {
            let list = words.dropLast().joined(separator: ", ") + " or \(words.last ?? "")"
            throw UsageError("\(command.name) \(escaped(word)): takes \(list)\(hint(nearest(word, words)))")
        }
        guard !word.isEmpty else { throw UsageError("\(command.name): the \(positional.name) is empty") }
        result.options.positionals.append(word)
    }

    private func checkPositionals() throws(UsageError) {
        guard let command = result.command, result.options.request == nil else { return }
        let missing = command.positionals.dropFirst(result.options.positionals.count).first { $0.isRequired }
        guard let missing else { return }
        throw UsageError("\(command.name) needs a \(missing.name), as in: \(command.example)")
    }

    // MARK: Options

    private mutating func readLong(_ argument: String) throws(UsageError) {
        let parts = argument.dropFirst(2).split(separator: "=", maxSplits: 1, omittingEmptySubsequences: false)
        let name = String(parts[0])
        let attached = parts.count == 2 ? String(parts[1]) : nil
        guard let flag = flags.first(where: { $0.long == name || $0.undo == name }) else {
            throw unknown("--\(name)", names: flags.flatMap { [$0.long, $0.undo].compactMap(\.self) }) {
                $0.long == name || $0.undo == name
            }
        }
        try read(flag, spelling: "--\(name)", attached: attached, isOn: flag.undo != name || flag.long == name)
    }

    /// One letter, or several in one argument; what follows a letter that takes a value is the value.
    private mutating func readShort(_ argument: String) throws(UsageError) {
        var letters = argument.dropFirst()
        while let letter = letters.popFirst() {
            guard let flag = flags.first(where: { $0.short == letter }) else {
                throw unknown("-\(letter)", names: []) { $0.short == letter }
            }
            guard flag.value != nil, !letters.isEmpty else {
                if letters.first == "=" { throw UsageError("-\(letter) takes no value") }
                try read(flag, spelling: "-\(letter)", attached: nil, isOn: true)
                continue
            }
            let value = letters.first == "=" ? letters.dropFirst() : letters
            try read(flag, spelling: "-\(letter)", attached: String(value), isOn: true)
            return
        }
    }

    private mutating func read(_ flag: Flag, spelling: String, attached: String?, isOn: Bool) throws(UsageError) {
        var argument = Argument(spelling: spelling, isOn: isOn)
        if let placeholder = flag.value {
            argument.text = if let attached { attached } else { try nextValue(of: spelling, placeholder) }
        } else if attached != nil {
            throw UsageError("\(spelling) takes no value")
        }
        try result.options.apply(Setting(flag: flag, argument: argument, origin: origin))
    }

    /// The next argument, unless it looks like an option itself: `--out --json` is a forgotten value.
    private mutating func nextValue(of spelling: String, _ placeholder: Placeholder) throws(UsageError) -> String {
        let next = rest.first
        let isOption = next.map { $0.hasPrefix("-") && $0 != "-" && !($0.dropFirst().first?.isNumber ?? false) }
        guard let next, isOption == false else {
            throw UsageError("\(spelling) needs a value: \(spelling) \(placeholder.name)")
        }
        rest.removeFirst()
        return next
    }

    private func unknown(_ spelling: String, names: [String], isSame: (Flag) -> Bool) -> UsageError {
        if let elsewhere = Flag.all.first(where: isSame) {
            let owners = elsewhere.commands.map(\.rawValue).joined(separator: " and ")
            guard let command = result.command else {
                return UsageError("\(spelling) stands behind its command: sluice \(elsewhere.commands[0]) \(spelling)")
            }
            return UsageError("\(spelling) is an option of \(owners), not of \(command.name)")
        }
        let near = nearest(String(spelling.drop { $0 == "-" }), names).map { "--\($0)" }
        return UsageError("unknown option \(escaped(spelling))\(hint(near))")
    }
}
