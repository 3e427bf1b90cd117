// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceCluster
internal import SluiceDatasets
internal import SluiceEngine
internal import SluiceImaging
internal import SluiceModel

extension Command {
    static let work = Command(
        name: .work,
        summary: "Process one shard of a plan",
        about: [
            """
            Downloads the photos of one shard of the plan in PLAN, with the plan's options, and commits the shard with \
            one file in PLAN/receipts. The files stay in a hidden folder of the mirror in --out until `sluice merge`.
            """,
            """
            A plan may come from a stranger, so it can only select photos and describe their files. Options that open \
            files, reach other hosts, or lift limits or checks are given to `work` again; a message names them.
            """,
            """
            Shards may be processed in any order, on any machines, and several times: the first attempt that finishes \
            is committed, and the others remove their files. An interrupted attempt is resumed on the same machine.
            """,
            """
            With --layout the shard becomes a finished piece of a dataset: files such as 00007-00000.tar in --out, as \
            `sluice export` writes them. Then `sluice merge` lists the pieces instead of making a mirror.
            """,
            """
            The exit code is 0 if the shard is committed, even if photos failed; 75 if it should be tried again; and 2 \
            if that cannot help, because the plan or the options are invalid.
            """,
        ],
        positionals: [Positional(name: "PLAN", help: "Folder or bucket of the plan", completion: .plan)],
        examples: [
            Example(line: "sluice work plan --shard 7 --out photos", meaning: "process shard 7"),
            Example(line: "sluice work plan --out photos", meaning: "process the shard of this task in a job array"),
            Example(
                line: "sluice work plan --shard 7 --out data --layout webdataset",
                meaning: "write shard 7 as tar files of a dataset"),
        ],
        run: { options, console in
            let run: ShardRun
            do {
                try options.work.lifeline?.hold()
                let planned = try PlannedCommand(of: .work, options)
                run = try ShardRun(
                    try options.shardNumber(console.environment), ofPlanIn: planned.folder, into: planned.destination,
                    options: planned.options, dataset: try options.shardDataset(of: planned.options),
                    lockWait: options.work.lockWait)
                if try run.finishIfCommitted() {
                    console.printMessage("shard \(run.number) is already committed")
                    return .done
                }
            } catch {
                let code = console.fail(error)
                // Another attempt would find the same receipt of another plan.
                return code == .damaged ? .usage : workCode(code, isCommitted: false)
            }
            let code = await MonitoredRun(
                run: run, folder: run.destination, writesGallery: false, progress: RunProgress(purpose: .work),
                memory: run.options.memory, options: options, console: console
            ).execute()
            switch run.outcome {
            case .committed(let counts):
                console.printMessage(
                    "committed shard \(run.number): \(counts.done) done, \(counts.skipped) skipped, "
                        + "\(counts.failed) failed")
            case .committedElsewhere:
                console.printMessage("shard \(run.number) is committed by another attempt")
            case .unfinished where code == .usage: break
            case .unfinished where !run.doubtedHosts.isEmpty:
                let hosts = run.doubtedHosts.prefix(3).map { escaped($0) }.joined(separator: ", ")
                console.printMessage(
                    "shard \(run.number) is not committed: requests to \(hosts) failed, but other shards get photos "
                        + "from there; run it once more")
            case .unfinished:
                // The message about a local problem says how to mend it first.
                console.printMessage("shard \(run.number) is not finished\(code == .local ? "" : "; run it again")")
            }
            return workCode(code, isCommitted: run.outcome != .unfinished)
        })

    /// Returns the exit code for a scheduler: committed, try again, or never.
    private static func workCode(_ code: ExitCode, isCommitted: Bool) -> ExitCode {
        if isCommitted { return .done }
        return code == .usage || code == .feed ? .usage : .tryAgain
    }
}

extension RawOptions {
    /// Returns the shard from the option or from the variable of a scheduler.
    fileprivate func shardNumber(_ environment: Environment) throws(UsageError) -> Int {
        if let shard = work.shard { return shard }
        guard let task = environment.task else {
            throw UsageError("work needs --shard, for example: \(Command.work.example)")
        }
        let first = task.name == Environment.taskFromOne ? 1 : 0
        guard let number = Int(task.text), number >= first else {
            throw UsageError("invalid value '\(escaped(task.text))' for \(task.name): expected the number of a task")
        }
        return number - first
    }
}

extension RawOptions {
    /// The layouts whose pieces do not depend on the photos of other shards.
    private static let shardLayouts: Set<DatasetLayout> = [.webdataset, .parquet]

    /// The settings of the export of a shard, sorted by name.
    var shardExport: [Setting] {
        let names = Set(Flag.export.filter { $0.commands.contains(.work) }.map(\.long))
        return settings.filter { names.contains($0.flag.long) }.sorted { $0.flag.long < $1.flag.long }
    }

    /// Returns how `work` exports its shard; `nil` if the shard becomes a part of a mirror.
    ///
    /// Throws if the plan's `mirror` options make no such pictures.
    func shardDataset(of mirror: MirrorOptions) throws(UsageError) -> ShardDataset? {
        let given = shardExport
        guard let first = given.first else { return nil }
        guard given.contains(where: { $0.flag.long == "layout" }) else {
            throw UsageError("--\(first.flag.long) needs --layout")
        }
        var dataset = dataset
        guard !isWebArchive, Self.shardLayouts.contains(dataset.layout) else {
            let layouts = Self.shardLayouts.map(\.rawValue).sorted().joined(separator: " or ")
            throw UsageError(
                "work can only write --layout \(layouts); for other layouts, merge the plan and export the mirror")
        }
        let sizes = mirror.thumbnails.sizes.map(\.description)
        guard dataset.size.map(sizes.contains) ?? mirror.keepsOriginals else {
            let list = sizes.isEmpty ? "no thumbnails" : "thumbnails of the sizes \(sizes.joined(separator: ", "))"
            let originals = mirror.keepsOriginals ? "originals" : "no originals"
            throw UsageError(
                "work cannot export \(dataset.size.map { "thumbnails of the size \($0)" } ?? "originals"): the plan makes "
                    + "\(originals) and \(list)")
        }
        dataset.isolation = decoding.isolation(isDefault: true)
        dataset.memory = mirror.memory
        return ShardDataset(words: given.words, check: dataset.checkColumns) {
            [dataset] (folder, output, columns, token) throws(MirrorError) in
            let export = DatasetExport(
                of: folder, into: output, options: dataset, buckets: S3Options(), columns: columns)
            let handler = token.onCancel { _ in export.stop() }
            defer { withExtendedLifetime(handler) {} }
            let report = try export.run()
            if let path = report.broken.first {
                throw MirrorError(.local, "cannot export '\(folder)/\(path)': it is missing or has another length")
            }
            return report.isStopped ? nil : report.samples
        }
    }
}
