// SPDX-License-Identifier: MIT

internal import Dispatch
internal import Sluice

/// What people see of a run on standard error while it goes.
///
/// Events are only counted in where they happen; a queue of the display's own paints and writes. So a terminal that was
/// stopped, or a slow pipe, holds up its own lines and never the run.
final class Display: Sendable {
    private struct State {
        var progress: RunProgress
        var news: [News] = []
        var unheard = 0
    }

    /// News that wait for a terminal that takes none; more are counted only.
    private static let mostNews = 1000

    private let output: Output
    private let style: Style
    private let errand: Errand
    private let isLive: Bool
    private let isVerbose: Bool
    private let bottleneck: @Sendable () -> Bottleneck?
    private let start = ContinuousClock.now
    private let state: Locked<State>
    private let painter: Locked<any Painter>
    private let timer: Locked<EventSource?>
    private let suspension: Locked<Suspension?>
    private let queue = DispatchQueue(label: "sluice.display")

    /// Begins to display; `bottleneck` is asked for each frame.
    init(
        on console: Console, isQuiet: Bool, isVerbose: Bool = false, isJSON: Bool, progress: RunProgress,
        bottleneck: @escaping @Sendable () -> Bottleneck? = { nil }
    ) {
        self.bottleneck = bottleneck
        output = console.err
        style = console.errStyle
        errand = progress.errand
        self.isVerbose = isVerbose && !isQuiet
        isLive = !isQuiet && console.isLive(isJSON: isJSON)
        state = Locked(State(progress: progress))
        let painter: any Painter =
            if isLive { LivePainter(style: style, least: isVerbose ? .detail : .item) } else if isQuiet || isJSON {
                QuietPainter()
            } else {
                PlainPainter(style: style)
            }
        self.painter = Locked(painter)
        timer = Locked(nil)
        suspension = Locked(nil)
        startTimer(painter.interval)
        if isLive { watchSuspension() }
    }

    /// Counts an event in; returns at once.
    func record(_ event: Event) {
        let news = News(event, style: style, errand: errand) ?? (isVerbose ? News(detailOf: event) : nil)
        let now = ContinuousClock.now - start
        state.withLock { state in
            state.progress.record(event, at: now)
            guard let news else { return }
            if state.news.count < Self.mostNews { state.news.append(news) } else { state.unheard += 1 }
        }
    }

    /// Paints what is left, gives the terminal back as it was, and tells how far the run came.
    @discardableResult func end() -> RunProgress {
        timer.withLock { $0 = nil }
        suspension.withLock { $0 = nil }
        queue.sync {
            paint()
            output.write(painter.withLock { $0.leave() })
        }
        return state.withLock { $0.progress }
    }

    /// Makes the cursor visible from anywhere, for an end at once.
    func restoreTerminal() {
        if isLive { output.write("\r\u{1B}[J" + LivePainter.showCursor) }
    }

    private func startTimer(_ interval: Duration) {
        let milliseconds = Int(seconds(interval) * 1000)
        let timer = EventSource.timer(every: milliseconds, on: queue) { [weak self] in
            // A frame drawn from the background would run into whatever is in the foreground.
            if let self, !isLive || output.isForeground { paint() }
        }
        self.timer.withLock { $0 = timer }
    }

    /// On the queue only.
    private func paint() {
        var (news, progress) = state.withLock { state in
            var news = state.news
            if state.unheard > 0 { news.append(News(.item, "\(counted(state.unheard, "line")) left out here")) }
            state.news = []
            state.unheard = 0
            return (news, state.progress)
        }
        progress.bottleneck = bottleneck()
        let now = ContinuousClock.now - start
        let columns = output.columns ?? 80
        let text = painter.withLock { $0.paint(news, progress, at: now, columns: columns) }
        if !text.isEmpty { output.write(text) }
    }

    /// Ctrl-Z gives the terminal back first; `fg` starts a new frame.
    private func watchSuspension() {
        let suspension = Suspension(on: queue) { [weak self] in
            guard let self else { return }
            output.write(painter.withLock { $0.leave() })
        }
        self.suspension.withLock { $0 = suspension }
    }
}
