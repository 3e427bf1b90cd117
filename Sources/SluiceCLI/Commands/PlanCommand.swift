// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceCluster
internal import SluiceEngine
internal import SluiceModel

extension Command {
    static let plan = Command(
        name: .plan,
        summary: "Split a source into shards for many machines",
        about: [
            """
            Reads the pages of SOURCE once, gives every photo its position and its file name, and writes a plan to \
            the folder --out. `sluice work` then processes its shards on any machines that share the folder, and \
            `sluice merge` joins them. The result is the mirror that `sluice mirror` would make with the same options.
            """,
            """
            A plan never changes: planning another source or other options into its folder is refused, and the same \
            plan again changes nothing. Options come from the arguments only, not from files or variables.
            """,
        ],
        positionals: [
            Positional(
                name: "SOURCE",
                help: "demo, a service, a recipe file, a list (file or -), a folder, a bucket, or a feed URL",
                isRequired: false, completion: .source,
                hintForMore:
                    "put lists into one folder or name them by a pattern, e.g. 'lists/*.csv'; plan others one by one")
        ],
        examples: [
            Example(
                line: "sluice plan photos.csv --shards 64 --out plan --sizes 256",
                meaning: "64 shards of the photos in a list"),
            Example(
                line: "sluice plan demo --pages 3 --shard-items 50 --out plan", meaning: "shards of about 50 photos"),
            Example(
                line: "sluice plan --append plan --shards 4 --out added",
                meaning: "photos that were added to the source since"),
            Example(
                line: "sluice plan --leftovers plan --mirror photos --out plan2",
                meaning: "the unfinished photos of a plan"),
        ],
        run: { options, console in
            let planning = try planning(options)
            let progressLine = ProgressLine(on: console, options.output) { planning.stop() }
            defer { progressLine.end() }
            do {
                let report = try await planning.run { count in progressLine.show(counted(count, "photo")) }
                progressLine.clear()
                PlanSummary(report: report, folder: options.output.folder ?? "", options: options.settings)
                    .lines.forEach(console.printMessage)
                return .done
            } catch {
                if let code = progressLine.exitCode { return code }
                throw error
            }
        })

    private static func planning(_ raw: RawOptions) throws -> any Planning {
        guard let out = raw.output.folder else {
            throw UsageError("plan needs --out, for example: \(Command.plan.example)")
        }
        if let leftovers = raw.plan.leftovers {
            guard raw.positionals.isEmpty, raw.plan.shardCount == nil,
                raw.plan.earlierPlans.isEmpty
            else {
                throw UsageError("--leftovers cannot be combined with a SOURCE, --append, --shards or --shard-items")
            }
            let planned = try PlannedCommand(leftovers, into: raw.plan.mirrorOfLeftovers, of: .plan, raw)
            return try LeftoverPlanning(
                ofPlanIn: leftovers, below: planned.destination, into: out, options: planned.options)
        }
        guard raw.plan.mirrorOfLeftovers == nil else {
            throw UsageError("--mirror is only for --leftovers")
        }
        let earlier = raw.plan.earlierPlans
        guard !raw.positionals.isEmpty || !earlier.isEmpty else {
            throw UsageError("plan needs a SOURCE, for example: \(Command.plan.example)")
        }
        guard let count = raw.plan.shardCount else {
            throw UsageError("plan needs --shards or --shard-items, for example: \(Command.plan.example)")
        }
        if let option = raw.mirror.changedNames(affecting: .singleRun).first {
            throw UsageError("plan cannot be combined with --\(option): it applies to a single run")
        }
        let options =
            try earlier.last.map {
                try PlannedCommand($0, into: nil, of: .plan, raw, source: raw.positionals.first).options
            }
            ?? MirrorRequest(raw).options
        // Without a SOURCE, that of the earlier plans is read again.
        let source = raw.absoluteArguments(raw.positionals).first ?? options.commandLine.dropFirst().first
        return ShardPlanning(
            of: source ?? "", into: out, options: options, count: count,
            appendingTo: earlier)
    }
}

/// A planning that a signal can stop.
private protocol Planning: Sendable {
    func run(progress: (Int) -> Void) async throws(MirrorError) -> PlanReport
    func stop()
}

extension ShardPlanning: Planning {}
extension LeftoverPlanning: Planning {}

/// The message about a plan: its shards and its forecast.
struct PlanSummary {
    let report: PlanReport
    let folder: String
    let options: [Setting]

    var lines: [String] {
        let plan = report.plan
        let sizes = plan.shards.map(\.rows)
        let (least, most) = (sizes.min() ?? 0, sizes.max() ?? 0)
        let state = report.isUnchanged ? "unchanged plan" : "plan"
        var lines = report.notes.map { "note: \(escaped($0))" }
        lines.append(
            "\(state) of \(counted(plan.rows, "photo")) in \(counted(plan.shards.count, "shard")), "
                + (least == most ? "\(counted(most, "photo")) each" : "\(least) to \(most) photos each"))
        for host in report.largestHosts where !host.name.isEmpty {
            let shards = host.shards > 1 ? " in \(host.shards) shards that share its limits" : ""
            lines.append("  \(escaped(host.name)): \(counted(host.rows, "photo"))\(shards)")
        }
        if let time = report.shortestTime {
            lines.append("  the rate limit of the slowest host alone takes \(timeText(time, isWhole: true))")
        }
        let given = options.filter { $0.flag.isRecorded && !$0.flag.accepts($0.argument, from: .plan) }
            .words.map { " \($0)" }.joined()
        lines.append(
            "next: run `sluice work \(shellQuoted(folder)) --shard I\(given)` for I from 0 to \(plan.shards.count - 1)")
        return lines
    }
}
