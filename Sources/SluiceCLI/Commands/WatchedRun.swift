// SPDX-License-Identifier: MIT

internal import Sluice

/// A run as the command sees it.
protocol Runnable: Sendable {
    /// Runs to the end.
    func run(recording record: @escaping @Sendable (Event) -> Void) async throws(MirrorError) -> Summary
    /// Asks the run to stop.
    func stop(_ reason: StopReason)
    /// What holds the run up at the moment.
    var bottleneck: Bottleneck? { get }
    /// What it may take for what is in flight, in bytes.
    var memory: Int { get }
}

extension Mirror: Runnable {
    var memory: Int { options.memory }
}

extension ThumbnailRun: Runnable {
    var memory: Int { options.memory }
}

/// One run under the user's eyes: its events go to the display and to standard output, signals go to it.
struct WatchedRun {
    let run: any Runnable
    /// The folder that it fills.
    let folder: String
    let writesGallery: Bool
    /// What the display begins with.
    let progress: RunProgress
    let options: RawOptions
    let console: Console

    func watch() async -> ExitCode {
        let display = Display(
            on: console, isQuiet: options.isQuiet, isVerbose: options.isVerbose, isJSON: options.isJSON,
            progress: progress,
            bottleneck: { [run] in run.bottleneck })
        let events = options.isJSON ? JSONLines(to: console.out) : nil
        let signals = Signals(
            first: { [run] in run.stop(.signal($0)) },
            beforeEnd: {
                display.restoreTerminal()
                console.tell("ended at once; run again to continue")
            })
        defer { signals.end() }
        do {
            let summary = try await run.run { [run] event in
                // Nobody reads standard output any more: what is done is done, and the rest is for another run.
                if let events, !events.record(event) { run.stop(.requested) }
                display.record(event)
            }
            return close(summary, expected: display.end().expected)
        } catch {
            display.end()
            return console.fail(error)
        }
    }

    private func close(_ summary: Summary, expected: Int?) -> ExitCode {
        // A reader that went away wants no more words either.
        if let code = console.out.exitCode, code == .brokenPipe { return code }
        let closing = Closing(
            summary: summary, folder: folder, writesGallery: writesGallery, errand: progress.errand,
            memory: run.memory, expected: expected)
        let isBrief = options.isQuiet || (options.isJSON && !console.isLive(isJSON: true))
        let lines = closing.lines(style: console.errStyle)
        for line in isBrief ? Array(lines.prefix(1)) : lines { console.tell(line) }
        return ExitCode(summary)
    }
}
