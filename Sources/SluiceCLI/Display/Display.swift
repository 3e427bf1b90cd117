// SPDX-License-Identifier: MIT

internal import Dispatch
internal import Sluice
internal import SluiceModel

/// Displays the progress of a run on standard error.
///
/// Recording an event only updates counters. Rendering and writing happen on a private queue, so a stopped terminal or
/// a slow pipe never delays the run.
final class Display: Sendable {
    private struct State {
        var progress: RunProgress
        var lines: [LogLine] = []
        var droppedLines = 0
        var pauses = RepeatedPauses()
        var failures: RepeatedFailures

        mutating func add(_ line: LogLine) {
            if lines.count < Display.maximumLines { lines.append(line) } else { droppedLines += 1 }
        }
    }

    /// The maximum number of lines that wait for a blocked terminal; further ones are only counted.
    private static let maximumLines = 1000

    private let output: Output
    private let style: Style
    private let purpose: RunPurpose
    private let isLive: Bool
    private let isVerbose: Bool
    private let isDryRun: Bool
    private let bottleneck: @Sendable () -> Bottleneck?
    private let start = ContinuousClock.now
    private let state: Locked<State>
    private let renderer: Locked<any ProgressRenderer>
    private let timer: Locked<ManagedDispatchSource?>
    private let suspendHandler: Locked<SuspendHandler?>
    private let queue = DispatchQueue(label: "sluice.display")

    /// Starts the display; it calls `bottleneck` for each frame.
    init(
        on console: Console, isQuiet: Bool, isVerbose: Bool = false, isJSON: Bool, isDryRun: Bool = false,
        progress: RunProgress,
        bottleneck: @escaping @Sendable () -> Bottleneck? = { nil }
    ) {
        self.bottleneck = bottleneck
        output = console.err
        style = console.errStyle
        purpose = progress.purpose
        self.isVerbose = isVerbose && !isQuiet
        self.isDryRun = isDryRun
        isLive = !isQuiet && console.isLive(isJSON: isJSON || isDryRun)
        state = Locked(State(progress: progress, failures: RepeatedFailures(style: style)))
        let renderer: any ProgressRenderer =
            if isLive {
                LiveRenderer(style: style, minimum: isVerbose ? .detail : .warning)
            } else if isQuiet
                || isJSON && !isDryRun
            {
                QuietRenderer()
            } else {
                PlainRenderer(style: style, minimum: isDryRun && !isVerbose ? .warning : .detail)
            }
        self.renderer = Locked(renderer)
        timer = Locked(nil)
        suspendHandler = Locked(nil)
        startTimer(renderer.interval)
        if isLive { handleSuspension() }
    }

    /// Records an event; returns immediately.
    func record(_ event: Event) {
        let line = line(for: event)
        let now = ContinuousClock.now - start
        state.withLock { state in
            state.progress.record(event, at: now)
            switch event {
            case .hostPaused(let host, let duration, let failure):
                state.pauses.line(for: host, duration, because: failure).map { state.add($0) }
            case .itemEnded(let item, let outcome) where !isVerbose:
                state.failures.line(for: outcome, of: item).map { state.add($0) }
            case .hostGivenUp(let host, let failure):
                state.failures.recordGivenUp(host, because: failure)
                state.pauses.remove(host)
                line.map { state.add($0) }
            default: line.map { state.add($0) }
            }
        }
        // Who stops the run waits for the answer.
        if case .stopping = event { queue.async { [weak self] in self?.renderInForeground() } }
    }

    /// The line for an event that is not counted together with others.
    private func line(for event: Event) -> LogLine? {
        if case .itemEnded = event, !isVerbose { return nil }
        return LogLine(event, style: style, purpose: purpose, isDryRun: isDryRun)
            ?? (isVerbose ? LogLine(detailOf: event) : nil)
    }

    /// Renders pending lines, restores the terminal, and returns the final progress.
    @discardableResult func end() -> RunProgress {
        timer.withLock { $0 = nil }
        suspendHandler.withLock { $0 = nil }
        queue.sync {
            state.withLock { state in
                for line in state.pauses.remainingLines() + state.failures.remainingLines() { state.add(line) }
            }
            render()
            output.write(renderer.withLock { $0.restore() })
        }
        return state.withLock { $0.progress }
    }

    /// Makes the cursor visible again.
    ///
    /// Callable from any thread, before the process exits.
    func restoreTerminal() {
        if isLive { output.write("\r\u{1B}[J" + LiveRenderer.showCursor) }
    }

    private func startTimer(_ interval: Duration) {
        let milliseconds = Int(seconds(interval) * 1000)
        let timer = ManagedDispatchSource.timer(every: milliseconds, on: queue) { [weak self] in
            self?.renderInForeground()
        }
        self.timer.withLock { $0 = timer }
    }

    /// A frame from a background process would disturb the foreground process.
    private func renderInForeground() {
        if !isLive || output.isForeground { render() }
    }

    /// Runs only on the queue.
    private func render() {
        var (lines, progress) = state.withLock { state in
            var lines = state.lines
            if state.droppedLines > 0 {
                lines.append(LogLine(.warning, "\(counted(state.droppedLines, "line")) omitted"))
            }
            state.lines = []
            state.droppedLines = 0
            return (lines, state.progress)
        }
        progress.bottleneck = bottleneck()
        let now = ContinuousClock.now - start
        let columns = output.columns ?? 80
        let text = renderer.withLock { $0.render(lines, progress, at: now, columns: columns) }
        if !text.isEmpty { output.write(text) }
    }

    /// Restores the terminal before Ctrl-Z suspends the process; after `fg` a new frame starts.
    private func handleSuspension() {
        let handler = SuspendHandler(on: queue) { [weak self] in
            guard let self else { return }
            output.write(renderer.withLock { $0.restore() })
        }
        suspendHandler.withLock { $0 = handler }
    }
}
