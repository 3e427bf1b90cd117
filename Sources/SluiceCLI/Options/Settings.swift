// SPDX-License-Identifier: MIT

internal import Sluice

/// What sets options beside the arguments: files, the mirror's last command, and the environment.
///
/// Of two that set the same option, the later of these counts: the user's file, the mirror's own file, the file of
/// `--config`, the arguments of the mirror's last command where that is gone on with, variables, arguments.
struct Settings {
    private let environment: Environment

    init(of environment: Environment) {
        self.environment = environment
    }

    /// The command line with all that sets its options.
    func complete(_ line: Parser.Result) throws -> Parser.Result {
        guard let command = line.command, command.takesSettings, line.options.request?.isOfWork ?? true else {
            return line
        }
        let positionals = line.options.positionals
        let above = try Setting.read(environment.settings, for: command.name) + line.options.settings
        let config = try RawOptions(above).config
        let files = config == "none" ? [] : try userFile(for: command.name)
        let named = try config.flatMap { $0 == "none" ? nil : $0 }.map(SettingsFile.init(reading:))
        let ownConfig = try named.map { try Setting.read($0, for: command.name) } ?? []
        let out = try RawOptions(files + ownConfig + above).out
        let folder = command.folder(positionals, out: out)
        let own = config == "none" ? [] : try mirrorFile(in: folder, for: command.name)
        let goesOn = positionals.count == command.sourcePlace
        let last = goesOn ? try LastCommand(in: folder ?? ".", line) : nil
        var whole = line
        whole.options = try RawOptions(files + own + ownConfig + (last?.settings ?? []) + above)
        whole.options.positionals = positionals + (last?.positionals ?? [])
        whole.options.goesOn = last != nil
        // A mirror that is gone on with lies where it lies, whatever SOURCE would call it.
        if last != nil { whole.options.out = folder }
        return whole
    }

    private func userFile(for command: CommandName) throws -> [Setting] {
        guard let folder = environment.settingsFolder else { return [] }
        return try SettingsFile.found(at: "\(folder)/sluice/\(SettingsFile.name)").map {
            try Setting.read($0, for: command)
        } ?? []
    }

    private func mirrorFile(in folder: String?, for command: CommandName) throws -> [Setting] {
        guard let folder, let file = try SettingsFile.found(at: "\(folder)/\(SettingsFile.name)") else { return [] }
        let settings = try Setting.read(file, for: command)
        guard !settings.contains(where: { $0.flag.long == "out" }) else {
            throw UsageError("\(escaped(file.path, columns: 1000)): out cannot be set in the folder that it would name")
        }
        return settings
    }
}

extension Command {
    /// Whether options of its can be set elsewhere than in arguments.
    var takesSettings: Bool { Flag.of(name).contains { $0.long == "config" } }

    /// Which of the arguments is a SOURCE; without it the mirror's last one is meant.
    fileprivate var sourcePlace: Int? { [.mirror: 0, .adopt: 1][name] }

    /// The mirror that a command line is about.
    fileprivate func folder(_ given: [String], out: String?) -> String? {
        if let sourcePlace { return out ?? given.dropFirst(sourcePlace).first.map(defaultFolder) ?? "." }
        return positionals.first?.name == "DIR" ? given.first : out
    }
}

extension RawOptions.Request {
    /// Whether it asks about the command's work, and not only how the command is used.
    fileprivate var isOfWork: Bool { self == .settings }
}
