// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceCluster
internal import SluiceEngine
internal import SluiceModel

/// The planned command of `work` and `merge`, with the options of this machine.
///
/// A plan may come from a stranger, so it sets no more options than a mirror does. The user gives the others again.
struct PlannedCommand {
    let folder: String
    let destination: String
    let options: MirrorOptions

    /// Reads the plan of `work` or `merge`.
    init(of command: CommandName, _ raw: RawOptions) throws {
        try self.init(raw.positionals[0], into: raw.output.folder, of: command, raw)
    }

    /// Reads the plan in `folder` for the command with the options `raw`.
    ///
    /// A `source` replaces that of the plan. Throws if the plan has options that a plan may not set, unless `raw` sets
    /// these options.
    init(
        _ folder: String, into destination: String?, of command: CommandName, _ raw: RawOptions, source: String? = nil
    ) throws {
        self.folder = folder
        self.destination = destination ?? "\(folder)/mirror"
        let plan = try Plan(reading: folder, buckets: raw.mirror.buckets)
        let recorded = try Self.command(of: plan, in: folder)
        // Each machine chooses its own concurrency, memory and time limits. The plan decides all options that affect
        // files.
        let given = raw.settings.filter { $0.flag.isRecorded && $0.flag.isOption(of: .mirror) }
        // A merge makes no requests.
        let missing = recorded.settings.harmful(unlessIn: given).filter { command != .merge || !$0.flag.limitsRequests }
        guard missing.isEmpty else {
            let line =
                (["sluice", command.rawValue] + raw.positionals.map(shellQuoted) + (raw.settings + missing).words)
                .joined(separator: " ")
            throw UsageError(
                "cannot use plan '\(escaped(folder))': it has options that Sluice does not take from a plan: "
                    + missing.words.joined(separator: " "),
                hint: "to use these options, run: \(line)")
        }
        var planned = try RawOptions(recorded.settings.filter(\.isPermitted) + given)
        planned.positionals = source.map { [$0] } ?? recorded.positionals
        planned.mirror.buckets.stateFolder = raw.mirror.buckets.stateFolder
        (planned.mirror.cookieFile, planned.mirror.cookieBrowser) = (raw.mirror.cookieFile, raw.mirror.cookieBrowser)
        planned.mirror.metrics = raw.mirror.metrics
        if source == nil { planned.mirror.sourceAuthor = .plan }
        options = try MirrorRequest(planned).options
    }

    private static func command(of plan: Plan, in folder: String) throws(UsageError) -> RecordedCommand {
        let recorded = try RecordedCommand(plan.command, from: .plan)
        let prefix = "cannot use plan '\(escaped(folder))': "
        let unknown = recorded.settings.filter { !$0.flag.isRecorded }
        guard unknown.isEmpty else {
            throw UsageError(prefix + "`sluice plan` does not record \(unknown.words.joined(separator: " "))")
        }
        guard recorded.name == .mirror, recorded.positionals.count == 1,
            Userinfo.split(recorded.positionals[0]).url.utf8.elementsEqual(plan.source.utf8)
        else { throw UsageError(prefix + "its command is not that of its source") }
        return recorded
    }
}
