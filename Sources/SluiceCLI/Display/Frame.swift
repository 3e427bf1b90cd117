// SPDX-License-Identifier: MIT

internal import Sluice

/// What a live display shows at one moment.
struct Frame: Sendable {
    /// A few words that stand or fall together.
    struct Part: Sendable, Hashable {
        var text: String
        var color: Style.Color?

        init(_ text: String, _ color: Style.Color? = nil) {
            self.text = text
            self.color = color
        }
    }

    /// An item is named once it has been under way for so long.
    static let patience = Duration.seconds(5)
    /// No estimate is worth its words before.
    static let firstEstimate = Duration.seconds(3)
    private static let widestBar = 40
    private static let mostNames = 3

    private let progress: RunProgress
    private let now: Duration

    init(_ progress: RunProgress, at now: Duration) {
        self.progress = progress
        self.now = now
    }

    /// The lines, none wider than `columns`.
    func lines(columns: Int, style: Style) -> [String] {
        var lines = [barLine(columns: columns, style: style)]
        lines.append(fitted(numbers, to: columns, style: style))
        lines.append(fitted(holdUps, to: columns, style: style))
        let oldest = progress.oldest(Self.mostNames, since: now - Self.patience).map { item in
            "\(item.name), \(timeText(now - item.since, isWhole: true))"
        }
        if !oldest.isEmpty {
            let words = "oldest: " + oldest.joined(separator: separator(style))
            lines.append(style.paint(cut(words, to: columns), .dim))
        }
        return lines.filter { !$0.isEmpty }
    }

    /// Everything in words, for a line of a log.
    var parts: [Part] { place + numbers + holdUps }

    /// `42 of 90 photos`, `page 2 of 3`.
    private var place: [Part] {
        guard progress.summary.pages > 0 else { return [Part(progress.errand.waiting(page: progress.page))] }
        let ended = progress.summary.ended - progress.summary.interrupted
        let photos = progress.expected.map { "\(ended) of \(counted($0, "photo"))" } ?? counted(ended, "photo")
        guard progress.errand.isWalk else { return [Part(photos)] }
        let page = "page \(progress.page)" + (progress.goals.pages.map { " of \($0)" } ?? "")
        return [Part(photos), Part(page)]
    }

    /// What holds the run up, and which hosts are left alone for a while.
    private var holdUps: [Part] {
        var parts: [Part] = []
        if let bottleneck = progress.bottleneck { parts.append(Part("limited by: \(bottleneck.rawValue)", .dim)) }
        let paused = progress.paused(at: now)
        if paused.count > 1 { parts.append(Part("\(paused.count) hosts paused", .yellow)) }
        if let first = paused.first, paused.count == 1 {
            let time = timeText(first.until - now, isWhole: true)
            parts.append(Part("\(escaped(first.host, columns: 40)) paused, \(time) left", .yellow))
        }
        return parts
    }

    /// How they ended, what is under way, how fast it goes, and how long it may take.
    private var numbers: [Part] {
        let summary = progress.summary
        let rate = progress.rate.perSecond(at: now)
        var parts: [Part] = []
        if summary.done > 0 { parts.append(Part("\(summary.done) done", .green)) }
        if summary.kept > 0 { parts.append(Part("\(summary.kept) kept")) }
        let skipped = summary.skipped - summary.interrupted
        if skipped > 0 { parts.append(Part("\(skipped) skipped", .yellow)) }
        if summary.failed > 0 { parts.append(Part("\(summary.failed) failed", .red)) }
        if !progress.inFlight.isEmpty { parts.append(Part("\(progress.inFlight.count) under way")) }
        if progress.retries > 0 { parts.append(Part("\(progress.retries) tried again", .yellow)) }
        if rate.done > 0 {
            parts.append(Part("\(decimal(rate.done)) photos/s"))
            if progress.errand.isRemote { parts.append(Part("\(byteText(Int(min(rate.bytes, 1e15))))/s")) }
        }
        if let left = timeLeft(rate.ended) { parts.append(Part("\(timeText(left, isWhole: true)) left")) }
        return parts
    }

    private func timeLeft(_ rate: Double) -> Duration? {
        guard let expected = progress.expected, rate > 0, now >= Self.firstEstimate else { return nil }
        let left = Double(expected - progress.summary.ended) / rate
        return left > 0 && left < 1e7 ? .seconds(max(1, left.rounded())) : nil
    }

    /// The bar takes what the words leave, and is left out where that is too little.
    private func barLine(columns: Int, style: Style) -> String {
        let words = place
        let wordsWidth = columnCount(words.map(\.text).joined(separator: separator(style)))
        let width = min(Self.widestBar, columns - wordsWidth - 2)
        guard let expected = progress.expected, expected > 0, width >= 8 else {
            return fitted(words, to: columns, style: style)
        }
        let filled = Int(Double(width) * Double(progress.summary.ended) / Double(expected))
        let (full, empty) = style.isUnicode ? ("━", "─") : ("=", "-")
        let bar = style.paint(String(repeating: full, count: filled), .cyan)
        let rest = style.paint(String(repeating: empty, count: width - filled), .dim)
        return "\(bar)\(rest)  \(fitted(words, to: columns - width - 2, style: style))"
    }

    /// As many parts as fit, from the first on.
    private func fitted(_ parts: [Part], to columns: Int, style: Style) -> String {
        var line = ""
        var width = 0
        for part in parts {
            let lead = line.isEmpty ? "" : separator(style)
            width += columnCount(lead) + columnCount(part.text)
            if width > columns { break }
            line += lead + (part.color.map { style.paint(part.text, $0) } ?? part.text)
        }
        return line
    }

    private func separator(_ style: Style) -> String { style.isUnicode ? " · " : ", " }
}
