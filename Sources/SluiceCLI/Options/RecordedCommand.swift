// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFeeds
internal import SluiceImaging
internal import SluiceModel

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
