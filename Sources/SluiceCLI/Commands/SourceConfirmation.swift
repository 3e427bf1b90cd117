// SPDX-License-Identifier: MIT

internal import SluiceEngine
internal import SluiceFeeds
internal import SluiceModel
internal import SluiceSystem

/// Decides whether a run may contact the SOURCE that a mirror's ledger names, because the mirror may be a stranger's.
struct SourceConfirmation {
    private let request: MirrorRequest
    private let options: RawOptions
    private let known = KnownSources()

    init(of request: MirrorRequest, _ options: RawOptions) {
        (self.request, self.options) = (request, options)
    }

    /// Checks each SOURCE, and returns the host names that must not lead to private addresses.
    ///
    /// A name that the user names for the first time may be private. What it is then, it has to stay: its owner could
    /// make it lead into the user's network later.
    func check(_ console: Console) async throws -> TextSet {
        try confirm(console)
        let isTrial = options.isDryRun
        var names: TextSet = []
        for (source, given) in zip(recorded, request.sources) where !isOnThisMachine(source, given) {
            var isPrivate = known.isPrivate(source, of: request.folder)
            if isPrivate == nil, !options.continuesMirror, let parsed = try? Source(given) {
                isPrivate = try await FeedSession.isPrivate(
                    parsed, options: request.options, token: CancellationToken())
                if isPrivate != nil, !isTrial { known.add(source, of: request.folder, isPrivate: isPrivate) }
            }
            if isPrivate == false || isPrivate == nil && options.continuesMirror {
                names.formUnion((try? Source(given))?.hostNames ?? [])
            }
        }
        return names
    }

    /// Remembers each SOURCE that the user names, and has the user confirm others that this user has not used here.
    ///
    /// A user at a terminal is asked. Otherwise it throws a usage error with the command that names them.
    private func confirm(_ console: Console) throws(UsageError) {
        let unknown = zip(recorded, request.sources).filter { source, given in
            !known.contains(source, of: request.folder) && !isOnThisMachine(source, given)
        }.map(\.0)
        guard !unknown.isEmpty else { return }
        guard options.continuesMirror else {
            if !options.isDryRun { remember(unknown) }
            return
        }
        let shown = unknown.map { "'\(escaped($0, columns: 1000))'" }.joined(separator: ", ")
        let isOne = unknown.count == 1
        if isatty(0) == 1, console.err.isTerminal {
            let question = isOne ? "source \(shown), which you have" : "sources \(shown), which you have"
            console.err.write(
                "This mirror names the \(question) not used here. Contact \(isOne ? "it" : "them")? [y/N] ")
            guard ["y", "yes"].contains(readLine()?.lowercased() ?? "") else {
                let subject = isOne ? "the source was" : "the sources were"
                throw UsageError("\(subject) not confirmed, and nothing was contacted")
            }
            remember(unknown)
            return
        }
        let words =
            [CommandName.mirror.rawValue] + recorded.map(shellQuoted)
            + options.settings.filter { $0.source == .argument }.words
        let out = options.settings.contains { $0.source == .argument && $0.flag.long == "out" }
        let folder = out ? [] : ["--out", shellQuoted(request.folder)]
        let subject = isOne ? "its source \(shown)" : "its sources \(shown)"
        throw UsageError(
            "cannot continue '\(escaped(request.folder))': you have not used \(subject) on this machine",
            hint: "to contact \(isOne ? "it" : "them"), run: sluice \((words + folder).joined(separator: " "))")
    }

    private func remember(_ sources: [String]) {
        for source in sources { known.add(source, of: request.folder) }
    }

    /// The SOURCE arguments of the request as ledgers record them.
    private var recorded: [String] {
        let words = request.options.commandLine.dropFirst().prefix(request.sources.count)
        return (words.isEmpty ? request.sources[...] : words).map { Userinfo.split($0).url }
    }

    /// Whether the source is a file or a folder, or the built-in service, so that no run contacts it elsewhere.
    private func isOnThisMachine(_ source: String, _ given: String) -> Bool {
        source.hasPrefix("/") || (try? Source(given))?.type == .demo
    }
}
