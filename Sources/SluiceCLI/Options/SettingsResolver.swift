// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceModel

/// Combines the arguments with the settings from files, the mirror's last command and the environment.
///
/// The order of precedence, from lowest to highest: the user's file, the mirror's own file, the file of `--config`, the
/// mirror's last command (if the run continues it), environment variables, arguments.
struct SettingsResolver {
    /// A command with its arguments, in words for a shell.
    typealias Request = (command: CommandName, words: [String])

    private let environment: Environment
    private let request: Request?

    /// Makes a resolver; `request` is the command that the user gave if it repeats another one.
    init(_ environment: Environment, for request: Request? = nil) {
        (self.environment, self.request) = (environment, request)
    }

    /// Returns the command line with the settings from all sources.
    ///
    /// The line may itself be a command that a ledger records.
    func resolve(_ line: Parser.Result) throws -> Parser.Result {
        guard let command = line.command, command.takesSettings, line.options.request?.isAboutSettings ?? true else {
            return line
        }
        // A ledger may come from a stranger, and names no file to read.
        let sourcesFile = line.options.settings.last { $0.flag.long == "sources" && $0.source == .argument }
        let positionals =
            try line.options.positionals + (sourcesFile.map { try SourcesFile.read($0.argument.text) } ?? [])
        let arguments = line.options.settings.filter { $0.source != .lastCommand }
        let overrides = try Setting.read(environment.settings, for: command.name) + arguments
        let config = try RawOptions(overrides).config
        let userSettings = config == "none" ? [] : try userFile(for: command.name)
        let configFile = try config.flatMap { $0 == "none" ? nil : $0 }.map(SettingsFile.init(reading:))
        let configSettings = try configFile.map { try Setting.read($0, for: command.name) } ?? []
        let out = try RawOptions(userSettings + configSettings + overrides).output.folder
        let folder = command.folder(positionals, out: out)
        let mirrorSettings = config == "none" ? [] : try mirrorFile(in: folder, for: command.name)
        let isSourceMissing = positionals.count == command.sourcePosition
        let last = isSourceMissing ? try LastCommand(in: folder ?? ".", line) : nil
        let advice = "use \(last == nil ? "" : "arguments, ")--config or your own sluice.json"
        let recorded = try (last?.settings ?? line.options.settings.filter { $0.source == .lastCommand })
            .harmless(
                unlessIn: userSettings + configSettings + overrides, advice: advice,
                for: request ?? (command.name, line.options.positionals.map(shellQuoted) + arguments.words))
        var resolved = line
        resolved.options = try RawOptions(userSettings + mirrorSettings + configSettings + recorded + overrides)
        resolved.options.positionals = positionals + (last?.positionals ?? [])
        resolved.options.continuesMirror = last != nil
        // A continued mirror stays in its folder, whatever folder its SOURCE would give by default.
        if last != nil { resolved.options.output.folder = folder }
        return resolved
    }

    private func userFile(for command: CommandName) throws -> [Setting] {
        guard let folder = environment.settingsFolder else { return [] }
        return try SettingsFile.found(at: "\(folder)/sluice/\(SettingsFile.name)").map {
            try Setting.read($0, for: command)
        } ?? []
    }

    private func mirrorFile(in folder: String?, for command: CommandName) throws -> [Setting] {
        guard let folder, let file = try SettingsFile.found(at: "\(folder)/\(SettingsFile.name)") else { return [] }
        return try Setting.read(file, for: command, by: .mirrorFile)
    }
}

extension Command {
    /// Whether userSettings and variables can set its options.
    var takesSettings: Bool { Flag.of(name).contains { $0.long == "config" } }

    /// The position of the optional SOURCE argument.
    fileprivate var sourcePosition: Int? { [.mirror: 0, .adopt: 1][name] }

    /// The folder of the mirror that the command line refers to.
    fileprivate func folder(_ arguments: [String], out: String?) -> String? {
        if let sourcePosition { return out ?? defaultFolder(for: Array(arguments.dropFirst(sourcePosition))) }
        return positionals.first?.name == "DIR" ? arguments.first : out
    }
}

extension RawOptions.Request {
    /// Whether the request needs the settings of the command, unlike help and the version.
    fileprivate var isAboutSettings: Bool { self == .settings }
}
