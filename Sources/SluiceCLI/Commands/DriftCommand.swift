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
        run: { options, console in try await DriftRun(options: options, console: console).run() })
}

/// Runs a check, prints its results and writes its page.
private struct DriftRun {
    let options: RawOptions
    let console: Console

    func run() async throws -> ExitCode {
        let folder = options.positionals[0]
        let check = try DriftCheck(.drift, of: folder, options, console.environment)
        let signals = SignalHandler(onFirst: { _ in check.stop() }, beforeExit: {})
        defer { signals.stop() }
        let report = try await check.run { photo in
            guard !options.printsPage else { return }
            if options.output.isJSON {
                console.out.write(photo.json("drift"))
            } else {
                console.print(photo.line)
            }
        }
        if options.printsPage { console.out.write(report.page(of: folder)) }
        if !options.output.isQuiet { for line in Self.tables(of: report) { console.printMessage(line) } }
        console.printMessage("drift: " + Self.text(of: report.all))
        if let code = signals.exitCode { return code }
        return report.all[.same] == report.all.total ? .done : .itemsFailed
    }

    private static func text(of counts: DriftReport.Counts) -> String {
        let states = DriftState.allCases.filter { counts[$0] > 0 }.map { "\(counts[$0]) \($0.rawValue)" }
        return states.isEmpty ? "no photos" : states.joined(separator: ", ")
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
    /// The line of the photo.
    var line: String {
        let reason = reason.map { "  (\($0))" } ?? ""
        return escaped(padded(state.rawValue, to: 13) + url + reason, columns: 2000)
    }

    /// The event of the photo.
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
