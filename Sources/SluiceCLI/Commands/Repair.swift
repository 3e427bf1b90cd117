// SPDX-License-Identifier: MIT

internal import Sluice

/// The repair of one feed's broken items: a run that asks in the same way as the last one of that feed.
struct Repair {
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
            let (run, errand) = try lastRun()
            return await WatchedRun(
                run: run, folder: folder, writesGallery: true, progress: RunProgress(errand: errand), options: options,
                console: console
            ).watch()
        } catch {
            return console.fail(error)
        }
    }

    /// What the ledger's last run of the feed was, now for the broken items.
    private func lastRun() throws -> (run: any Runnable, errand: Errand) {
        guard let last = try Mirror.runs(in: folder).last(where: { $0.feed == feed }) else {
            throw MirrorError(.damaged, "the ledger knows no run of \(feed)")
        }
        guard !last.words.isEmpty else {
            throw UsageError("the ledger does not know the command of \(feed)'s last run: run that again, then verify")
        }
        let line = try Settings(of: console.environment).complete(Parser.parse(last.words + ["--out", folder]))
        guard line.command?.name == .thumbs else {
            let request = try MirrorRequest(line.options)
            return (Mirror(of: request.source, into: folder, options: request.options, repairing: broken), .repair)
        }
        let request = try ThumbsRequest(line.options)
        return (
            ThumbnailRun(of: request.paths, into: folder, options: request.options, repairing: broken), .thumbs
        )
    }
}
