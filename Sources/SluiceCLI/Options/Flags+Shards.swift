// SPDX-License-Identifier: MIT

internal import SluiceCluster
internal import SluiceEngine

/// The arguments of `plan`.
struct PlanArguments: ArgumentGroup {
    var shardCount: ShardCount?
    /// The plans to append to.
    var earlierPlans: [String] = []
    /// The plan whose leftovers to plan.
    var leftovers: String?
    /// The mirror of that plan.
    var mirrorOfLeftovers: String?
}

/// The arguments of `work`.
struct WorkArguments: ArgumentGroup {
    /// The shard, from 0.
    var shard: Int?
    /// How the command notices that the program that started it is gone.
    var lifeline: Lifeline?
    /// How long to wait for an attempt that another process works on.
    var lockWait = Duration.zero
}

/// The arguments of `merge`.
struct MergeArguments: ArgumentGroup {
    /// Whether to read all files of the shards.
    var isDeep = false
    /// Whether to go ahead although shards are missing.
    var allowsMissing = false
}

extension Flag {
    /// Options for work on many machines.
    static let shards: [Flag] = [
        Flag(
            long: "shards", value: "N", commands: [.plan], isRecorded: false, settableFrom: .argumentsOnly,
            essential: [.plan],
            help: "Number of shards",
            longHelp: """
                Splits the source into N shards. All photos of a host are in one shard, unless the host has more than \
                an Nth of all photos; the shards that share a host also share its --per-host and --rate.
                """,
            apply: { $0[PlanArguments.self].shardCount = .shards(try $1.count(from: 1, to: 1_000_000)) }),
        Flag(
            long: "shard-items", value: "N", commands: [.plan], isRecorded: false, others: .anyone, essential: [.plan],
            help: "Average number of photos per shard, instead of --shards",
            longHelp: """
                Makes as many shards as the source has photos, divided by N. Shards are about equally large where the \
                hosts permit.
                """,
            apply: { $0[PlanArguments.self].shardCount = .items(try $1.count()) }),
        Flag(
            long: "append", value: ValuePlaceholder("PLAN", .plan), commands: [.plan], isRecorded: false,
            isRepeatable: true, settableFrom: .argumentsOnly, essential: [.plan],
            help: "Plan only the photos that this plan does not have",
            longHelp: """
                Reads the source again, with the options of the earlier plan, and plans the photos that were added since. \
                Photos are compared by their ids, which are the addresses in a list without ids. New photos get the \
                positions after those of the earlier plan; photos that the source lists no more stay. For a later \
                addition repeat the option: the first plan, and then those that were appended to it, in order. A SOURCE \
                is optional; it may have only the new photos.
                """,
            apply: { $0[PlanArguments.self].earlierPlans.append(try $1.singleLine("a folder name")) }),
        Flag(
            long: "leftovers", value: ValuePlaceholder("PLAN", .plan), commands: [.plan], isRecorded: false,
            settableFrom: .argumentsOnly, essential: [.plan],
            help: "Plan the unfinished photos of this plan",
            longHelp: """
                Plans the photos of another plan that have no result yet, for example after `sluice work --max-time`. \
                All shards of that plan are closed: their finished photos stay, and no attempt can continue them. The \
                new plan has one shard for each that left photos, and takes no other options.
                """,
            apply: { $0[PlanArguments.self].leftovers = try $1.singleLine("a folder name") }),
        Flag(
            long: "mirror", value: ValuePlaceholder("DIR", .mirror), commands: [.plan], isRecorded: false,
            settableFrom: .argumentsOnly,
            help: "Folder of the mirror, for --leftovers",
            longHelp: """
                The folder that was --out for the shards of the plan in --leftovers. The default is the folder mirror in \
                the plan's folder.
                """,
            apply: { $0[PlanArguments.self].mirrorOfLeftovers = try $1.singleLine("a folder name") }),
        Flag(
            long: "shard", value: "I", commands: [.work], isRecorded: false, settableFrom: .argumentsOnly,
            essential: [.work],
            help: "The shard to process, from 0",
            longHelp: """
                Processes this shard of the plan; the first one is 0. Without this option the number comes from the \
                first of these variables that is set: SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX, \
                AWS_BATCH_JOB_ARRAY_INDEX, PARALLEL_SEQ (which counts from 1).
                """,
            apply: { $0[WorkArguments.self].shard = try $1.count(from: 0) }),
        Flag(
            long: "lifeline", value: .choice(of: Lifeline.self), commands: [.work], isRecorded: false,
            settableFrom: .argumentsOnly, isRare: true,
            help: "End at once when the program that started it is gone",
            longHelp: """
                Kills the process when standard input ends (stdin), or when the thread that started it ends (parent). \
                Programs that start shards use it, so that no shard continues without them. The next attempt resumes \
                the shard. By default a shard continues.
                """,
            apply: { $0[WorkArguments.self].lifeline = try $1.choice(of: Lifeline.self) }),
        Flag(
            long: "lock-wait", value: "TIME", commands: [.work], isRecorded: false, settableFrom: .argumentsOnly,
            isRare: true,
            help: "Wait this long for an attempt that is in use", default: "0s",
            longHelp: """
                If another process of this machine works on the shard, waits at most this long for its end, and then \
                resumes its attempt. Otherwise, and after this time, a new attempt starts. Use it if a scheduler may \
                repeat a task before the previous process has ended. Times accept ms, s, m and h.
                """,
            apply: { $0[WorkArguments.self].lockWait = try $1.duration() }),
        Flag(
            long: "deep", commands: [.merge], isRecorded: false, settableFrom: .argumentsOnly, essential: [.merge],
            help: "Read all files and compare their digests",
            longHelp: """
                Reads every file of the shards and compares it with its digest before the merge begins. By default \
                only the digests of the shards' results and the sizes of the files are compared.
                """,
            apply: { $0[MergeArguments.self].isDeep = $1.isOn }),
        Flag(
            long: "allow-missing", commands: [.merge], isRecorded: false, settableFrom: .argumentsOnly,
            essential: [.merge],
            help: "Merge although shards are missing",
            longHelp: """
                Merges the shards that are committed. The photos of the others are deferred in the manifest, and the \
                certificate lists the missing shards. A later merge adds them.
                """,
            apply: { $0[MergeArguments.self].allowsMissing = $1.isOn }),
    ]
}
