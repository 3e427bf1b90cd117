// SPDX-License-Identifier: MIT

internal import Sluice

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

// The words of a command as the mirror's ledger keeps them: enough to ask again in the same way from anywhere, without
// what was wanted once, what is only shown, and what is secret.

extension Flag {
    /// The word for the option with its value; `nil` for one that the ledger is not to keep.
    func lastingWord(_ argument: Argument) -> String? {
        guard isLasting else { return nil }
        guard value != nil else { return argument.isOn ? "--\(long)" : undo.map { "--\($0)" } }
        let text = value?.completion == .file ? lastingPath(argument.text) : argument.text
        return argument.hasPassword ? nil : "--\(long)=\(text)"
    }
}

extension RawOptions {
    /// The options that the ledger keeps with a run; what files say is read there again, and may have changed.
    var words: [String] {
        settings.compactMap { setting in
            if case .file = setting.origin { return nil }
            return setting.flag.lastingWord(setting.argument)
        }
    }

    /// The words of a command with these arguments, each a service's name, an address, or a path.
    func lastingWords(of command: CommandName, _ arguments: [String]) -> [String] {
        let services = Set(Services.all.map(\.name))
        return [command.rawValue] + arguments.map { services.contains($0) ? $0 : lastingPath($0) } + words
    }
}

/// The path from the root on, if there is something; the text itself, if not.
func lastingPath(_ text: String) -> String {
    guard text != "-", let whole = unsafe realpath(text, nil) else { return text }
    defer { unsafe free(whole) }
    return unsafe String(cString: whole)
}
