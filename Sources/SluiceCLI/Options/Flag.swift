// SPDX-License-Identifier: MIT

/// One option of the command line: all that the parser, the help, the completions and the manual need to know of it.
///
/// To add an option, add one entry to the file of its category; nothing else has to change.
struct Flag: Sendable {
    /// The name, without its dashes.
    let long: String
    /// The letter, where a hand would want one.
    var short: Character?
    /// What stands for its value in help; `nil` for an option that takes none.
    var value: Placeholder?
    /// The name of the form that takes the option back, for one without a value.
    var undo: String?
    /// Where help lists it.
    let category: Category
    /// The commands that take it.
    let commands: [CommandName]
    /// Whether it belongs to how the mirror is made, for good: the ledger keeps it with the run, for repairs.
    var isLasting = true
    /// Whether each further one adds to what was said before, where others take its place.
    var isRepeatable = false
    /// Whether its value is nobody else's business, and is never shown.
    var isSecret = false
    /// What of `bench` it says something of, if it is one of its options.
    var subjects: Set<BenchSubject> = [.loader]
    /// Where it may be set.
    var reach = Reach.everywhere
    /// One line, without a full stop.
    let help: String
    /// Whole sentences: defaults, units, what it is for.
    let longHelp: String
    /// Reads the argument into the options, or refuses it.
    let apply: @Sendable (inout RawOptions, Argument) throws(Refusal) -> Void

    /// Where an option may be set: see ``Origin``.
    enum Reach: Sendable {
        case everywhere, variablesAndArguments, argumentsAlone
    }

    /// What kinds of options there are, in the order in which help lists them.
    enum Category: String, Sendable, CaseIterable {
        case selection = "What to mirror"
        case thumbnails = "Thumbnails"
        case limits = "Limits"
        case transfer = "Transfer"
        case network = "Network"
        case upkeep = "Upkeep"
        case output = "Output"
        case serving = "Serving"
        case bench = "Measuring"
        case general = "General"
    }

    /// Every option, by category.
    static let all: [Flag] =
        selection + narrowing + thumbnails + rendering + metadata + limits + ending + transfer + network + upkeep
        + shards + output + measures + look + serving + bench + results
        + settings + general

    /// The options that `command` takes; without a command those that every command takes.
    static func of(_ command: CommandName?) -> [Flag] {
        guard let command else { return general }
        return all.filter { $0.isOption(of: command) }
    }

    /// Whether a command takes it: `adopt` makes a mirror as `mirror` would, by all that lasts.
    func isOption(of command: CommandName) -> Bool {
        commands.contains(command) || command == .adopt && isLasting && commands.contains(.mirror)
    }
}

/// What stands for a value in help, and what a shell may offer in its place.
struct Placeholder: Sendable {
    /// What a shell may offer.
    enum Completion: Sendable, Hashable {
        case nothing, file, folder
        case words([String])
    }

    /// The name in capitals, or the choices with `|` between them.
    let name: String
    /// What a shell may offer.
    var completion = Completion.nothing

    init(_ name: String, _ completion: Completion = .nothing) {
        self.name = name
        self.completion = completion
    }

    /// One of a few words.
    static func choice<Choice: RawRepresentable<String> & CaseIterable>(of type: Choice.Type) -> Placeholder {
        let words = type.allCases.map(\.rawValue)
        return Placeholder(words.joined(separator: "|"), .words(words))
    }
}
