// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceEngine
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
            Shards may be processed in any order, on any machines, and several times: the first attempt that finishes \
            is committed, and the others remove their files. An interrupted attempt is resumed on the same machine.
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
        ],
        run: { options, console in
            let run: ShardRun
            do {
                try options.lifeline?.hold()
                let planned = try PlannedCommand(options)
                run = try ShardRun(
                    try options.shardNumber(console.environment), ofPlanIn: planned.folder, into: planned.destination,
                    options: planned.options, lockWait: options.lockWait)
                if try run.isCommitted {
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
                options: options, console: console
            ).execute()
            switch run.outcome {
            case .committed(let counts):
                console.printMessage(
                    "committed shard \(run.number): \(counts.done) done, \(counts.skipped) skipped, "
                        + "\(counts.failed) failed")
            case .committedElsewhere:
                console.printMessage("shard \(run.number) is committed by another attempt")
            case .unfinished:
                console.printMessage("shard \(run.number) is not finished; run it again")
            }
            return workCode(code, isCommitted: run.outcome != .unfinished)
        })

    /// Returns the exit code for a scheduler: committed, try again, or never.
    private static func workCode(_ code: ExitCode, isCommitted: Bool) -> ExitCode {
        if isCommitted { return .done }
        return code == .usage || code == .feed ? .usage : .tryAgain
    }
}

extension ShardRun: Runnable {
    var memory: Int { options.memory }
}

extension RawOptions {
    /// Returns the shard from the option or from the variable of a scheduler.
    fileprivate func shardNumber(_ environment: Environment) throws(UsageError) -> Int {
        if let shard { return shard }
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

/// The planned command of `work` and `merge`, with the options of this machine.
struct PlannedCommand {
    /// The plan's folder.
    let folder: String
    /// The mirror's folder.
    let destination: String
    let options: MirrorOptions

    init(_ raw: RawOptions) throws {
        try self.init(raw.positionals[0], into: raw.out, raw)
    }

    init(_ folder: String, into destination: String?, _ raw: RawOptions) throws {
        self.folder = folder
        self.destination = destination ?? "\(folder)/mirror"
        var planned = try Parser.parse(
            try Plan(reading: folder, buckets: raw.mirror.buckets).command, from: .lastCommand
        ).options
        // Each machine chooses its own concurrency, memory and time limits. The plan decides all options that affect
        // files.
        for setting in raw.settings where setting.flag.isRecorded && setting.flag.commands.contains(.mirror) {
            try planned.apply(setting)
        }
        planned.mirror.buckets.stateFolder = raw.mirror.buckets.stateFolder
        options = try MirrorRequest(planned).options
    }
}
