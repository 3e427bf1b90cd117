// SPDX-License-Identifier: MIT

/// A few lines at the foot of the terminal that redraw themselves; news scroll away above them.
///
/// Each step is one piece of text and goes out in one write; lines are overwritten and never cleared first, so that
/// nothing flickers.
struct LivePainter: Painter {
    let interval = Duration.milliseconds(100)
    private let style: Style
    /// What weighs less is not told.
    private let least: News.Weight
    /// The widths of the lines that stand on the terminal.
    private var shown: [Int] = []
    private var last: [String] = []
    private var lastColumns = 0
    private var isCursorHidden = false

    /// What makes the cursor visible again.
    static let showCursor = "\u{1B}[?25h"

    init(style: Style, least: News.Weight = .item) {
        self.style = style
        self.least = least
    }

    mutating func paint(_ news: [News], _ progress: RunProgress, at now: Duration, columns: Int) -> String {
        // The last column stays free: some terminals wrap as soon as it is written.
        let lines = Frame(progress, at: now).lines(columns: max(1, columns - 1), style: style)
        let news = news.filter { $0.weight >= least }
        guard !news.isEmpty || lines != last || columns != lastColumns else { return "" }
        var text = isCursorHidden ? "" : "\u{1B}[?25l"
        text += backToTop(columns: columns)
        for line in news.map(\.text) { text += line + "\u{1B}[K\r\n" }
        text += lines.joined(separator: "\u{1B}[K\r\n") + "\u{1B}[K"
        // Back to the line's start: what the terminal echoes there (^C) cannot make a row of its own.
        text += "\u{1B}[J\r"
        isCursorHidden = true
        last = lines
        lastColumns = columns
        shown = lines.map { columnCount(withoutColors($0)) }
        return text
    }

    mutating func leave() -> String {
        guard isCursorHidden else { return "" }
        let text = backToTop(columns: lastColumns) + "\u{1B}[J" + Self.showCursor
        shown = []
        last = []
        isCursorHidden = false
        return text
    }

    /// Where the frame begins; a terminal that became narrower has broken its lines into more rows.
    private func backToTop(columns: Int) -> String {
        let rows = shown.reduce(0) { $0 + max(1, ($1 + max(1, columns) - 1) / max(1, columns)) }
        return rows > 1 ? "\r\u{1B}[\(rows - 1)A" : "\r"
    }
}

/// The text without what only colours it.
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
