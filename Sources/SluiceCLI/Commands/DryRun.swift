// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceEngine
internal import SluiceModel

/// The `--dry-run` of a command: prints the planned work to standard output and changes nothing.
struct DryRun {
    let mirror: PhotoMirror
    let console: Console
    let isJSON: Bool

    /// Prints the photos that `mirror` would download.
    func download(isQuiet: Bool) async -> ExitCode {
        await run { () async throws(MirrorError) in
            try await mirror.dryRun(writing: write)
        } summarize: { report in
            if !isQuiet { for note in report.notes { console.printMessage(escaped(note, columns: 1000)) } }
            let broken = report.failure.map { printPageFailure($0, pages: report.pages) }
            let failed = report.failed > 0 ? ", \(counted(report.failed, "invalid record"))" : ""
            console.printMessage("dry run: \(counted(report.photos, "photo")) would be downloaded\(failed)")
            return broken ?? (report.failed > 0 ? .itemsFailed : .done)
        }
    }

    /// Prints an estimate of what `mirror` would take, and passes it to `use`.
    func forecast(_ use: (Forecast) -> Void = { _ in }) async -> ExitCode {
        await run { () async throws(MirrorError) in
            try await mirror.forecast()
        } summarize: { forecast in
            use(forecast)
            var table = TextTable(head: ["HOST", "PHOTOS", "BYTES", "TIME", "SAMPLE"], rightColumns: [1, 2, 3])
            for host in forecast.hosts {
                let sample = host.sizes.isEmpty ? "none" : "\(counted(host.sizes.count, "photo"))"
                let failed = host.failures > 0 ? ", \(host.failures) failed" : ""
                table.rows.append([
                    escaped(host.name), "\(host.photos)", byteText(Int(rounding: host.bytes)),
                    timeText(.seconds(host.time.seconds)), sample + failed,
                ])
            }
            if isJSON { console.out.write(forecast.json) } else { console.print(table) }
            if let failure = forecast.failure { console.printError("the sample is incomplete: \(escaped(failure))") }
            for line in forecast.lines { console.printMessage(line) }
            return forecast.hosts.contains { !$0.sizes.isEmpty } ? .done : .itemsFailed
        }
    }

    /// Prints the photos that `mirror --prune` would remove.
    func prune() async -> ExitCode {
        await run { () async throws(MirrorError) in
            try await mirror.dryRunPruning(writing: write)
        } summarize: { report in
            if let failure = report.failure {
                return printPageFailure(failure, pages: report.pages, consequence: "; nothing would be removed")
            }
            console.printMessage("dry run: \(report.removed) of \(counted(report.total, "photo")) would be removed")
            guard let refusal = report.refusal else { return .done }
            console.printError(refusal)
            console.printHint(.raisePruneLimit)
            return .limit
        }
    }

    /// Prints the match that `adopt` finds for each file of a folder.
    func adopt(_ files: String, walkingFeed: Bool) async -> ExitCode {
        await run { () async throws(MirrorError) in
            try await mirror.dryRun(adopting: files, walkingFeed: walkingFeed)
        } summarize: { report in
            for file in report.files {
                let isWritten =
                    isJSON
                    ? console.out.write(JSONEventWriter.line("file-found") { $0.members(of: file) })
                    : console.out.write("\(description(of: file))\n")
                guard isWritten else { break }
            }
            if let code = console.out.exitCode { return code }
            let broken = report.failure.map { printPageFailure($0, pages: report.pages) }
            console.printMessage("dry run: \(escaped(report.summary))")
            return broken ?? .done
        }
    }

    /// Writes manifest lines: as rows for people at a terminal, unchanged for scripts.
    private func write(_ lines: [UInt8]) -> Bool {
        guard console.out.isTerminal, !isJSON else { return console.out.write(lines) }
        let rows = DryRunRows(style: console.outStyle, columns: console.out.columns ?? 80)
        return console.out.write(rows.text(of: lines))
    }

    /// Runs the dry run and passes its report to `summarize`, unless a signal stopped it or standard output is closed.
    private func run<Report>(
        _ dryRun: () async throws(MirrorError) -> Report, summarize: (Report) -> ExitCode
    ) async -> ExitCode {
        let signals = SignalHandler(onFirst: { [mirror] in mirror.stop(.signal($0)) }, beforeExit: {})
        defer { signals.stop() }
        do throws(MirrorError) {
            let report = try await dryRun()
            if let code = console.out.exitCode { return code }
            if let code = signals.exitCode { return code }
            return summarize(report)
        } catch {
            return console.fail(error)
        }
    }

    /// Prints the failed page and the consequence, and returns the exit code.
    private func printPageFailure(_ failure: Failure, pages: Int, consequence: String = "") -> ExitCode {
        console.printError("cannot load page \(pages + 1) of the feed: \(failure)\(consequence)")
        if let hint = failure.hint { console.printHint(hint) }
        return pages == 0 ? .feed : .itemsFailed
    }
}

extension Forecast {
    /// The sentences of the forecast.
    fileprivate var lines: [String] {
        let (low, high) = (
            byteText(Int(rounding: bytesRange.lowerBound)), byteText(Int(rounding: bytesRange.upperBound))
        )
        let size = low == high ? low : "\(byteText(Int(rounding: bytes))) (\(low) to \(high))"
        let atLeast = hasMore ? "at least " : ""
        let (seconds, limit) = time
        let first =
            "forecast: \(atLeast)\(counted(photos, "photo")), \(size), \(counted(requests, "request")), about "
            + "\(timeText(.seconds(seconds))); limited by \(limit.text)"
        let unknown =
            hasMore ? ["the source does not state how many photos it has; only its first pages are counted"] : []
        return [first] + unknown + ["decoding, and photos that the mirror already has, are not considered"]
    }
}

extension Forecast {
    /// The event of the forecast.
    fileprivate var json: [UInt8] {
        JSONEventWriter.line("forecast") { object in
            object.member("photos", photos)
            object.member("has_more", hasMore)
            object.member("bytes", Int(rounding: bytes))
            object.member("bytes_low", Int(rounding: bytesRange.lowerBound))
            object.member("bytes_high", Int(rounding: bytesRange.upperBound))
            object.member("requests", requests)
            object.member("seconds", Int(rounding: time.seconds, .up))
            object.member("limit", time.limit.text)
            object.array("hosts") { list in
                for host in hosts { list.object { host.write(to: &$0) } }
            }
        }
    }
}

extension Forecast.Host {
    fileprivate func write(to object: inout JSONWriter) {
        object.member("host", name)
        object.member("photos", photos)
        object.member("bytes", Int(rounding: bytes))
        object.member("seconds", Int(rounding: time.seconds, .up))
        object.member("sampled", sizes.count)
        object.member("failed", failures)
    }
}

extension Forecast.Limit {
    fileprivate var text: String {
        switch self {
        case .rate(let host): "the rate of requests to \(escaped(host))"
        case .connections(let host): "the concurrent downloads from \(escaped(host)) (--per-host)"
        case .concurrency: "the concurrent downloads (--concurrency)"
        case .bandwidth: "the bandwidth (--bandwidth)"
        case .pages: "the pages of the source"
        }
    }
}

/// Shows the manifest lines of a dry run as rows for a terminal: number, name, and address or failure.
struct DryRunRows: Sendable {
    private static let numberWidth = 7
    private static let maximumNameWidth = 32
    /// The least width of the address.
    private static let addressWidth = 12

    let style: Style
    /// The width of the terminal.
    let columns: Int

    /// Returns a row for each line; scripts get the lines themselves.
    func text(of lines: [UInt8]) -> String {
        lines.split(separator: UInt8(ascii: "\n")).map { row(of: Array($0)) + "\n" }.joined()
    }

    private func row(of line: [UInt8]) -> String {
        guard let photo = try? JSON(parsing: line) else { return String(decoding: line, as: UTF8.self) }
        let number = photo["seq"]?.integer.map(String.init) ?? ""
        let name = shortened(escaped(photo["caption"]?.text ?? photo["id"]?.text ?? "", columns: 1000), to: nameWidth)
        let start = padding(Self.numberWidth - columnCount(number)) + number + "  " + name
        let gap = padding(nameWidth - columnCount(name) + 2)
        let room = max(1, columns - columnCount(start) - columnCount(gap))
        if photo["state"]?.text == Receipt.State.failed.rawValue {
            let detail = photo["detail"]?.text.map { ": \(escaped($0, columns: 1000))" } ?? ""
            return start + gap + style.paint(shortened((photo["cause"]?.text ?? "") + detail, to: room), .red)
        }
        return start + gap + shortened(escaped(photo["url"]?.text ?? "", columns: 1000), to: room)
    }

    private var nameWidth: Int {
        min(Self.maximumNameWidth, max(8, columns - Self.numberWidth - Self.addressWidth - 4))
    }

    /// Returns the text, cut with an ellipsis if it is too long.
    private func shortened(_ text: String, to width: Int) -> String {
        guard columnCount(text) > width else { return text }
        let end = style.isUnicode ? "…" : "..."
        return truncated(text, to: max(0, width - columnCount(end))) + end
    }

    private func padding(_ count: Int) -> String { String(repeating: " ", count: max(0, count)) }
}
