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

    /// Returns the sentence, then one line per detail.
    func lines(style: Style) -> [String] {
        [sentence(style: style)] + details(style: style).map { "  \($0)" }
    }

    private func sentence(style: Style) -> String {
        let time = timeText(summary.duration)
        if let stop = summary.stop {
            // Another run would find the same damage.
            let advice = if case .damaged = stop { "" } else { "; run again to continue" }
            return "\(style.paint("stopped:", .yellow)) \(results)\(remaining)\(advice)"
        }
        if summary.ended == 0 {
            return summary.failedPages > 0 ? "no photos: the feed returned no pages" : purpose.nothingListed
        }
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

    private func details(style: Style) -> [String] {
        var details: [String] = []
        if summary.done > 0 { details.append(speed) }
        if summary.done > 0, summary.peakMemory > 0 {
            details.append("\(byteText(summary.peakMemory)) peak memory (--memory \(memory >> 20)M)")
        }
        if summary.bytesSaved > 0 { details.append("\(byteText(summary.bytesSaved)) saved by skipping photos early") }
        if summary.thumbs > 0 {
            details.append("\(counted(summary.thumbs, "thumbnail")), \(byteText(summary.thumbBytes))")
        }
        if summary.salvaged > 0 {
            let files = counted(summary.salvaged, "damaged file")
            details.append("\(style.paint("salvaged:", .yellow)) the readable part of \(files)")
        }
        if summary.notes > 0 {
            details.append("\(counted(summary.notes, "note")) about harmless oddities; use --json to list them")
        }
        if !causes.isEmpty { details.append("\(style.paint("causes:", .red)) \(causes)") }
        if summary.causes[.internal] != nil {
            details.append("the cause internal is a bug in Sluice; please report it")
        }
        // After a local problem or damage there may be no gallery.
        if writesGallery, summary.ended > 0, summary.stop?.isTrouble != true {
            details.append("gallery: \(galleryPath(in: folder))")
        }
        return details
    }

    /// For example `11.9 MB downloaded, 12.2 photos/s, 1.6 MB/s`.
    private var speed: String {
        let time = seconds(summary.duration)
        let bytes = purpose.downloads ? "\(byteText(summary.bytesReceived)) downloaded" : counted(summary.done, "photo")
        guard time > 0.001 else { return bytes }
        guard purpose.downloads else { return "\(decimal(Double(summary.done) / time)) photos/s" }
        let rate = byteText(Int(min(Double(summary.bytesReceived) / time, 1e15)))
        return "\(bytes), \(decimal(Double(summary.done) / time)) photos/s, \(rate)/s"
    }

    /// For example `3 http-404, 1 truncated`: the most frequent cause first.
    private var causes: String {
        let causes = summary.causes.filter { $0.key != .cancelled || summary.interrupted == 0 }
        let sorted = causes.sorted { ($1.value, $0.key.name) < ($0.value, $1.key.name) }
        return sorted.map { "\($0.value) \($0.key.name)" }.joined(separator: ", ")
    }
}

extension Summary {
    /// The number of items that the stop itself cancelled.
    ///
    /// They count as remaining, not as skipped.
    var interrupted: Int { stop == nil ? 0 : min(skipped, causes[.cancelled] ?? 0) }
}
