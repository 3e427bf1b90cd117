// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceEngine
internal import SluiceFeeds
internal import SluiceModel

#if canImport(Darwin)
    internal import Darwin
#else
    internal import Glibc
#endif

/// Decides whether a run may contact the SOURCE that a mirror's ledger names, because the mirror may be a stranger's.
struct SourceConfirmation {
    private let request: MirrorRequest
    private let options: RawOptions
    private let known = KnownSources()

    init(of request: MirrorRequest, _ options: RawOptions) {
        (self.request, self.options) = (request, options)
    }

    /// Remembers a SOURCE that the user names, and has the user confirm another one that this user has not used here.
    ///
    /// A user at a terminal is asked. Otherwise it throws a usage error with the command that names SOURCE.
    func check(_ console: Console) throws(UsageError) {
        let source = Self.recorded(request)
        guard !known.contains(source, of: request.folder), !isOnThisMachine(source) else { return }
        guard options.continuesMirror else {
            if !options[MirrorArguments.self].isDryRun { known.add(source, of: request.folder) }
            return
        }
        let shown = "'\(escaped(source, columns: 1000))'"
        if isatty(0) == 1, console.err.isTerminal {
            console.err.write("This mirror names the source \(shown), which you have not used here. Contact it? [y/N] ")
            guard ["y", "yes"].contains(readLine()?.lowercased() ?? "") else {
                throw UsageError("the source was not confirmed, and nothing was contacted")
            }
            known.add(source, of: request.folder)
            return
        }
        let words =
            [CommandName.mirror.rawValue, shellQuoted(source)]
            + options.settings.filter { $0.source == .argument }.words
        let out = options.settings.contains { $0.source == .argument && $0.flag.long == "out" }
        let folder = out ? [] : ["--out", shellQuoted(request.folder)]
        throw UsageError(
            "cannot continue '\(escaped(request.folder))': you have not used its source \(shown) on this machine",
            hint: "to contact it, run: sluice \((words + folder).joined(separator: " "))")
    }

    /// Returns the SOURCE of a request as ledgers record it.
    private static func recorded(_ request: MirrorRequest) -> String {
        Userinfo.split(request.options.commandLine.dropFirst().first ?? request.source).url
    }

    /// Whether the source is a file or a folder, or the built-in service, so that no run contacts it elsewhere.
    private func isOnThisMachine(_ source: String) -> Bool {
        source.hasPrefix("/") || (try? Source(request.source))?.isDemo == true
    }
}
