// SPDX-License-Identifier: MIT

internal import SluiceDatasets
internal import SluiceEngine

extension Command {
    static let recheck = Command(
        name: .recheck,
        summary: "Ask hosts whether photos may still be kept",
        about: [
            """
            Asks the hosts of the mirror in DIR with conditional requests, under the limits and with the options of \
            the last run, and stores nothing. Prints a line for each photo that is gone (404 or 410), opted-out \
            (X-Robots-Tag or robots.txt forbid its collection), or reserved: the host reserves the training of models \
            since the download. --respect none keeps those. A photo is relicensed if the last run found another licence in \
            the feed than at the download, which the user has to judge. A photo whose host gave no answer is failed; \
            as in drift, slow hosts are not requested for all photos. Placeholders, pages and redirects to a home page \
            are listed, but are no proof of a withdrawal.
            """,
            """
            --prune removes the photos that are gone, opted-out or reserved. The ledger keeps them with the cause \
            withdrawn, and no later run downloads them; `mirror --retry withdrawn` does. Exits with 3 if photos \
            remain that may not be kept, or if a host gave no answer, and with 8 if --prune-limit forbids the removal. With --dry-run, it only counts them.
            """,
        ],
        positionals: [.mirror],
        examples: [
            Example(line: "sluice recheck demo-mirror", meaning: "list photos that were withdrawn"),
            Example(line: "sluice recheck demo-mirror --prune", meaning: "remove them"),
        ],
        run: { options, console in try await RecheckRun(options: options, console: console).run() })
}

/// Runs a check, prints the withdrawn photos, and removes them.
private struct RecheckRun {
    let options: RawOptions
    let console: Console

    func run() async throws -> ExitCode {
        let folder = options.positionals[0]
        let check = try DriftCheck(.recheck, of: folder, options, console.environment)
        let signals = SignalHandler(onFirst: { _ in check.stop() }, beforeExit: {})
        defer { signals.stop() }
        var photos: [DriftReport.CheckedPhoto] = []
        let report = try await check.run { photo in
            guard photo.state != .changed else { return }
            photos.append(photo)
            if options.output.isJSON {
                console.out.write(photo.json("recheck"))
            } else {
                console.print(photo.line)
            }
        }
        console.printMessage("recheck: " + Self.text(of: report.all))
        if let code = signals.exitCode { return code }
        let withdrawn = WithdrawnPhotos(of: photos, in: folder)
        let unclear = photos.count - withdrawn.count
        guard options.update.prunes, withdrawn.count > 0 else {
            return photos.isEmpty ? .done : .itemsFailed
        }
        let limit = options.update.pruneLimit
        if let refusal = withdrawn.refusal(of: report.all.total, limit: limit) {
            console.printMessage(refusal)
            return .limit
        }
        let removed = try withdrawn.remove(buckets: check.options.run.buckets, isDryRun: options.isDryRun)
        console.printMessage("\(options.dryRunPrefix)removed \(counted(removed, "photo"))")
        return unclear == 0 ? .done : .itemsFailed
    }

    private static func text(of counts: DriftReport.Counts) -> String {
        let others = DriftState.allCases.filter { ![.same, .changed].contains($0) && counts[$0] > 0 }
        let kept = counts[.same] + counts[.changed]
        return (["\(kept) may be kept"] + others.map { "\(counts[$0]) \($0.rawValue)" }).joined(separator: ", ")
    }
}
