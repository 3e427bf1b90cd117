// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceCluster
internal import SluiceEngine
internal import SluiceModel

extension Command {
    static let merge = Command(
        name: .merge,
        summary: "Join the shards of a plan into one mirror",
        about: [
            """
            Proves that every photo of the plan in PLAN has one result and that all digests match, then joins the \
            shards in --out into the mirror that `sluice mirror` would have made. Photos with identical bytes in \
            different shards are stored once.
            """,
            """
            If `sluice work --layout` wrote the shards as pieces of a dataset, it proves the same of them, and lists \
            them in shards.jsonl and dataset.json.
            """,
            """
            If shards are missing, prints the command for each of them to standard output and exits with 3; nothing is \
            changed. Otherwise it writes certificate.json, with counts and digests, and _SUCCESS. Photos that failed \
            are results and do not change the exit code.
            """,
        ],
        positionals: [
            Positional(
                name: "PLAN", help: "Folder or bucket of the plan, then those of its leftovers in order",
                isRepeated: true,
                completion: .plan)
        ],
        examples: [
            Example(line: "sluice merge plan --out photos", meaning: "join all shards"),
            Example(line: "sluice merge plan plan2 --out photos", meaning: "join a plan and the plan of its leftovers"),
            Example(line: "sluice merge plan --out photos | sh", meaning: "process the missing shards here"),
        ],
        run: { options, console in
            let planned = try PlannedCommand(of: .merge, options)
            if let dataset = try DatasetMerge(
                ofPlansIn: options.positionals, at: planned.destination, buckets: planned.options.buckets,
                isDeep: options.merge.isDeep)
            {
                return mergeDataset(dataset, at: planned.destination, options, console)
            }
            let merge = try PlanMerge(
                ofPlansIn: options.positionals, into: planned.destination, options: planned.options,
                isDeep: options.merge.isDeep)
            let isMerged = try merge.isMerged
            let missing = isMerged ? [] : try merge.prove()
            // No worker may have begun the dataset yet.
            if let setting = options.shardExport.first, missing.count < merge.lastPlan.shards.count {
                throw UsageError(
                    "cannot merge with --\(setting.flag.long): '\(escaped(planned.destination))' has no dataset of this plan"
                )
            }
            guard !isMerged else {
                // Files that cannot be removed, e.g. from a read-only mirror, are harmless.
                try? merge.finishEarlierMerge()
                console.printMessage("already merged: all \(counted(merge.plan.shards.count, "shard"))")
                return .done
            }
            let isComplete = missing.isEmpty && merge.left == 0
            guard isComplete || options.merge.allowsMissing else {
                let last = options.positionals[options.positionals.count - 1]
                let out = shellQuoted(planned.destination)
                let given = (options.shardExport + options.settings.filter { $0.flag.isGivenAgain }).words
                let words = given.map { " \($0)" }.joined()
                for shard in missing {
                    console.print("sluice work \(shellQuoted(last)) --shard \(shard) --out \(out)\(words)")
                }
                console.printError(
                    missing.isEmpty
                        ? "cannot merge: '\(last)' has \(counted(merge.left, "unfinished photo")); also name the plan of "
                            + "its leftovers"
                        : "cannot merge: \(missing.count) of \(counted(merge.lastPlan.shards.count, "shard")) are missing"
                )
                return .itemsFailed
            }
            let code = await MonitoredRun(
                run: merge, folder: planned.destination, writesGallery: planned.options.writesGallery,
                progress: RunProgress(purpose: .merge), memory: merge.options.memory, options: options, console: console
            ).execute()
            return code == .itemsFailed ? .done : code
        })
}

extension Command {
    /// Lists the pieces of a dataset that the shards of a plan wrote directly.
    static func mergeDataset(_ merge: DatasetMerge, at folder: String, _ options: RawOptions, _ console: Console)
        -> ExitCode
    {
        let given = options.shardExport.words
        guard given.isEmpty || given == merge.words else {
            return console.fail(
                UsageError(
                    "cannot merge: the shards have the options `\(merge.words.map { escaped($0) }.joined(separator: " "))`"
                ))
        }
        let allowsMissing = options.merge.allowsMissing
        let progressLine = ProgressLine(on: console, options.output) { merge.stop() }
        defer { progressLine.end() }
        do throws(MirrorError) {
            let report = try merge.run(allowingMissing: allowsMissing) { count in
                progressLine.show("checked \(counted(count, "shard"))")
            }
            progressLine.clear()
            if let code = progressLine.exitCode { return code }
            guard report.missing.isEmpty || allowsMissing else {
                let words = (merge.words + options.settings.filter { $0.flag.isGivenAgain }.words).map(shellQuoted)
                for shard in report.missing {
                    console.print(
                        "sluice work \(shellQuoted(options.positionals[0])) --shard \(shard) --out \(shellQuoted(folder)) "
                            + words.joined(separator: " "))
                }
                console.printError(
                    "cannot merge: \(report.missing.count) of \(counted(merge.shards, "shard")) are missing")
                return .itemsFailed
            }
            let counts = report.counts
            console.printMessage(
                "dataset of \(counted(report.samples, "photo")) in \(counted(report.pieces, "file")), "
                    + "\(byteText(report.bytes)); \(counts.done) done, \(counts.skipped) skipped, \(counts.failed) failed"
            )
            return .done
        } catch {
            progressLine.clear()
            return console.fail(error)
        }
    }
}
