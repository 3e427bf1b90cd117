// SPDX-License-Identifier: MIT

internal import Sluice

/// Settings out of files and variables: keys are options' names, without their dashes.
extension Setting {
    /// What a file sets for a command; options of other commands are passed over.
    static func read(_ file: SettingsFile, for command: CommandName) throws(UsageError) -> [Setting] {
        var settings: [Setting] = []
        for member in file.members where member.name != "$schema" {
            let origin = Origin.file(file.path)
            guard let flag = Flag.named(member.name, of: command) else {
                let near = nearest(member.name, Flag.names { $0.reach == .everywhere })
                throw UsageError("\(origin.prefix)unknown option \(escaped(member.name))\(hint(near))")
            }
            guard flag.reach == .everywhere else {
                throw UsageError("\(origin.prefix)\(member.name) cannot be set in a file")
            }
            let arguments = try flag.arguments(member, origin)
            guard flag.isOption(of: command) else { continue }
            settings += arguments.map { Setting(flag: flag, argument: $0, origin: origin) }
        }
        return settings
    }

    /// What variables set for a command: `SLUICE_PER_HOST` sets `--per-host`.
    ///
    /// One whose name is near to an option's is a slip; one that is like none belongs to somebody else.
    static func read(_ variables: [Environment.Variable], for command: CommandName) throws(UsageError) -> [Setting] {
        var settings: [Setting] = []
        for variable in variables {
            let key = variable.name.dropFirst(Environment.prefix.count).lowercased().replacing("_", with: "-")
            guard let flag = Flag.named(key, of: command), flag.reach != .argumentsAlone else {
                guard let near = nearest(key, Flag.names { $0.reach != .argumentsAlone }) else { continue }
                let name = Environment.prefix + near.uppercased().replacing("-", with: "_")
                throw UsageError("unknown option in the environment: \(escaped(variable.name))\(hint(name))")
            }
            guard flag.isOption(of: command) else { continue }
            let argument = try flag.argument(variable, isUndone: flag.long != key)
            settings.append(Setting(flag: flag, argument: argument, origin: .variable(variable.name)))
        }
        return settings
    }
}

extension Flag {
    /// The option of that name, or whose other form has it; the command's own where commands share a name.
    static func named(_ name: String, of command: CommandName) -> Flag? {
        let named = all.filter { $0.long == name || $0.undo == name }
        return named.first { $0.isOption(of: command) } ?? named.first
    }

    /// The names of options, and of their other forms.
    static func names(where isWanted: (Flag) -> Bool) -> [String] {
        all.filter(isWanted).flatMap { [$0.long, $0.undo].compactMap(\.self) }
    }

    /// What a member of a file says: true or false, or a value, or an array of them.
    fileprivate func arguments(_ member: JSON.Member, _ origin: Origin) throws(UsageError) -> [Argument] {
        let key = member.name
        guard let value else {
            guard case .bool(let isOn) = member.value else {
                throw UsageError("\(origin.prefix)\(key): takes true or false")
            }
            return [Argument(spelling: key, isOn: isOn == (long == key))]
        }
        let texts = (member.value.elements ?? [member.value]).map(\.word)
        guard let words = texts as? [String] else {
            throw UsageError("\(origin.prefix)\(key): takes a text or a number (\(value.name)), or an array of them")
        }
        let values = isRepeatable ? words : [words.joined(separator: ",")]
        return values.map { Argument(spelling: key, text: $0) }
    }

    /// What a variable says; for an option without a value that is 1 or 0.
    fileprivate func argument(_ variable: Environment.Variable, isUndone: Bool) throws(UsageError) -> Argument {
        guard value == nil else { return Argument(spelling: variable.name, text: variable.text) }
        switch variable.text.lowercased() {
        case "1", "true", "yes", "on": return Argument(spelling: variable.name, isOn: !isUndone)
        case "0", "false", "no", "off": return Argument(spelling: variable.name, isOn: isUndone)
        default: throw UsageError("\(variable.name) \(escaped(variable.text)): takes 1 or 0")
        }
    }
}

extension JSON {
    /// A string as it is, even an empty one, or a number's own text.
    fileprivate var word: String? {
        switch self {
        case .string(let text), .number(let text): text
        default: nil
        }
    }
}
