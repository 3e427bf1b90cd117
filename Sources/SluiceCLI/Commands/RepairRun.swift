// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceEngine
internal import SluiceModel

/// Repairs the broken items of one feed, with the options of the last run of that feed.
struct RepairRun {
    let broken: BrokenItems
    let feed: String
    let folder: String
    let options: RawOptions
    let console: Console

    func run() async throws -> ExitCode {
        let (run, purpose) = try repairingRun()
        return await MonitoredRun(
            run: run, folder: folder, writesGallery: true, progress: RunProgress(purpose: purpose), options: options,
            console: console
        ).execute()
    }

    /// Returns a run with the options of the feed's last run, limited to the broken items.
    private func repairingRun() throws -> (run: any Runnable, purpose: RunPurpose) {
        guard
            let last = try PhotoMirror.runs(in: folder, buckets: options.mirror.buckets).last(where: { $0.reads(feed) })
        else {
            throw MirrorError(.damaged, "cannot repair '\(feed)': the ledger contains no run of this feed")
        }
        let recorded = try RecordedCommand(last.words, from: .lastCommand)
        guard let command = recorded.name, [.mirror, .thumbs].contains(command), !recorded.positionals.isEmpty,
            !recorded.isRequest
        else {
            throw UsageError(
                "cannot repair '\(feed)': the ledger has no command of its last run; run that again, then verify")
        }
        let out = Flag.named("out", of: command).map {
            Setting(flag: $0, argument: Argument(spelling: "--out", text: folder), source: .argument)
        }
        let repeated = try recorded.options(
            repeatedBy: .verify, in: folder, given: options, adding: [out].compactMap(\.self), console.environment)
        guard command == .thumbs else {
            let request = try MirrorRequest(repeated)
            return (
                PhotoMirror(of: request.sources, into: folder, options: request.options, repairing: broken), .repair
            )
        }
        let request = try ThumbsRequest(repeated)
        return (
            ThumbnailRun(
                of: request.paths, into: folder, options: request.options(for: request.paths), repairing: broken),
            .thumbs
        )
    }
}
