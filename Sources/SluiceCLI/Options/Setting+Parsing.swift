// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceModel

/// Parses settings from files and environment variables. Their keys are option names without dashes.
extension Setting {
    /// Returns the settings of a file for one command; options of other commands are ignored.
    ///
    /// The file in a mirror's own folder may set only harmless options.
    static func read(
        _ file: SettingsFile, for command: CommandName, by author: Provenance = .user
    ) throws(UsageError) -> [Setting] {
        var settings: [Setting] = []
        for member in file.members where member.name != "$schema" {
            let source = SettingSource.file(file.path, by: author)
            guard let flag = Flag.named(member.name, of: command) else {
                let suggestion = closestMatch(to: member.name, in: Flag.shownNames { $0.settableFrom == .all })
                throw UsageError(
                    "\(source.errorPrefix)unknown option '\(escaped(member.name))'\(didYouMean(suggestion))")
            }
            guard flag.settableFrom == .all else {
                throw UsageError("\(source.errorPrefix)\(member.name) cannot be set in a file")
            }
            let arguments = try flag.arguments(from: member, of: source)
            try flag.checkInMirrorFile(arguments, source)
            guard flag.isOption(of: command) else { continue }
            settings += arguments.map { Setting(flag: flag, argument: $0, source: source) }
        }
        return settings
    }

    /// Returns the settings of environment variables for one command: `SLUICE_PER_HOST` sets `--per-host`.
    ///
    /// An unknown variable whose name is close to that of an option is a mistake and throws. Any other unknown variable
    /// belongs to another program and is ignored.
    static func read(_ variables: [Environment.Variable], for command: CommandName) throws(UsageError) -> [Setting] {
        var settings: [Setting] = []
        for variable in variables {
            let key = variable.name.dropFirst(Environment.prefix.count).lowercased().replacing("_", with: "-")
            guard let flag = Flag.named(key, of: command), flag.settableFrom != .argumentsOnly else {
                let candidates = Flag.shownNames { $0.settableFrom != .argumentsOnly }
                guard let match = closestMatch(to: key, in: candidates) else { continue }
                let name = Environment.prefix + match.uppercased().replacing("-", with: "_")
                throw UsageError("unknown environment variable '\(escaped(variable.name))'\(didYouMean(name))")
            }
            guard flag.isOption(of: command) else { continue }
            let argument = try flag.argument(from: variable, isUndone: flag.undo == key)
            settings.append(Setting(flag: flag, argument: argument, source: .variable(variable.name)))
        }
        return settings
    }
}

extension Flag {
    /// Returns the option with this name.
    ///
    /// If several commands have such an option, returns the one of `command`.
    static func named(_ name: String, of command: CommandName) -> Flag? {
        let named = all.filter { $0.names.contains(name) }
        return named.first { $0.isOption(of: command) } ?? named.first
    }

    /// Returns the names to suggest for the options that satisfy `predicate`.
    static func shownNames(where predicate: (Flag) -> Bool) -> [String] {
        all.filter(predicate).flatMap(\.shownNames)
    }

    /// Converts a member of a file: true or false, or a value, or an array of values.
    fileprivate func arguments(from member: JSON.Member, of source: SettingSource) throws(UsageError) -> [Argument] {
        let key = member.name
        guard let value else {
            guard case .bool(let isOn) = member.value else {
                throw UsageError("\(source.errorPrefix)invalid value for \(key): expected true or false")
            }
            return [Argument(spelling: key, isOn: isOn == (undo != key))]
        }
        let texts = (member.value.elements ?? [member.value]).map(\.optionText)
        guard let words = texts as? [String] else {
            throw UsageError(
                "\(source.errorPrefix)invalid value for \(key): expected text or a number (\(value.name)), "
                    + "or an array of them")
        }
        let values = isRepeatable ? words : [words.joined(separator: ",")]
        return values.map { Argument(spelling: key, text: $0) }
    }

    /// Converts an environment variable; for an option without a value it contains 1 or 0.
    fileprivate func argument(from variable: Environment.Variable, isUndone: Bool) throws(UsageError) -> Argument {
        guard value == nil else { return Argument(spelling: variable.name, text: variable.text) }
        switch variable.text.lowercased() {
        case "1", "true", "yes", "on": return Argument(spelling: variable.name, isOn: !isUndone)
        case "0", "false", "no", "off": return Argument(spelling: variable.name, isOn: isUndone)
        default:
            throw UsageError("invalid value '\(escaped(variable.text))' for \(variable.name): expected 1 or 0")
        }
    }
}

extension JSON {
    /// The contents of a string, or the text of a number; `nil` for other values.
    fileprivate var optionText: String? {
        switch self {
        case .string(let text), .number(let text): text
        default: nil
        }
    }
}
