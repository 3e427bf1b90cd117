// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceEngine
internal import SluiceFeeds
internal import SluiceImaging
internal import SluiceModel
internal import SluiceSystem

/// The last command of an existing mirror, which `sluice mirror` and `sluice adopt` repeat if SOURCE is missing.
struct LastCommand {
    let settings: [Setting]
    let positionals: [String]

    /// Reads the command from the ledger of the mirror in `folder`.
    ///
    /// Returns `nil` if `folder` is not a mirror and the user requested only the settings.
    init?(in folder: String, _ line: Parser.Result) throws {
        let command = line.command ?? .mirror
        let usage =
            "\(command.name) needs a SOURCE, for example: \(command.example) "
            + "(without SOURCE it continues a mirror, but '\(escaped(folder))'"
        let runs: [PastRun]
        do throws(MirrorError) {
            runs = try PhotoMirror.runs(in: folder)
        } catch {
            guard error.code == .usage else { throw error }
            if line.options.request == .settings { return nil }
            throw UsageError("\(usage) is not a mirror)")
        }
        let last = runs.last { $0.words.first == CommandName.mirror.rawValue }
        guard let recorded = try last.map({ try RecordedCommand($0.words, from: .lastCommand) }),
            !recorded.positionals.isEmpty
        else { throw UsageError("\(usage) has no recorded command)") }
        (settings, positionals) = (recorded.settings, recorded.positionals)
    }
}

extension [Setting] {
    /// Returns the harmless settings of a recorded command.
    ///
    /// Throws if it has others, unless `given` sets these options. The ledger may come from a stranger. `advice` says
    /// how to give the options, and a hint names the complete command if `request` accepts them.
    func harmless(
        unlessIn given: [Setting], advice: String, for request: SettingsResolver.Request
    ) throws(UsageError) -> [Setting] {
        let missing = harmful(unlessIn: given)
        guard missing.isEmpty else {
            let words = ["sluice", request.command.rawValue] + request.words + missing.words
            let isAccepted = missing.allSatisfy { $0.flag.isOption(of: request.command) }
            throw UsageError(
                "the mirror's last command has options that Sluice does not take from a mirror: "
                    + "\(missing.words.joined(separator: " ")); \(advice)",
                hint: isAccepted ? "to use these options, run: \(words.joined(separator: " "))" : nil)
        }
        return filter(\.isPermitted)
    }

    /// Returns the settings of a recorded command that are harmful, and that `given` does not set.
    func harmful(unlessIn given: [Setting]) -> [Setting] {
        filter { setting in
            !setting.isPermitted && !given.contains { $0.flag.long == setting.flag.long }
        }
    }

    /// The settings as words of a command line; secrets are hidden.
    var words: [String] {
        map { setting in
            let flag = setting.flag
            guard flag.value != nil else {
                return "--\(setting.argument.isOn ? flag.long : flag.undo ?? flag.long)"
            }
            let isHidden = flag.isSecret || setting.argument.hasPassword
            return shellQuoted("--\(flag.long)=\(isHidden ? "***" : setting.argument.text)")
        }
    }
}

// The ledger records the arguments of a command, so that a later run can repeat it from any folder. Options that apply
// to a single run or only to the display, and secrets, are not recorded.

extension Flag {
    /// Returns the argument that the ledger records for the option; `nil` if it records none.
    func recordedArgument(_ argument: Argument) -> String? {
        guard isRecorded else { return nil }
        guard value != nil else { return argument.isOn ? "--\(long)" : undo.map { "--\($0)" } }
        let text = value?.completion == .file ? absolutePath(argument.text) : argument.text
        return argument.hasPassword ? nil : "--\(long)=\(text)"
    }
}

extension RawOptions {
    /// The recorded arguments that say something about the user.
    var unreportedArguments: Set<String> {
        Set(settings.filter { !$0.flag.isReported }.compactMap { $0.flag.recordedArgument($0.argument) })
    }

    /// Returns the command line that ledgers and plans record.
    ///
    /// Each of `arguments` is a service's name, a URL or a path.
    /// Passwords in addresses are left out, because both may be read by others.
    /// Settings from files are left out: a later run reads the files again, and they may have changed.
    func recordedArguments(of command: CommandName, _ arguments: [String]) -> [String] {
        let options = settings.compactMap { setting in
            if case .file = setting.source { return nil as String? }
            return setting.flag.recordedArgument(setting.argument)
        }
        return [command.rawValue] + absoluteArguments(arguments).map { Userinfo.split($0).url } + options
    }

    /// Returns services, addresses and paths in a form that does not depend on the current folder.
    func absoluteArguments(_ arguments: [String]) -> [String] {
        let services = Set(Services.names)
        return arguments.map { services.contains($0) ? $0 : absolutePath($0) }
    }
}

/// Returns the absolute path without symbolic links; the text itself if no such file exists.
///
/// Of a pattern, for example `data/*.csv`, it resolves the folders before the first wildcard.
func absolutePath(_ text: String) -> String {
    guard text != "-" else { return text }
    if let resolved = unsafe realpath(text, nil) {
        defer { unsafe free(resolved) }
        return unsafe String(cString: resolved)
    }
    guard !text.contains("://"), let wildcard = text.firstIndex(where: { "*?[".contains($0) }) else { return text }
    let start = text[..<wildcard].lastIndex(of: "/").map { text.index(after: $0) } ?? text.startIndex
    let folder = start == text.startIndex ? "." : String(text[..<start])
    guard let resolved = unsafe realpath(folder, nil) else { return text }
    defer { unsafe free(resolved) }
    let path = unsafe String(cString: resolved)
    return "\(path == "/" ? "" : path)/\(text[start...])"
}

/// A command that a ledger or a plan records: the only way from its words to options.
///
/// Its author may be a stranger. Each setting keeps its author, who may set only harmless options.
struct RecordedCommand {
    private var line: Parser.Result

    /// Parses the words of a command from `source`, a ledger or a plan.
    init(_ words: [String], from source: SettingSource) throws(UsageError) {
        line = try Parser.parse(words, from: source)
    }

    /// The command; `nil` if the words name none.
    var name: CommandName? { line.command?.name }
    /// The settings, of which some may be harmful.
    var settings: [Setting] { line.options.settings }
    var thumbnails: ThumbnailOptions { line.options.mirror.thumbnails }
    /// The arguments that are not options.
    var positionals: [String] { line.options.positionals }
    /// Whether the words request a text, such as help, and no run.
    var isRequest: Bool { line.options.request != nil }

    /// Returns the options with which `command` repeats the recorded command in the mirror's `folder`.
    ///
    /// The arguments in `given` and `added` replace recorded settings. Throws if harmful ones remain. Pictures are
    /// decoded in isolation, and each SOURCE reaches private addresses only if this user has used all of them here. A
    /// name reaches them only if it did so when the user named it.
    func options(
        repeatedBy command: CommandName, in folder: String, given: RawOptions, adding added: [Setting] = [],
        _ environment: Environment
    ) throws -> RawOptions {
        let arguments = given.settings.filter { $0.source == .argument }
        var line = line
        for setting in arguments where name.map(setting.flag.isOption) == true { try line.options.apply(setting) }
        for setting in added { try line.options.apply(setting) }
        let words = [shellQuoted(folder)] + arguments.words
        var options = try SettingsResolver(environment, for: (command, words)).resolve(line).options
        options.decoding.isolates = options.decoding.isolates ?? true
        let known = KnownSources()
        let areKnown = positionals.allSatisfy { known.contains(Userinfo.split($0).url, of: folder) }
        options.mirror.sourceAuthor = areKnown && !positionals.isEmpty ? .user : .ledger
        for source in positionals where known.isPrivate(Userinfo.split(source).url, of: folder) != true {
            options.mirror.publicNames.formUnion((try? Source(source))?.hostNames ?? [])
        }
        return options
    }
}
