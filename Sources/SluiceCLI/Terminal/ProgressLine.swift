// SPDX-License-Identifier: MIT

internal import SluiceModel

/// A single line of progress that overwrites itself on a terminal.
///
/// Without a live terminal it prints nothing.
final class ProgressLine: Sendable {
    private let console: Console
    private let isLive: Bool
    private let lastShown = Locked<ContinuousClock.Instant?>(nil)

    init(on console: Console, isQuiet: Bool, isJSON: Bool) {
        self.console = console
        isLive = !isQuiet && console.isLive(isJSON: isJSON)
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
    func clear() {
        let wasShown = lastShown.withLock { lastShown in
            defer { lastShown = nil }
            return lastShown != nil
        }
        if wasShown { console.err.write("\r\u{1B}[K") }
    }
}
