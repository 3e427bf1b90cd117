// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceCluster
internal import SluiceEngine
internal import SluiceModel

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
