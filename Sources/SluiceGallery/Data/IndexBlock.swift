// SPDX-License-Identifier: MIT

internal import SluiceModel

/// One block of the index, with the properties of ten thousand entries that layout, filters and sorting need.
///
/// Each property is a string with a fixed number of characters per entry: eight bytes in total, and five more if the
/// feed has dates, and one if the user has rated photos. The page can therefore load the whole index of a million
/// entries before it loads their data.
struct IndexBlock {
    let number: Int
    private(set) var count = 0
    private var aspects: [UInt8] = []
    private var states: [UInt8] = []
    private var hues: [UInt8] = []
    private var formats: [UInt8] = []
    private var sizes: [UInt8] = []
    private var dates: [UInt8] = []
    private var hasDates = false
    /// The stars of each entry: a digit from 0 to 5.
    private var ratings: [UInt8] = []
    private var hasRatings = false
    /// The positions at which the sequence numbers are not consecutive.
    private var seqs: [(position: Int, seq: Int)] = []
    /// The positions at which a collection starts.
    private var sections: [(position: Int, name: String?)] = []
    /// The failed entries by cause, in the order of each cause's first entry.
    private var failures: [(failure: TileFailure, positions: [UInt8])] = []
    private var lastSeq: Int?
    private var collection: String??

    init(number: Int) {
        self.number = number
    }

    /// Creates the block that follows `block`.
    ///
    /// A section that continues is not listed again.
    init(number: Int, continuing block: IndexBlock) {
        self.number = number
        self.collection = block.collection
    }

    mutating func add(_ tile: Tile) {
        if lastSeq.map({ $0 &+ 1 != tile.seq }) ?? true { seqs.append((count, tile.seq)) }
        if collection != .some(tile.collection) { sections.append((count, tile.collection)) }
        if let failure = tile.failure { add(failure) }
        lastSeq = tile.seq
        collection = .some(tile.collection)
        aspects += digits(tile.size?.widthShare ?? 2457, 2)
        states += tile.state.rawValue.utf8.prefix(1)
        hues.append(tile.color.map { Hue($0).letter } ?? UInt8(ascii: "-"))
        formats.append(letter(tile.original == nil ? nil : tile.receipt?.format))
        sizes += digits(min((tile.original?.bytes ?? 0) / 1024, 1 << 18 - 1), 3)
        dates += digits(minutes(tile.photo.date), 5)
        hasDates = hasDates || tile.photo.date != nil
        let rating = max(0, tile.photo.rating ?? 0)
        ratings += digits(52 + rating, 1)
        hasRatings = hasRatings || rating > 0
        count += 1
    }

    private mutating func add(_ failure: TileFailure) {
        let index = failures.firstIndex { $0.failure == failure } ?? failures.count
        if index == failures.count { failures.append((failure, [])) }
        failures[index].positions += digits(count, 3)
    }

    var bytes: [UInt8] {
        var writer = JSONWriter()
        writer.object { block in
            block.member("count", count)
            block.member("aspects", String(decoding: aspects, as: UTF8.self))
            block.member("states", String(decoding: states, as: UTF8.self))
            block.member("hues", String(decoding: hues, as: UTF8.self))
            block.member("formats", String(decoding: formats, as: UTF8.self))
            block.member("sizes", String(decoding: sizes, as: UTF8.self))
            if hasDates { block.member("dates", String(decoding: dates, as: UTF8.self)) }
            if hasRatings { block.member("ratings", String(decoding: ratings, as: UTF8.self)) }
            block.array("seqs") { list in seqs.forEach { run in list.array { pair(run.position, run.seq, &$0) } } }
            block.array("sections") { list in
                for section in sections {
                    list.array { pair in
                        pair.value(section.position)
                        if let name = section.name { pair.value(name) }
                    }
                }
            }
            guard !failures.isEmpty else { return }
            block.array("failures") { list in
                for (failure, positions) in failures {
                    list.object { object in
                        object.member("cause", failure.cause.name)
                        object.member("meaning", failure.cause.meaning)
                        object.member("remedy", failure.remedy)
                        object.member("at", String(decoding: positions, as: UTF8.self))
                    }
                }
            }
        }
        return Array("sluice.index(\(number),".utf8) + writer.bytes + ");\n".utf8
    }

    private func pair(_ first: Int, _ second: Int, _ writer: inout JSONWriter) {
        writer.value(first)
        writer.value(second)
    }

    /// The minutes since the year 1000, clamped to what five digits can hold; 0 without a date.
    private func minutes(_ date: Int?) -> Int {
        guard let date else { return 0 }
        return min(max(1, date / 60 + 354_285 * 1440), 1 << 30 - 1)
    }

    /// The number in base 64, most significant digit first.
    private func digits(_ number: Int, _ count: Int) -> [UInt8] {
        (0..<count).reversed().map { Self.alphabet[max(0, number) >> (6 * $0) & 63] }
    }

    private static let alphabet = Array("ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789-_".utf8)

    private func letter(_ format: String?) -> UInt8 {
        guard let format else { return UInt8(ascii: "-") }
        return UInt8(ascii: StoredFormat(named: format)?.indexLetter ?? StoredFormat.otherLetter)
    }
}
