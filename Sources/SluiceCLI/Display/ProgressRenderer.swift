// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceModel

/// Renders the progress of a run and its log lines as text.
///
/// Does no output itself.
protocol ProgressRenderer: Sendable {
    /// The interval between frames.
    var interval: Duration { get }
    /// Returns the text to write; empty if nothing changed.
    mutating func render(_ logLines: [LogLine], _ progress: RunProgress, at now: Duration, columns: Int) -> String
    /// Returns the text that restores the terminal; rendering may continue afterwards.
    mutating func restore() -> String
}

/// Renders plain lines for logs and pipes: each page, each failed photo, and the progress at intervals.
struct PlainRenderer: ProgressRenderer {
    let interval = Duration.milliseconds(250)
    private let style: Style
    private var nextProgress = Duration.seconds(5)
    private var lastEnded = -1

    init(style: Style) {
        self.style = style
    }

    mutating func render(_ logLines: [LogLine], _ progress: RunProgress, at now: Duration, columns: Int) -> String {
        var text = logLines.map { $0.text + "\n" }.joined()
        guard now >= nextProgress else { return text }
        // Every few seconds at first, less often later: the log of a long run should stay readable.
        nextProgress = now + (now < .seconds(60) ? .seconds(5) : now < .seconds(600) ? .seconds(15) : .seconds(60))
        guard progress.summary.ended != lastEnded else { return text }
        lastEnded = progress.summary.ended
        text += ProgressFrame(progress, at: now).phrases.map(\.text).joined(separator: ", ") + "\n"
        return text
    }

    mutating func restore() -> String { "" }
}

/// Renders only essential lines.
struct QuietRenderer: ProgressRenderer {
    let interval = Duration.milliseconds(250)

    mutating func render(_ logLines: [LogLine], _ progress: RunProgress, at now: Duration, columns: Int) -> String {
        logLines.filter { $0.importance >= .essential }.map { $0.text + "\n" }.joined()
    }

    mutating func restore() -> String { "" }
}
