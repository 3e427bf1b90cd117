// SPDX-License-Identifier: MIT

internal import Sluice

/// An option with its value, and whence that came.
struct Setting: Sendable {
    let flag: Flag
    let argument: Argument
    let origin: Origin

    /// Its value as it may be shown: without secrets, and without harm to a terminal.
    var shownValue: String {
        guard flag.value != nil else { return argument.isOn ? "on" : "off" }
        return flag.isSecret || argument.hasPassword ? "***" : escaped(argument.text, columns: 1000)
    }

    /// Why the option does not take its value, in a sentence.
    func sentence(_ refusal: Refusal) -> UsageError {
        // What was typed just now is no secret to whoever reads the answer.
        let value = origin == .argument ? escaped(argument.text) : shownValue
        return UsageError(
            "\(origin.prefix)\(argument.spelling) \(value.isEmpty ? "''" : value): takes \(refusal.allowed)")
    }
}

/// Where an option is set; what comes later here counts for more.
enum Origin: Sendable, Hashable {
    /// A file of options, by its path.
    case file(String)
    /// The arguments of the mirror's last command, which the ledger remembers.
    case lastCommand
    /// A variable of the environment, by its name.
    case variable(String)
    /// The command line.
    case argument

    /// What a sentence about an option begins with, where its spelling does not tell all.
    var prefix: String {
        if case .file(let path) = self { "\(escaped(path, columns: 1000)): " } else { "" }
    }

    /// What a user would call it.
    var place: String {
        switch self {
        case .file(let path): path
        case .lastCommand: "the last command"
        case .variable(let name): name
        case .argument: "argument"
        }
    }
}

extension Argument {
    /// Whether its text is an address with a name and a password in it.
    var hasPassword: Bool { text.contains("://") && text.contains("@") }
}

extension RawOptions {
    /// What the settings say together, each behind what counts for less.
    init(_ settings: [Setting]) throws(UsageError) {
        self.init()
        for setting in settings { try apply(setting) }
    }

    /// Reads a further setting into the options.
    mutating func apply(_ setting: Setting) throws(UsageError) {
        do {
            try setting.flag.apply(&self, setting.argument)
        } catch {
            throw setting.sentence(error)
        }
        settings.append(setting)
    }

    /// The settings that count, in the options' order: of one that is given again only the last, unless they add up.
    var inForce: [Setting] {
        Flag.all.flatMap { flag in
            let given = settings.filter { ($0.flag.long, $0.flag.commands) == (flag.long, flag.commands) }
            return flag.isRepeatable ? given : given.suffix(1)
        }
    }
}
