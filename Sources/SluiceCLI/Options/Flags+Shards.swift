// SPDX-License-Identifier: MIT

internal import SluiceCluster
internal import SluiceEngine

/// The arguments of `plan`.
struct PlanArguments {
    var shardCount: ShardCount?
    var earlierPlans: [String] = []
    /// The plan whose leftovers to plan.
    var leftovers: String?
    var mirrorOfLeftovers: String?
}

/// The arguments of `work`.
struct WorkArguments {
    /// The shard, from 0.
    var shard: Int?
    /// How the command notices that the program that started it is gone.
    var lifeline: Lifeline?
    /// How long to wait for an attempt that another process works on.
    var lockWait = Duration.zero
}

/// The arguments of `merge`.
struct MergeArguments {
    /// Whether to read all files of the shards.
    var isDeep = false
    /// Whether to go ahead although shards are missing.
    var allowsMissing = false
}

extension Flag {
    /// Options for work on many machines.
    static let shards: [Flag] = [
        Flag(
            "shards", .value("N", \.plan.shardCount) { .shards(try $0.count(from: 1, to: 1_000_000)) }, [.plan],
            settableFrom: .argumentsOnly, essential: [.plan], "Number of shards",
            """
            Splits the source into N shards. All photos of a host are in one shard, unless the host has more than an \
            Nth of all photos; the shards that share a host also share its --per-host and --rate.
            """),
        Flag(
            "shard-items", .value("N", \.plan.shardCount) { .items(try $0.count()) }, [.plan], isRecorded: false,
            others: .anyone, essential: [.plan], "Average number of photos per shard, instead of --shards",
            """
            Makes as many shards as the source has photos, divided by N. Shards are about equally large where the \
            hosts permit.
            """),
        Flag(
            "append",
            .list(ValuePlaceholder("PLAN", .plan), \.plan.earlierPlans) { try $0.singleLine("a folder name") }, [.plan],
            settableFrom: .argumentsOnly, essential: [.plan], "Plan only the photos that this plan does not have",
            """
            Reads the source again, with the options of the earlier plan, and plans the photos that were added since. \
            Photos are compared by their ids, which are the addresses in a list without ids. New photos get the \
            positions after those of the earlier plan; photos that the source lists no more stay. For a later addition \
            repeat the option: the first plan, and then those that were appended to it, in order. A SOURCE is \
            optional; it may have only the new photos.
            """),
        Flag(
            "leftovers", .text(ValuePlaceholder("PLAN", .plan), \.plan.leftovers, "a folder name"), [.plan],
            settableFrom: .argumentsOnly, essential: [.plan], "Plan the unfinished photos of this plan",
            """
            Plans the photos of another plan that have no result yet, for example after `sluice work --max-time`. All \
            shards of that plan are closed: their finished photos stay, and no attempt can continue them. The new plan \
            has one shard for each that left photos, and takes no other options.
            """),
        Flag(
            "mirror", .text(ValuePlaceholder("DIR", .mirror), \.plan.mirrorOfLeftovers, "a folder name"), [.plan],
            settableFrom: .argumentsOnly, "Folder of the mirror, for --leftovers",
            """
            The folder that was --out for the shards of the plan in --leftovers. The default is the folder mirror in \
            the plan's folder.
            """),
        Flag(
            "shard", .count(\.work.shard, from: 0, "I"), [.work], settableFrom: .argumentsOnly, essential: [.work],
            "The shard to process, from 0",
            """
            Processes this shard of the plan; the first one is 0. Without this option the number comes from the first \
            of these variables that is set: SLURM_ARRAY_TASK_ID, JOB_COMPLETION_INDEX, AWS_BATCH_JOB_ARRAY_INDEX, \
            PARALLEL_SEQ (which counts from 1).
            """),
        Flag(
            "lifeline", .choice(\.work.lifeline), [.work], settableFrom: .argumentsOnly, isRare: true,
            "End at once when the program that started it is gone",
            """
            Kills the process when standard input ends (stdin), or when the thread that started it ends (parent). \
            Programs that start shards use it, so that no shard continues without them. The next attempt resumes the \
            shard. By default a shard continues.
            """),
        Flag(
            "lock-wait", .time(\.work.lockWait, canBeZero: true), [.work], settableFrom: .argumentsOnly, isRare: true,
            "Wait this long for an attempt that is in use",
            """
            If another process of this machine works on the shard, waits at most this long for its end, and then \
            resumes its attempt. Otherwise, and after this time, a new attempt starts. Use it if a scheduler may \
            repeat a task before the previous process has ended. Times accept ms, s, m and h.
            """),
        Flag(
            "deep", .on(\.merge.isDeep), [.merge], settableFrom: .argumentsOnly, essential: [.merge],
            "Read all files and compare their digests",
            """
            Reads every file of the shards and compares it with its digest before the merge begins. By default only \
            the digests of the shards' results and the sizes of the files are compared.
            """),
        Flag(
            "allow-missing", .on(\.merge.allowsMissing), [.merge], settableFrom: .argumentsOnly, essential: [.merge],
            "Merge although shards are missing",
            """
            Merges the shards that are committed. The photos of the others are deferred in the manifest, and the \
            certificate lists the missing shards. A later merge adds them.
            """),
    ]
}
