// SPDX-License-Identifier: MIT

internal import Sluice

/// One run of `mirror`: its events go to the display and to standard output, signals go to it.
struct WatchedRun {
    private let request: MirrorRequest
    private let options: RawOptions
    private let console: Console

    init(_ request: MirrorRequest, _ options: RawOptions, _ console: Console) {
        self.request = request
        self.options = options
        self.console = console
    }

    func run() async -> ExitCode {
        let mirror = Mirror(of: request.source, into: request.folder, options: request.options)
        let display = Display(on: console, isQuiet: options.isQuiet, isJSON: options.isJSON, goals: goals)
        let events = options.isJSON ? JSONLines(to: console.out) : nil
        let signals = Signals(
            first: { mirror.stop(.signal($0)) },
            beforeEnd: {
                display.restoreTerminal()
                console.tell("ended at once; run again to continue")
            })
        defer { signals.end() }
        do {
            let summary = try await mirror.run { event in
                // Nobody reads standard output any more: what is done is done, and the rest is for another run.
                if let events, !events.record(event) { mirror.stop(.requested) }
                display.record(event)
            }
            return close(summary, expected: display.end().expected)
        } catch {
            display.end()
            console.complain(error.message)
            return ExitCode(error.code)
        }
    }

    private var goals: RunProgress.Goals {
        RunProgress.Goals(pages: request.options.pages, items: request.options.maxItems)
    }

    private func close(_ summary: Summary, expected: Int?) -> ExitCode {
        // A reader that went away wants no more words either.
        if let code = console.out.exitCode, code == .brokenPipe { return code }
        let closing = Closing(summary: summary, folder: request.folder, options: request.options, expected: expected)
        let isBrief = options.isQuiet || (options.isJSON && !console.isLive(isJSON: true))
        let lines = closing.lines(style: console.errStyle)
        for line in isBrief ? Array(lines.prefix(1)) : lines { console.tell(line) }
        return ExitCode(summary)
    }
}
