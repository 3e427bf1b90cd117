// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceDatasets
internal import SluiceEngine
internal import SluiceModel

extension Command {
    static let drift = Command(
        name: .drift,
        summary: "Ask hosts which photos have changed or are gone",
        about: [
            """
            Asks the hosts of the mirror in DIR for its photos with conditional requests, under the limits and with \
            the options of the last run, and stores nothing. Prints a line for each photo that is changed (other \
            bytes), a placeholder, a page, a redirect to the home page, gone (404 or 410), opted-out or failed, in the mirror's \
            order and with the reason. A host whose failed requests have taken four times --timeout is not requested any \
            more. Prints a summary by host and by time since the download. Exits with 3 if it \
            prints such a line.
            """
        ],
        positionals: [.mirror],
        examples: [
            Example(line: "sluice drift demo-mirror --sample 1%", meaning: "ask for one photo in a hundred"),
            Example(line: "sluice drift demo-mirror --html", meaning: "print a page with charts by host and by age"),
        ],
        run: { options, console in try await CheckRun(command: .drift, options: options, console: console).run() })

    static let recheck = Command(
        name: .recheck,
        summary: "Ask hosts whether photos may still be kept",
        about: [
            """
            Asks the hosts of the mirror in DIR with conditional requests, under the limits and with the options of \
            the last run, and stores nothing. Prints a line for each photo that is gone (404 or 410), opted-out \
            (X-Robots-Tag or robots.txt forbid its collection), or reserved: the host reserves the training of models \
            since the download. --respect none keeps those. A photo is relicensed if the last run found another licence in \
            the feed than at the download, which the user has to judge. A photo whose host gave no answer is failed; \
            as in drift, slow hosts are not requested for all photos. Placeholders, pages and redirects to a home page \
            are listed, but are no proof of a withdrawal.
            """,
            """
            --prune removes the photos that are gone, opted-out or reserved. The ledger keeps them with the cause \
            withdrawn, and no later run downloads them; `mirror --retry withdrawn` does. Exits with 3 if photos \
            remain that may not be kept, or if a host gave no answer, and with 8 if --prune-limit forbids the removal. With --dry-run, it only counts them.
            """,
        ],
        positionals: [.mirror],
        examples: [
            Example(line: "sluice recheck demo-mirror", meaning: "list photos that were withdrawn"),
            Example(line: "sluice recheck demo-mirror --prune", meaning: "remove them"),
        ],
        run: { options, console in try await CheckRun(command: .recheck, options: options, console: console).run() })
}

/// Runs a check and prints its results: `drift` every photo that is not the same, `recheck` those that may have to go.
private struct CheckRun {
    let command: CommandName
    let options: RawOptions
    let console: Console

    func run() async throws -> ExitCode {
        let folder = options.positionals[0]
        let check = try DriftCheck(command, of: folder, options, console.environment)
        let signals = SignalHandler(onFirst: { _ in check.stop() }, beforeExit: {})
        defer { signals.stop() }
        var photos: [DriftReport.CheckedPhoto] = []
        let report = try await check.run { photo in
            guard command == .drift || photo.state != .changed else { return }
            photos.append(photo)
            if options.output.isJSON, !options.printsPage {
                console.out.write(photo.json(command.rawValue))
            } else if !options.printsPage {
                console.print(photo.line)
            }
        }
        if options.printsPage { console.out.write(report.page(of: folder)) }
        if command == .drift, !options.output.isQuiet {
            for line in Self.tables(of: report) { console.printMessage(line) }
        }
        let result = command == .drift ? Self.text(of: report.all) : Self.kept(of: report.all)
        console.printMessage("\(command.rawValue): \(result)")
        if let code = signals.exitCode { return code }
        guard command == .recheck, options.update.prunes else { return photos.isEmpty ? .done : .itemsFailed }
        return try prune(photos, of: report, in: folder, buckets: check.options.run.buckets)
    }

    private func prune(
        _ photos: [DriftReport.CheckedPhoto], of report: DriftReport, in folder: String, buckets: S3Options
    ) throws -> ExitCode {
        let withdrawn = WithdrawnPhotos(of: photos, in: folder)
        guard withdrawn.count > 0 else { return photos.isEmpty ? .done : .itemsFailed }
        if let refusal = withdrawn.refusal(of: report.all.total, limit: options.update.pruneLimit) {
            console.printMessage(refusal)
            return .limit
        }
        let removed = try withdrawn.remove(buckets: buckets, isDryRun: options.isDryRun)
        console.printMessage("\(options.dryRunPrefix)removed \(counted(removed, "photo"))")
        return photos.count == withdrawn.count ? .done : .itemsFailed
    }

    private static func text(of counts: DriftReport.Counts) -> String {
        let states = DriftState.allCases.filter { counts[$0] > 0 }.map { "\(counts[$0]) \($0.rawValue)" }
        return states.isEmpty ? "no photos" : states.joined(separator: ", ")
    }

    private static func kept(of counts: DriftReport.Counts) -> String {
        let others = DriftState.allCases.filter { ![.same, .changed].contains($0) && counts[$0] > 0 }
        let kept = counts[.same] + counts[.changed]
        return (["\(kept) may be kept"] + others.map { "\(counts[$0]) \($0.rawValue)" }).joined(separator: ", ")
    }

    /// The hosts with the most drift, and the ages.
    private static func tables(of report: DriftReport) -> [String] {
        report.hostsByDrift.prefix(10).map { "  \(escaped($0.host)): \(text(of: $0.counts))" }
            + DriftReport.Age.allCases.compactMap { age in
                report.ages[age].map { "  downloaded \(age.rawValue) ago: \(text(of: $0))" }
            }
    }
}

extension DriftCheck {
    /// Makes a check with the source and the options of the mirror's last run, which options of this command replace.
    convenience init(
        _ command: CommandName, of folder: String, _ options: RawOptions, _ environment: Environment
    ) throws {
        guard let last = try PhotoMirror.runs(in: folder).last else {
            throw MirrorError(.usage, "cannot check '\(folder)': no run has filled this mirror")
        }
        let recorded = try RecordedCommand(last.words, from: .lastCommand)
        guard recorded.name == .mirror, !recorded.positionals.isEmpty, !recorded.isRequest
        else { throw MirrorError(.usage, "cannot check '\(folder)': its last run was not `sluice mirror`") }
        let request = try MirrorRequest(
            recorded.options(repeatedBy: command, in: folder, given: options, environment))
        self.init(
            of: folder, from: request.sources, options: request.options,
            share: (options.sampleShare ?? 100) / 100,
            findsReservations: command == .recheck && options.dataset.respected == .ai,
            findsLicenses: command == .recheck)
    }
}

extension DriftReport.CheckedPhoto {
    var line: String {
        let reason = reason.map { "  (\($0))" } ?? ""
        return escaped(padded(state.rawValue, to: 13) + url + reason, columns: 2000)
    }

    func json(_ name: String) -> [UInt8] {
        JSONEventWriter.line(name) { object in
            object.member("state", state.rawValue)
            object.member("item", item)
            object.member("url", url)
            object.member("cause", failure?.cause.name)
            object.member("evidence", reason)
        }
    }
}

extension Command {
    static let explain = Command(
        name: .explain,
        summary: "Explain failures and what can still be recovered",
        about: [
            """
            Lists the unfinished photos of the mirror in DIR, and those without thumbnails, by cause and host, the \
            most frequent first. Prints which of them may be recovered by a retry or with another option, the \
            commands for that, and the highest share of photos that can succeed. Reads only the ledger and sends no \
            requests.
            """
        ],
        positionals: [.mirror],
        examples: [
            Example(line: "sluice explain demo-mirror", meaning: "list failures and recovery commands"),
            Example(line: "sluice explain demo-mirror --json | jq -r .commands[]", meaning: "print only the commands"),
        ],
        run: { options, console in
            let folder = options.positionals[0]
            let explanation = Explanation(
                try PhotoMirror.explain(folder, buckets: options.mirror.buckets), in: folder)
            if options.output.isJSON {
                console.out.write(explanation.json)
            } else {
                for line in explanation.lines(style: console.outStyle, hasHead: console.out.isTerminal) {
                    console.print(line)
                }
            }
            return .done
        })
}
