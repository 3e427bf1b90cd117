// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceModel

/// A command that may recover missing photos of a mirror, or make missing thumbnails.
struct RecoverySuggestion: Sendable, Hashable {
    /// The number of photos that it may recover.
    var count: Int
    /// Whether the photos are there, and only their thumbnails are missing.
    var makesThumbnails = false
    /// The reason, for example `with a retry`.
    var reason: String
    /// The command, quoted for a shell.
    var command: String

    /// Returns the suggestions for each feed of a mirror: continue, retry, or retry with another option.
    static func all(_ diagnosis: Diagnosis, in folder: String) -> [RecoverySuggestion] {
        var all: [RecoverySuggestion] = []
        for run in diagnosis.runs {
            if run.id == diagnosis.runs.last?.id, diagnosis.waiting > 0 {
                let command = command(of: run, in: folder, [])
                all.append(RecoverySuggestion(count: diagnosis.waiting, reason: "by continuing", command: command))
            }
            let groups = diagnosis.groups.filter { diagnosis.lastRun(of: $0.feed)?.id == run.id }
            all += suggestions(for: groups.filter(\.isFailure), of: run, in: folder)
            all += suggestions(for: groups.filter { $0.state == .done }, of: run, in: folder)
        }
        return all
    }

    /// Returns the suggestions for groups whose items ended in the same way.
    private static func suggestions(
        for groups: [Diagnosis.Group], of run: PastRun, in folder: String
    ) -> [RecoverySuggestion] {
        ([Remedy.retry] + remediesWithOptions(groups)).compactMap { remedy in
            let matching = groups.filter { remedies(for: $0.cause, in: run).contains(remedy) }
            guard let first = matching.first else { return nil }
            let causes = Set(matching.map(\.cause.name)).sorted().joined(separator: ",")
            var words = ["\(CommandFlag.retry)=\(causes)"]
            var reason = "with a retry"
            if let options = remedy.options {
                words += options.split(separator: " ").map(String.init)
                reason = "with \(options)"
            }
            return RecoverySuggestion(
                count: matching.reduce(0) { $0 + $1.count }, makesThumbnails: first.state == .done, reason: reason,
                command: command(of: run, in: folder, words))
        }
    }

    /// Returns the remedies that need other options, each once.
    private static func remediesWithOptions(_ groups: [Diagnosis.Group]) -> [Remedy] {
        var remedies: [Remedy] = []
        let all = groups.flatMap { [$0.cause.remedy, $0.cause.alternative].compactMap(\.self) }
        for remedy in all where remedy.options != nil && !remedies.contains(remedy) { remedies.append(remedy) }
        return remedies
    }

    /// Returns what may recover photos with this cause.
    ///
    /// Reading a local file again does not complete it.
    private static func remedies(for cause: Cause, in run: PastRun) -> [Remedy] {
        guard let alternative = cause.alternative else { return [cause.remedy] }
        return isThumbs(run) ? [alternative] : [cause.remedy, alternative]
    }

    private static func isThumbs(_ run: PastRun) -> Bool { run.words.first == CommandName.thumbs.rawValue }

    /// Returns the command of the run with further arguments.
    ///
    /// If the ledger records no command, uses the source instead.
    private static func command(of run: PastRun, in folder: String, _ arguments: [String]) -> String {
        var words = run.words.isEmpty ? ["mirror"] + SourceSet(text: run.source).members : run.words
        // `thumbs` has no --retry: its runs process all files and keep finished ones.
        let isThumbs = isThumbs(run)
        words += ["--out=\(folder)"] + arguments.filter { !isThumbs || !$0.hasPrefix("--retry=") }
        return (["sluice"] + words).map(shellQuoted).joined(separator: " ")
    }
}
