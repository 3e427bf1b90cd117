// SPDX-License-Identifier: MIT

internal import SluiceModel

/// One frame of the live display.
struct ProgressFrame: Sendable {
    /// A piece of text that is shown as a whole or not at all.
    struct Phrase: Sendable, Hashable {
        var text: String
        var color: Style.Color?

        init(_ text: String, _ color: Style.Color? = nil) {
            self.text = text
            self.color = color
        }
    }

    /// Photos that are in flight for at least this long are listed by name.
    static let minimumAge = Duration.seconds(5)
    /// The time before the first estimate of the remaining time.
    static let firstEstimate = Duration.seconds(3)
    private static let maximumBarWidth = 40
    private static let maximumNames = 3
    /// The maximum number of lines for the numbers, on a narrow terminal.
    private static let maximumRows = 3

    private let progress: RunProgress
    private let now: Duration

    init(_ progress: RunProgress, at now: Duration) {
        self.progress = progress
        self.now = now
    }

    /// Returns the lines, none of which is wider than `columns`.
    func lines(columns: Int, style: Style) -> [String] {
        var lines = positionLines(columns: columns, style: style)
        lines += wrapped(numbers, to: columns, style: style)
        lines.append(fitted(bottlenecks, to: columns, style: style))
        lines += progress.oldest(Self.maximumNames, startedBy: now - Self.minimumAge).map { item in
            let text = description(of: item).joined(separator: separator(style))
            return style.paint(truncated("  \(text)", to: columns), .dim)
        }
        return lines.filter { !$0.isEmpty }
    }

    /// For example `photo 17 (its-id)`, `3.1 MB of 12.0 MB`, `8 s`.
    private func description(of item: RunProgress.InFlight) -> [String] {
        let total = item.total.map { " of \(byteText($0))" } ?? ""
        let bytes = item.bytes > 0 ? ["\(byteText(item.bytes))\(total)"] : []
        return [item.name] + bytes + [timeText(now - item.start, isWhole: true)]
    }

    /// The frame without its bar, for a line of a log.
    var phrases: [Phrase] { position + numbers + times + bottlenecks }

    /// For example `42 of 90 photos`, `page 2 of 3`.
    private var position: [Phrase] {
        guard progress.summary.pages > 0 else { return [Phrase(progress.purpose.waitingText(page: progress.page))] }
        let ended = progress.summary.ended - progress.summary.interrupted
        let photos =
            switch (progress.expected, progress.estimated) {
            case (let expected?, _): "\(ended) of \(counted(expected, "photo"))"
            case (nil, let estimated?): "\(ended) of about \(counted(estimated, "photo"))"
            case (nil, nil): counted(ended, "photo")
            }
        guard progress.purpose.readsPages else { return [Phrase(photos)] }
        let page = "page \(progress.page)" + (progress.limits.pages.map { " of \($0)" } ?? "")
        return [Phrase(photos), Phrase(page)]
    }

    /// The bottleneck of the run, and the paused hosts.
    private var bottlenecks: [Phrase] {
        var phrases: [Phrase] = []
        if let bottleneck = progress.bottleneck { phrases.append(Phrase("limited by: \(bottleneck.rawValue)", .dim)) }
        let paused = progress.paused(at: now)
        if paused.count > 1 { phrases.append(Phrase("\(paused.count) hosts paused", .yellow)) }
        if let first = paused.first, paused.count == 1 {
            let time = timeText(first.until - now, isWhole: true)
            phrases.append(Phrase("\(escaped(first.host, columns: 40)) paused, \(time) left", .yellow))
        }
        return phrases
    }

    /// The results, the photos in flight, the throughput and the bytes so far.
    private var numbers: [Phrase] {
        let summary = progress.summary
        let rate = progress.throughput.perSecond(at: now)
        var phrases: [Phrase] = []
        if summary.done > 0 { phrases.append(Phrase("\(summary.done) done", .green)) }
        if summary.kept > 0 { phrases.append(Phrase("\(summary.kept) kept")) }
        let skipped = summary.skipped - summary.interrupted
        if skipped > 0 { phrases.append(Phrase("\(skipped) skipped", .yellow)) }
        if summary.failed > 0 { phrases.append(Phrase("\(summary.failed) failed", .red)) }
        if progress.inFlightCount > 0 { phrases.append(Phrase("\(progress.inFlightCount) in flight")) }
        if progress.retries > 0 {
            phrases.append(Phrase("\(counted(progress.retries, "retry", plural: "retries"))", .yellow))
        }
        if rate.done > 0 { phrases.append(Phrase("\(decimal(rate.done)) photos/s")) }
        if progress.purpose.downloads, progress.bytesReceived > 0 {
            let speed = rate.bytes >= 1 ? ", \(byteText(Int(rounding: rate.bytes)))/s" : ""
            phrases.append(Phrase("\(byteText(progress.bytesReceived))\(speed)"))
        }
        return phrases
    }

    /// The time since the start of the run and the remaining time.
    private var times: [Phrase] {
        guard progress.summary.pages > 0 else { return [] }
        let elapsed = [Phrase("\(timeText(now, isWhole: true)) elapsed")]
        guard let left = timeLeft(progress.throughput.perSecond(at: now).ended) else { return elapsed }
        return elapsed + [Phrase("\(timeText(left, isWhole: true)) left")]
    }

    private func timeLeft(_ rate: Double) -> Duration? {
        guard let expected = progress.expected ?? progress.estimated, rate > 0, now >= Self.firstEstimate else {
            return nil
        }
        let left = Double(expected - progress.summary.ended) / rate
        return left > 0 && left < 1e7 ? .seconds(max(1, left.rounded())) : nil
    }

    /// Returns the bar with the position and the times.
    ///
    /// The bar uses the remaining width, and is omitted if that is too small.
    private func positionLines(columns: Int, style: Style) -> [String] {
        let phrases = position + times
        let textWidth = columnCount(phrases.map(\.text).joined(separator: separator(style)))
        let width = min(Self.maximumBarWidth, columns - textWidth - 2)
        guard let expected = progress.expected ?? progress.estimated, expected > 0, width >= 8 else {
            return wrapped(phrases, to: columns, style: style)
        }
        let filled = Int(rounding: Double(width) * Double(progress.summary.ended) / Double(expected), .down)
        let (full, empty) = style.isUnicode ? ("━", "─") : ("=", "-")
        let bar = style.paint(String(repeating: full, count: filled), .cyan)
        let rest = style.paint(String(repeating: empty, count: width - filled), .dim)
        return ["\(bar)\(rest)  \(fitted(phrases, to: columns - width - 2, style: style))"]
    }

    /// Joins the phrases to lines; those that do not fit on the last line are left out.
    private func wrapped(_ phrases: [Phrase], to columns: Int, style: Style) -> [String] {
        var lines: [[Phrase]] = [[]]
        var width = 0
        for phrase in phrases {
            let needed = columnCount(phrase.text) + (width > 0 ? columnCount(separator(style)) : 0)
            if width > 0, width + needed > columns, lines.count < Self.maximumRows {
                lines.append([phrase])
                width = columnCount(phrase.text)
            } else {
                lines[lines.count - 1].append(phrase)
                width += needed
            }
        }
        return lines.map { fitted($0, to: columns, style: style) }
    }

    /// Joins as many phrases as fit, from the first one.
    private func fitted(_ phrases: [Phrase], to columns: Int, style: Style) -> String {
        var line = ""
        var width = 0
        for phrase in phrases {
            let lead = line.isEmpty ? "" : separator(style)
            width += columnCount(lead) + columnCount(phrase.text)
            if width > columns { break }
            line += lead + (phrase.color.map { style.paint(phrase.text, $0) } ?? phrase.text)
        }
        return line
    }

    private func separator(_ style: Style) -> String { style.isUnicode ? " · " : ", " }
}
