// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The progress of work that the first signal stops: a single line that overwrites itself on a terminal.
///
/// Without a live terminal it prints nothing.
final class ProgressLine: Sendable {
    private let console: Console
    private let isLive: Bool
    private let lastShown = Locked<ContinuousClock.Instant?>(nil)
    private let signals: SignalHandler

    /// The exit code for the first signal; `nil` before it.
    var exitCode: ExitCode? { signals.exitCode }

    /// Calls `stop` with the first signal.
    init(on console: Console, isLive: Bool, stop: @escaping @Sendable () -> Void) {
        (self.console, self.isLive) = (console, isLive)
        signals = SignalHandler(
            onFirst: { _ in stop() }, beforeExit: { [lastShown] in Self.clear(lastShown, on: console) })
    }

    /// Erases the line, and stops handling signals.
    func end() {
        signals.stop()
        clear()
    }

    /// Shows the text, at most every 100 ms.
    func show(_ text: @autoclosure () -> String) {
        guard isLive, console.err.isForeground else { return }
        let now = ContinuousClock.now
        let isDue = lastShown.withLock { lastShown in
            guard lastShown.map({ now - $0 >= .milliseconds(100) }) ?? true else { return false }
            lastShown = now
            return true
        }
        guard isDue else { return }
        console.err.write("\r\(truncated(text(), to: max(1, (console.err.columns ?? 80) - 1)))\u{1B}[K")
    }

    /// Erases the line, so that other output can follow.
    func clear() { Self.clear(lastShown, on: console) }

    private static func clear(_ lastShown: Locked<ContinuousClock.Instant?>, on console: Console) {
        let wasShown = lastShown.withLock { lastShown in
            defer { lastShown = nil }
            return lastShown != nil
        }
        if wasShown { console.err.write("\r\u{1B}[K") }
    }
}
