// SPDX-License-Identifier: MIT

internal import SluiceModel

/// An option with its value and the source that set it.
struct Setting: Sendable {
    let flag: Flag
    let argument: Argument
    let source: SettingSource

    /// Whether its author may set the option to this value.
    var isPermitted: Bool { flag.accepts(argument, from: source.author) }

    /// The value as text that is safe to print: escaped, with secrets hidden.
    var displayedValue: String {
        guard flag.value != nil else { return argument.isOn ? "on" : "off" }
        return flag.isSecret || argument.hasPassword ? "***" : escaped(argument.text, columns: 1000)
    }

    /// The usage error for a value that the option does not accept.
    func usageError(_ error: InvalidValue) -> UsageError {
        // A secret that the user has just typed need not be hidden from the user.
        let value = source == .argument ? escaped(argument.text) : displayedValue
        return UsageError(
            "\(source.errorPrefix)invalid value '\(value)' for \(argument.spelling): expected \(error.expected)")
    }
}

/// The place where an option is set.
///
/// A later case overrides an earlier one.
enum SettingSource: Sendable, Hashable {
    /// A file of options, with its path and its author.
    case file(String, by: Provenance = .user)
    /// The mirror's last command, as recorded in the ledger.
    case lastCommand
    case plan
    /// An environment variable, with its name.
    case variable(String)
    case argument

    var author: Provenance {
        switch self {
        case .file(_, let author): author
        case .lastCommand: .ledger
        case .plan: .plan
        case .variable, .argument: .user
        }
    }

    /// The start of an error message, for sources that the spelling of the option does not identify.
    var errorPrefix: String {
        if case .file(let path, _) = self { "\(escaped(path, columns: 1000)): " } else { "" }
    }

    /// The name of the source for users.
    var description: String {
        switch self {
        case .file(let path, _): path
        case .lastCommand: "the last command"
        case .plan: "the plan"
        case .variable(let name): name
        case .argument: "argument"
        }
    }
}

extension Argument {
    /// Whether the value is a URL that may contain a password.
    var hasPassword: Bool { text.contains("://") && text.contains("@") }
}

extension RawOptions {
    /// Applies the settings in order; a later setting overrides an earlier one.
    init(_ settings: [Setting]) throws(UsageError) {
        self.init()
        for setting in settings { try apply(setting) }
    }

    /// Whether the command line has the option.
    func isArgument(_ name: String) -> Bool {
        settings.contains { $0.source == .argument && $0.flag.long == name }
    }

    mutating func apply(_ setting: Setting) throws(UsageError) {
        do {
            try setting.flag.apply(setting.argument, to: &self)
        } catch {
            throw setting.usageError(error as? InvalidValue ?? InvalidValue("\(error)"))
        }
        settings.append(setting)
    }

    /// The settings in effect, in the order of the option table: the last one of each option, and all of a repeatable
    /// one.
    var effectiveSettings: [Setting] {
        Flag.all.flatMap { flag in
            let given = settings.filter { ($0.flag.long, $0.flag.commands) == (flag.long, flag.commands) }
            return flag.isRepeatable ? given : given.suffix(1)
        }
    }
}
