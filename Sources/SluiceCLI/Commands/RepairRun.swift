// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceEngine
internal import SluiceModel

/// Repairs the broken items of one feed, with the options of the last run of that feed.
struct RepairRun {
    private let broken: BrokenItems
    private let feed: String
    private let folder: String
    private let options: RawOptions
    private let console: Console

    init(of broken: BrokenItems, feed: String, in folder: String, options: RawOptions, console: Console) {
        self.broken = broken
        self.feed = feed
        self.folder = folder
        self.options = options
        self.console = console
    }

    func run() async -> ExitCode {
        do {
            let (run, purpose) = try repairingRun()
            return await MonitoredRun(
                run: run, folder: folder, writesGallery: true, progress: RunProgress(purpose: purpose),
                options: options,
                console: console
            ).execute()
        } catch {
            return console.fail(error)
        }
    }

    /// Returns a run with the options of the feed's last run, limited to the broken items.
    private func repairingRun() throws -> (run: any Runnable, purpose: RunPurpose) {
        guard
            let last = try PhotoMirror.runs(in: folder, buckets: options.mirror.buckets).last(where: { $0.feed == feed }
            )
        else {
            throw MirrorError(.damaged, "cannot repair '\(feed)': the ledger contains no run of this feed")
        }
        var recorded = try Parser.parse(last.words, from: .lastCommand)
        guard let command = recorded.command?.name, [.mirror, .thumbs].contains(command),
            !recorded.options.positionals.isEmpty, recorded.options.request == nil
        else {
            throw UsageError(
                "cannot repair '\(feed)': the ledger has no command of its last run; run that again, then verify")
        }
        // Options of this command also apply to the repair.
        for setting in options.settings where setting.source == .argument && setting.flag.isOption(of: command) {
            try recorded.options.apply(setting)
        }
        if let out = Flag.named("out", of: command) {
            let argument = Argument(spelling: "--out", text: folder)
            try recorded.options.apply(Setting(flag: out, argument: argument, source: .argument))
        }
        let words = [shellQuoted(folder)] + options.settings.filter { $0.source == .argument }.words
        var line = try SettingsResolver(console.environment, for: (.verify, words)).resolve(recorded)
        // The mirror may come from a stranger, and so may its photos. Only the user can let this process decode them.
        line.options.decoding.isolates = line.options.decoding.isolates ?? true
        guard command == .thumbs else {
            let request = try MirrorRequest(line.options)
            return (PhotoMirror(of: request.source, into: folder, options: request.options, repairing: broken), .repair)
        }
        let request = try ThumbsRequest(line.options)
        return (
            ThumbnailRun(
                of: request.paths, into: folder, options: request.options(for: request.paths), repairing: broken),
            .thumbs
        )
    }
}
