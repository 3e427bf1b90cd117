// SPDX-License-Identifier: MIT

/// What was counted of a gallery's entries, for its front page.
struct Tally {
    var items = 0
    var done = 0
    var skipped = 0
    var failed = 0
    /// Stretches of neighbours that stand in one collection.
    var sections = 0
    var chunks = 0
    var blocks = 0
    private var collection: String?

    /// The place of the current chunk's first entry, from 1.
    var firstOfChunk: Int { chunks * GalleryWriter.chunkLength + 1 }
    /// Entries that have no end yet.
    var pending: Int { items - done - skipped - failed }

    mutating func count(_ tile: Tile) {
        if items == 0 || tile.collection != collection { sections += 1 }
        collection = tile.collection
        items += 1
        switch tile.state {
        case .done: done += 1
        case .skipped: skipped += 1
        case .failed: failed += 1
        case .pending: break
        }
    }

    /// `90 photos · 2 failed · 1 skipped`.
    func words(isRunning: Bool, expected: Int?) -> String {
        var words: [String] = []
        if isRunning, let expected, expected > done {
            words.append("\(grouped(done)) of \(grouped(expected)) photos so far")
        } else {
            words.append(done == 1 ? "1 photo" : "\(grouped(done)) photos")
        }
        if failed > 0 { words.append("\(grouped(failed)) failed") }
        if skipped > 0 { words.append("\(grouped(skipped)) skipped") }
        if pending > 0 { words.append("\(grouped(pending)) to come") }
        return words.joined(separator: " · ")
    }
}

/// A count with a thin space between its thousands, as a reader of any language takes it.
func grouped(_ number: Int) -> String {
    var text = ""
    let digits = String(number)
    for (place, digit) in digits.enumerated() {
        if place > 0, (digits.count - place) % 3 == 0 { text += "\u{202F}" }
        text.append(digit)
    }
    return text
}
