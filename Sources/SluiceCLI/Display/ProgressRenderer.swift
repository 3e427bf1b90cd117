// SPDX-License-Identifier: MIT

internal import SluiceModel

/// Renders the progress of a run and its log lines as text.
///
/// Does no output itself.
protocol ProgressRenderer: Sendable {
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
    /// The minimum importance of log lines to show.
    private let minimum: LogLine.Importance
    private var nextProgress = Duration.seconds(5)
    private var lastEnded = -1

    init(style: Style, minimum: LogLine.Importance = .detail) {
        self.style = style
        self.minimum = minimum
    }

    mutating func render(_ logLines: [LogLine], _ progress: RunProgress, at now: Duration, columns: Int) -> String {
        var text = logLines.filter { $0.importance >= minimum }.map { $0.text + "\n" }.joined()
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

struct QuietRenderer: ProgressRenderer {
    let interval = Duration.milliseconds(250)

    mutating func render(_ logLines: [LogLine], _ progress: RunProgress, at now: Duration, columns: Int) -> String {
        logLines.filter { $0.importance >= .essential }.map { $0.text + "\n" }.joined()
    }

    mutating func restore() -> String { "" }
}

/// Redraws a few lines at the bottom of the terminal; log lines scroll above them.
///
/// Each frame is one string for one write. Lines are overwritten and not cleared first, which avoids flicker.
struct LiveRenderer: ProgressRenderer {
    let interval = Duration.milliseconds(100)
    private let style: Style
    /// The minimum importance of log lines to show.
    private let minimum: LogLine.Importance
    /// The widths of the lines on the terminal.
    private var shownWidths: [Int] = []
    private var lastLines: [String] = []
    private var lastColumns = 0
    private var isCursorHidden = false

    /// The escape sequence that makes the cursor visible again.
    static let showCursor = "\u{1B}[?25h"

    init(style: Style, minimum: LogLine.Importance = .warning) {
        self.style = style
        self.minimum = minimum
    }

    mutating func render(_ logLines: [LogLine], _ progress: RunProgress, at now: Duration, columns: Int) -> String {
        // Leave the last column free: some terminals wrap as soon as it is written.
        let lines = ProgressFrame(progress, at: now).lines(columns: max(1, columns - 1), style: style)
        let logLines = logLines.filter { $0.importance >= minimum }
        guard !logLines.isEmpty || lines != lastLines || columns != lastColumns else { return "" }
        var text = isCursorHidden ? "" : "\u{1B}[?25l"
        text += backToTop(columns: columns)
        for line in logLines.map(\.text) { text += line + "\u{1B}[K\r\n" }
        text += lines.joined(separator: "\u{1B}[K\r\n") + "\u{1B}[K"
        // Return to the start of the line, so that an echoed ^C does not start another row.
        text += "\u{1B}[J\r"
        isCursorHidden = true
        lastLines = lines
        lastColumns = columns
        shownWidths = lines.map { columnCount(withoutColors($0)) }
        return text
    }

    mutating func restore() -> String {
        guard isCursorHidden else { return "" }
        let text = backToTop(columns: lastColumns) + "\u{1B}[J" + Self.showCursor
        shownWidths = []
        lastLines = []
        isCursorHidden = false
        return text
    }

    /// Moves the cursor to the start of the frame.
    ///
    /// A terminal that became narrower has wrapped its lines into more rows.
    private func backToTop(columns: Int) -> String {
        let rows = shownWidths.reduce(0) { $0 + max(1, ($1 + max(1, columns) - 1) / max(1, columns)) }
        return rows > 1 ? "\r\u{1B}[\(rows - 1)A" : "\r"
    }
}

/// Returns the text without colour sequences.
func withoutColors(_ text: String) -> String {
    var plain = ""
    var isColor = false
    for scalar in text.unicodeScalars {
        if scalar == "\u{1B}" { isColor = true }
        if !isColor { plain.unicodeScalars.append(scalar) }
        if scalar == "m" { isColor = false }
    }
    return plain
}
