// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceEngine
internal import SluiceModel

extension Summary {
    /// Whether the run did more than keep the photos of earlier runs.
    fileprivate var hasNews: Bool {
        done > 0 || causes[.deferred] != nil || failed > 0 || failedPages > 0 || stop != nil
    }
}

/// Runs with a display: sends events to the display and to standard output, and signals to the run.
struct MonitoredRun {
    let run: any ControlledRun
    let folder: String
    let writesGallery: Bool
    /// The initial progress of the display.
    let progress: RunProgress
    /// The memory limit for work in flight, in bytes.
    let memory: Int
    let options: RawOptions
    let console: Console
    var observer: @Sendable (Event) -> Void = { _ in }
    /// The forecast with which the summary compares the run.
    var forecast: Forecast?
    /// Whether a run without a photo is no success, because it selects photos.
    var needsPhotos = false
    /// The same run, if nothing is to be stored.
    var dryRun: Run?

    func execute() async -> ExitCode {
        let display = Display(
            on: console, isQuiet: options.output.isQuiet || options.output.isQuietUnlessChanged,
            isVerbose: options.output.isVerbose,
            isJSON: options.output.isJSON, isDryRun: dryRun != nil,
            progress: progress,
            bottleneck: { [run] in run.bottleneck })
        // Standard output has the work of a dry run.
        let events = options.output.isJSON && dryRun == nil ? JSONEventWriter(to: console.out) : nil
        let list = DryRun(console: console, isJSON: options.output.isJSON, purpose: progress.purpose)
        let signals = SignalHandler(
            onFirst: { [run] in run.stop(.signal($0)) },
            beforeExit: {
                display.restoreTerminal()
                console.printMessage("stopped immediately; run again to continue")
            })
        defer { signals.stop() }
        do {
            let record: @Sendable (Event) -> Void = { [run, observer] event in
                // Standard output is closed: keep the finished work and leave the rest to another run.
                if let events, !events.record(event) { run.stop(.requested) }
                observer(event)
                display.record(event)
            }
            let summary =
                if let dryRun { try await dryRun.dryRun(listing: list.print, recording: record) } else {
                    try await run.run(recording: record)
                }
            return finish(summary, expected: display.end().expected)
        } catch {
            display.end()
            return console.fail(error)
        }
    }

    private func finish(_ summary: Summary, expected: Int?) -> ExitCode {
        // If standard output is closed, print no summary either.
        if let code = console.out.exitCode, code == .brokenPipe { return code }
        if options.output.isQuietUnlessChanged, !summary.hasNews { return code(of: summary) }
        let text = SummaryText(
            summary: summary, folder: folder, writesGallery: writesGallery, purpose: progress.purpose,
            memory: memory, expected: expected, forecast: forecast, isDryRun: dryRun != nil)
        let isBrief = options.output.isQuiet || (options.output.isJSON && !console.isLive(isJSON: true))
        let lines = text.lines(style: console.errStyle)
        for line in isBrief ? Array(lines.prefix(1)) : lines { console.printMessage(line) }
        return code(of: summary)
    }

    private func code(of summary: Summary) -> ExitCode {
        let code = ExitCode(summary)
        return code == .done && needsPhotos && summary.ended == 0 ? .itemsFailed : code
    }
}

extension ProgressLine {
    convenience init(on console: Console, _ output: OutputArguments, stop: @escaping @Sendable () -> Void) {
        self.init(on: console, isLive: !output.isQuiet && console.isLive(isJSON: output.isJSON), stop: stop)
    }
}
