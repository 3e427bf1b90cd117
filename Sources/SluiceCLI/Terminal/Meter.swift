// SPDX-License-Identifier: MIT

internal import Sluice

/// One line at the foot of the terminal that tells how far something is; elsewhere it tells nothing.
final class Meter: Sendable {
    private let console: Console
    private let isLive: Bool
    private let last = Locked<ContinuousClock.Instant?>(nil)

    init(on console: Console, isQuiet: Bool, isJSON: Bool) {
        self.console = console
        isLive = !isQuiet && console.isLive(isJSON: isJSON)
    }

    /// Shows the text, unless another was shown a moment ago.
    func show(_ text: @autoclosure () -> String) {
        guard isLive, console.err.isForeground else { return }
        let now = ContinuousClock.now
        let isDue = last.withLock { last in
            guard last.map({ now - $0 >= .milliseconds(100) }) ?? true else { return false }
            last = now
            return true
        }
        guard isDue else { return }
        console.err.write("\r\(cut(text(), to: max(1, (console.err.columns ?? 80) - 1)))\u{1B}[K")
    }

    /// Takes the line away, so that others can be written.
    func clear() {
        let wasShown = last.withLock { last in
            defer { last = nil }
            return last != nil
        }
        if wasShown { console.err.write("\r\u{1B}[K") }
    }
}
