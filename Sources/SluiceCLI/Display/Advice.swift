// SPDX-License-Identifier: MIT

internal import Sluice

/// A command that may bring what a mirror lacks.
struct Advice: Sendable, Hashable {
    /// How many photos it may bring.
    var count: Int
    /// Why it may.
    var reason: String
    /// The command, as a shell takes it.
    var command: String

    /// What is to be advised for each feed of a mirror: to go on, to try again, to try with another option.
    static func all(_ diagnosis: Diagnosis, in folder: String) -> [Advice] {
        var all: [Advice] = []
        for run in diagnosis.runs {
            if run.id == diagnosis.runs.last?.id, diagnosis.waiting > 0 {
                let command = command(of: run, in: folder, [])
                all.append(Advice(count: diagnosis.waiting, reason: "by going on", command: command))
            }
            let groups = diagnosis.groups.filter { $0.isFailure && $0.feed == run.feed }
            for remedy in [Remedy.retry] + options(groups) {
                let matching = groups.filter { $0.cause.remedy == remedy }
                guard !matching.isEmpty else { continue }
                let causes = Set(matching.map(\.cause.name)).sorted().joined(separator: ",")
                var words = ["--retry=\(causes)"]
                var reason = "by trying again"
                if case .option(let option) = remedy {
                    words += option.split(separator: " ").map(String.init)
                    reason = "with \(option)"
                }
                let count = matching.reduce(0) { $0 + $1.count }
                all.append(Advice(count: count, reason: reason, command: command(of: run, in: folder, words)))
            }
        }
        return all
    }

    /// The options that may help, each once.
    private static func options(_ groups: [Diagnosis.Group]) -> [Remedy] {
        var options: [Remedy] = []
        for case .option(let option) in groups.map(\.cause.remedy) where !options.contains(.option(option)) {
            options.append(.option(option))
        }
        return options
    }

    /// The run's command once more with further words; where the ledger has none, what its source tells.
    private static func command(of run: PastRun, in folder: String, _ more: [String]) -> String {
        var words = run.words.isEmpty ? ["mirror", run.source] : run.words
        // Files have no address to be tried again at: their run looks at all of them, and keeps what is done.
        let isWalk = words[0] == CommandName.thumbs.rawValue
        words += ["--out=\(folder)"] + more.filter { !isWalk || !$0.hasPrefix("--retry=") }
        return (["sluice"] + words).map(shellQuoted).joined(separator: " ")
    }
}
