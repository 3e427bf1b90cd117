// SPDX-License-Identifier: MIT

internal import Sluice

/// What a run is summed up in: one sentence, and some facts below it.
struct Closing {
    let summary: Summary
    let folder: String
    let writesGallery: Bool
    var errand = Errand.mirror
    /// What the run may take for what is in flight, in bytes.
    var memory = 0
    /// How many photos the run was to have, if it was stopped and that is known.
    var expected: Int?

    /// The sentence first; each further line is one fact.
    func lines(style: Style) -> [String] {
        [sentence(style: style)] + facts(style: style).map { "  \($0)" }
    }

    private func sentence(style: Style) -> String {
        let time = timeText(summary.duration)
        if let stop = summary.stop {
            // Another run would meet the same damage.
            let advice = if case .damaged = stop { "" } else { "; run again to continue" }
            return "\(style.paint("stopped:", .yellow)) \(ends)\(left)\(advice)"
        }
        if summary.ended == 0 {
            return summary.failedPages > 0 ? "no photo could be had, since no page could" : errand.nothingListed
        }
        if summary.kept == summary.ended, summary.failedPages == 0 {
            let all = summary.kept == 1 ? "the one photo was" : "all \(summary.kept) photos were"
            return "\(errand.nothingToDo): \(all) there already (\(time))"
        }
        return "\(counted(summary.ended, "photo")): \(ends), in \(time)"
    }

    /// `88 done, 2 failed`.
    private var ends: String {
        let counts = [
            (summary.done, "done"), (summary.kept, "kept"), (summary.skipped - summary.interrupted, "skipped"),
            (summary.failed, "failed"),
        ]
        let words = counts.filter { $0.0 > 0 }.map { "\($0.0) \($0.1)" }
        return words.isEmpty ? "nothing done" : words.joined(separator: ", ")
    }

    private var left: String {
        let left = (expected ?? 0) - (summary.ended - summary.interrupted)
        return left > 0 ? ", \(left) left" : ""
    }

    private func facts(style: Style) -> [String] {
        var facts: [String] = []
        if summary.done > 0 { facts.append(speed) }
        if summary.done > 0, summary.peakMemory > 0 {
            facts.append("\(byteText(summary.peakMemory)) of memory at most (--memory \(memory >> 20)M)")
        }
        if summary.bytesSaved > 0 { facts.append("\(byteText(summary.bytesSaved)) not fetched: not wanted") }
        if summary.thumbs > 0 {
            facts.append("\(counted(summary.thumbs, "thumbnail")), \(byteText(summary.thumbBytes))")
        }
        if summary.salvaged > 0 {
            let files = counted(summary.salvaged, "damaged file")
            facts.append("\(style.paint("salvaged:", .yellow)) what there is of \(files)")
        }
        if summary.notes > 0 {
            facts.append("\(counted(summary.notes, "note")) of what is odd but harmless: --json tells them")
        }
        if !causes.isEmpty { facts.append("\(style.paint("causes:", .red)) \(causes)") }
        if summary.causes[.internal] != nil { facts.append("internal is a fault of Sluice's own: please report it") }
        // Trouble may have kept the gallery from being written.
        if writesGallery, summary.ended > 0, summary.stop?.isTrouble != true {
            facts.append("gallery: \(galleryPath(in: folder))")
        }
        return facts
    }

    /// `11.9 MB downloaded, 12.2 photos/s, 1.6 MB/s`.
    private var speed: String {
        let time = seconds(summary.duration)
        let bytes = errand.isRemote ? "\(byteText(summary.bytesReceived)) downloaded" : counted(summary.done, "photo")
        guard time > 0.001 else { return bytes }
        guard errand.isRemote else { return "\(decimal(Double(summary.done) / time)) photos/s" }
        let rate = byteText(Int(min(Double(summary.bytesReceived) / time, 1e15)))
        return "\(bytes), \(decimal(Double(summary.done) / time)) photos/s, \(rate)/s"
    }

    /// `3 http-404, 1 truncated`: the most frequent first.
    private var causes: String {
        let causes = summary.causes.filter { $0.key != .cancelled || summary.interrupted == 0 }
        let sorted = causes.sorted { ($1.value, $0.key.name) < ($0.value, $1.key.name) }
        return sorted.map { "\($0.value) \($0.key.name)" }.joined(separator: ", ")
    }
}

extension Summary {
    /// Items that the stop itself ended: they are neither done nor left out, but left.
    var interrupted: Int { stop == nil ? 0 : min(skipped, causes[.cancelled] ?? 0) }
}
