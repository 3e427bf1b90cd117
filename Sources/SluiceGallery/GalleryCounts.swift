// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The numbers of a gallery's entries, for its front page.
struct GalleryCounts {
    var items = 0
    var done = 0
    var skipped = 0
    var failed = 0
    var rejected = 0
    /// Runs of consecutive entries from the same collection.
    var sections = 0
    var chunks = 0
    var blocks = 0
    /// The columns of the table that have no value for any entry.
    private(set) var emptyColumns = TableColumn.allCases
    private var collection: String?

    /// The 1-based position of the current chunk's first entry.
    var firstOfChunk: Int { chunks * GalleryWriter.chunkLength + 1 }
    var pending: Int { items - done - skipped - failed - rejected }

    mutating func add(_ tile: Tile) {
        if items == 0 || tile.collection !== collection { sections += 1 }
        collection = tile.collection
        items += 1
        emptyColumns.removeAll { $0.hasValue(for: tile) }
        switch tile.state {
        case .done: done += 1
        case .skipped: skipped += 1
        case .failed: failed += 1
        case .rejected: rejected += 1
        case .pending: break
        }
    }

    /// `90 photos · 2 failed · 1 skipped`, with links to the photos that are not done.
    func html(isRunning: Bool, expected: Int?) -> HTML {
        var html = HTML()
        if isRunning, let expected, expected > done {
            html.text("\(grouped(done)) of \(grouped(expected)) photos so far")
        } else {
            html.text(done == 1 ? "1 photo" : "\(grouped(done)) photos")
        }
        for (count, state) in [
            (failed, Tile.State.failed), (skipped, .skipped), (pending, .pending), (rejected, .rejected),
        ] where count > 0 {
            html.text(" · ")
            html.markup("<a")
            html.attribute("href", "#/?state=\(state.rawValue)")
            html.markup(">")
            html.text("\(grouped(count)) \(state.rawValue)")
            html.markup("</a>")
        }
        return html
    }
}

/// The progress of a run, which an open page of a served gallery shows.
package struct GalleryProgress: Sendable, Hashable {
    /// The file with the text of a run in progress, relative to the mirror.
    package static let file = ".sluice/progress"
    /// The file that asks the run to stop.
    package static let stopFile = ".sluice/stop"

    /// The photos that are done, including those of earlier runs.
    package var done = 0
    package var failed = 0
    package var skipped = 0
    /// The bytes of the originals that this run stored.
    package var bytes = 0
    /// The number of photos that the feed states.
    package var expected: Int?

    package init() {}

    /// For example `63 of 300 photos · 2 failed · 12.6 photos/s · 614 kB/s · 19 s left`, with speeds since an earlier
    /// state.
    package func text(since earlier: GalleryProgress, over time: Duration) -> String {
        let ended = done + failed + skipped
        let seconds = max(0.001, time.inSeconds)
        let photoRate = Double(ended - earlier.done - earlier.failed - earlier.skipped) / seconds
        let byteRate = Double(bytes - earlier.bytes) / seconds
        var parts = [expected.map { "\(grouped(ended)) of \(grouped($0)) photos" } ?? "\(grouped(ended)) photos"]
        if failed > 0 { parts.append("\(grouped(failed)) failed") }
        if photoRate > 0 { parts.append("\(NumberFormat.decimal(photoRate)) photos/s") }
        if byteRate > 0 { parts.append("\(NumberFormat.bytes(byteRate))/s") }
        if photoRate > 0, let expected, expected > ended {
            parts.append("\(NumberFormat.time((Double(expected - ended) / photoRate).rounded(.up))) left")
        }
        return parts.joined(separator: " · ")
    }
}

/// Formats a count with a narrow no-break space between groups of three digits, which suits all languages.
func grouped(_ number: Int) -> String {
    var text = ""
    let digits = String(number)
    for (index, digit) in digits.enumerated() {
        if index > 0, (digits.count - index) % 3 == 0 { text += "\u{202F}" }
        text.append(digit)
    }
    return text
}
