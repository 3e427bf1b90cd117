// SPDX-License-Identifier: MIT

internal import Sluice

/// Turns a run's progress and news into what is written next: a pure function of what it saw.
protocol Painter: Sendable {
    /// How often it wants to paint.
    var interval: Duration { get }
    /// What to write now; empty if nothing changed.
    mutating func paint(_ news: [News], _ progress: RunProgress, at now: Duration, columns: Int) -> String
    /// What leaves the terminal as it was found; painting may begin anew behind it.
    mutating func leave() -> String
}

/// Calm lines for logs and pipes: each page and each failed photo, and now and then how far the run is.
struct PlainPainter: Painter {
    let interval = Duration.milliseconds(250)
    private let style: Style
    private var nextAt = Duration.seconds(5)
    private var told = -1

    init(style: Style) {
        self.style = style
    }

    mutating func paint(_ news: [News], _ progress: RunProgress, at now: Duration, columns: Int) -> String {
        var text = news.map { $0.text + "\n" }.joined()
        guard now >= nextAt else { return text }
        // Every few seconds at first; a long run's log should stay readable.
        nextAt = now + (now < .seconds(60) ? .seconds(5) : now < .seconds(600) ? .seconds(15) : .seconds(60))
        guard progress.summary.ended != told else { return text }
        told = progress.summary.ended
        text += Frame(progress, at: now).parts.map(\.text).joined(separator: ", ") + "\n"
        return text
    }

    mutating func leave() -> String { "" }
}

/// Nothing but what concerns the whole run.
struct QuietPainter: Painter {
    let interval = Duration.milliseconds(250)

    mutating func paint(_ news: [News], _ progress: RunProgress, at now: Duration, columns: Int) -> String {
        news.filter { $0.weight >= .run }.map { $0.text + "\n" }.joined()
    }

    mutating func leave() -> String { "" }
}
