// SPDX-License-Identifier: MIT

internal import Sluice
internal import SluiceModel

/// The final summary of a run: one sentence, followed by details.
struct SummaryText {
    let summary: Summary
    let folder: String
    let writesGallery: Bool
    var purpose = RunPurpose.mirror
    /// The memory limit of the run in bytes.
    var memory = 0
    /// The expected number of photos, if it is known.
    var expected: Int?
    var forecast: Forecast?
    var isDryRun = false

    /// Returns the sentence, then one line per detail; nothing after an unreadable feed, whose error says it all.
    func lines(style: Style) -> [String] {
        let isUnreadable = summary.ended == 0 && summary.failedPages > 0 && summary.stop == nil
        if isDryRun, !isUnreadable {
            let failed = summary.failed > 0 ? ["\(summary.failed) failed"] : []
            let counts = [counted(summary.ended, "photo") + " listed"] + purpose.work(of: summary) + failed
            return ["dry run: \(counts.joined(separator: ", "))"]
        }
        return isUnreadable ? [] : [sentence(style: style)] + details(style: style).map { "  \($0)" }
    }

    private func sentence(style: Style) -> String {
        let time = timeText(summary.duration)
        if let stop = summary.stop {
            let advice = stop.isLasting ? "" : "; run again to continue"
            return "\(style.paint("stopped:", .yellow)) \(results)\(remaining)\(advice)"
        }
        if summary.ended == 0 { return purpose.nothingListed }
        if summary.kept == summary.ended, summary.failedPages == 0 {
            let all = summary.kept == 1 ? "the only photo was" : "all \(summary.kept) photos were"
            return "\(purpose.nothingToDo): \(all) already done (\(time))"
        }
        return "\(counted(summary.ended, "photo")): \(results), in \(time)"
    }

    /// For example `88 done, 2 failed`.
    private var results: String {
        let counts = [
            (summary.done, "done"), (summary.kept, "kept"), (summary.skipped - summary.interrupted, "skipped"),
            (summary.failed, "failed"),
        ]
        let results = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return results.isEmpty ? "nothing done" : results.joined(separator: ", ")
    }

    private var remaining: String {
        let remaining = (expected ?? 0) - (summary.ended - summary.interrupted)
        return remaining > 0 ? ", \(remaining) remaining" : ""
    }

    /// The details with aligned labels.
    private func details(style: Style) -> [String] {
        var details: [(label: String, text: String)] = []
        if summary.done > 0, let speed { details.append((purpose.downloads ? "downloaded" : "speed", speed)) }
        if let forecast { details.append(("forecast", comparison(with: forecast))) }
        if purpose.downloads, summary.reused > 0 { details.append(("reused", counted(summary.reused, "original"))) }
        if summary.thumbs > 0 { details.append(("thumbnails", "\(summary.thumbs), \(byteText(summary.thumbBytes))")) }
        if summary.bytesSaved > 0 {
            details.append(("saved", "\(byteText(summary.bytesSaved)) by skipping photos early"))
        }
        if summary.partial > 0 {
            let photos = counted(summary.partial, "photo")
            details.append(("saved", "\(byteText(summary.bytesUnneeded)) by stopping downloads of \(photos) early"))
            if let previews = summary.parts[.preview] {
                let photos = counted(previews.items, "photo")
                let bytes = byteText(previews.bytesUnneeded)
                details.append(("previews", "\(bytes) of that, from the metadata of \(photos)"))
            }
        }
        if summary.done > 0, summary.peakMemory > 0 {
            details.append(("memory", "\(byteText(summary.peakMemory)) at most (--memory \(memory >> 20)M)"))
        }
        if summary.incomplete > 0 {
            details.append(("incomplete", "\(counted(summary.incomplete, "photo")) without the end of the file"))
        }
        if summary.copies > 0 {
            details.append(("copies", "\(counted(summary.copies, "photo")) left out as copies of others"))
        }
        let salvaged = summary.salvaged - summary.incomplete
        if salvaged > 0 { details.append(("salvaged", "the readable part of \(counted(salvaged, "damaged file"))")) }
        if summary.undecodable > 0 {
            let large = summary.overLimit > 0 ? "\(summary.overLimit) over a limit" : nil
            let reasons = [summary.unsupportedText, large].compactMap(\.self).joined(separator: ", ")
            let text = "\(summary.undecodable) without a thumbnail"
            details.append(("originals", reasons.isEmpty ? text : "\(text) (\(reasons))"))
        }
        if summary.notes > 0 {
            details.append(("notes", "\(summary.notes) about photos that are done; use --json to list them"))
        }
        if !causes.isEmpty { details.append(("causes", causes)) }
        if summary.failed > 0, summary.stop?.isTrouble != true {
            details.append(("explain", "sluice explain \(shellQuoted(folder)) says how to recover them"))
        }
        if summary.causes[.internal] != nil {
            details.append(("internal", "this cause is a bug in Sluice; please report it"))
        }
        // After a local problem or damage there may be no gallery.
        if writesGallery, summary.ended > 0, summary.stop?.isTrouble != true {
            details.append(("gallery", galleryPath(in: folder)))
        }
        let width = details.map(\.label.count).max() ?? 0
        return details.map { detail in
            let gap = String(repeating: " ", count: width - detail.label.count + 2)
            return style.paint(detail.label, color(of: detail.label)) + gap + detail.text
        }
    }

    /// For example `1200 photos, 1.4 GB, 3 min 0 s; was 1187 photos, 1.3 GB, 4 min 2 s`.
    private func comparison(with forecast: Forecast) -> String {
        let kept = summary.kept > 0 ? " (\(summary.kept) kept)" : ""
        let (expected, actual) = (
            counted(forecast.photos, "photo"), counted(summary.ended - summary.interrupted, "photo")
        )
        let time = timeText(.seconds(forecast.time.seconds))
        return "\(expected), \(byteText(Int(rounding: forecast.bytes))), \(time); was \(actual)\(kept), "
            + "\(byteText(summary.bytesReceived)), \(timeText(summary.duration))"
    }

    private func color(of label: String) -> Style.Color {
        switch label {
        case "causes", "internal": .red
        case "salvaged", "incomplete": .yellow
        default: .dim
        }
    }

    /// For example `11.9 MB, 12.2 photos/s, 1.6 MB/s`; `nil` if the run took no time.
    private var speed: String? {
        let time = seconds(summary.duration)
        let photos = time > 0.001 ? ["\(decimal(Double(summary.done) / time)) photos/s"] : []
        guard purpose.downloads else { return photos.first }
        guard summary.bytesReceived > 0, time > 0.001 else {
            return ([byteText(summary.bytesReceived)] + photos).joined(separator: ", ")
        }
        let rate = byteText(Int(rounding: Double(summary.bytesReceived) / time))
        return ([byteText(summary.bytesReceived)] + photos + ["\(rate)/s"]).joined(separator: ", ")
    }

    /// For example `3 http-404, 2 unsupported (2 tiff)`: the most frequent cause first.
    private var causes: String {
        let causes = summary.causes.filter { $0.key != .cancelled || summary.interrupted == 0 }
        let sorted = causes.sorted { ($1.value, $0.key.name) < ($0.value, $1.key.name) }
        return sorted.map { cause, count in
            let formats = cause == .unsupported ? summary.unsupportedText.map { " (\($0))" } : nil
            return "\(count) \(cause.name)\(formats ?? "")"
        }.joined(separator: ", ")
    }
}

extension StopReason {
    /// Whether another run would stop for the same reason, unless the user changes something besides disk space.
    fileprivate var isLasting: Bool {
        switch self {
        case .damaged: true
        case .local(let failure): failure.hint != .freeDiskSpace
        case .signal, .requested, .limit, .failing: false
        }
    }
}

extension Summary {
    /// The number of items that the stop itself cancelled.
    ///
    /// They count as remaining, not as skipped.
    var interrupted: Int { stop == nil ? 0 : min(skipped, causes[.cancelled] ?? 0) }
}
