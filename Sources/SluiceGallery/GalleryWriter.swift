// SPDX-License-Identifier: MIT

public import SluiceFiles
public import SluiceModel

/// Writes a mirror's gallery: static files that open by double-click and need no server and no network.
///
/// Entries are given one by one in the feed's order; what is held in memory is one chunk of them and one block of the
/// index, however long the mirror is. The same entries give the same bytes, and a file that already holds its bytes is
/// not touched. `index.html` comes last, so that a gallery never speaks of chunks that are not there yet.
public struct GalleryWriter {
    /// How many entries one data chunk, and one plain page, holds.
    public static let chunkLength = 200
    /// How many entries one block of the index holds.
    public static let blockLength = 10_000

    /// The gallery's own folders below the mirror's.
    public static let folders = GalleryFiles.folders
    /// What is opened to see the gallery.
    public static let frontPage = "index.html"

    private let options: GalleryOptions
    private let files: GalleryFiles
    private var tally = Tally()
    private var tiles: [Tile] = []
    private var block = IndexBlock(number: 0)
    private var text = TextBlock(number: 0)

    /// Begins a gallery in a mirror's folder; what an earlier one left there stays until it is replaced.
    public init(into folder: Folder, options: GalleryOptions) throws(FileError) {
        self.options = options
        self.files = try GalleryFiles(in: folder, flushed: options.flushed)
        tiles.reserveCapacity(Self.chunkLength)
    }

    /// Adds the next entry.
    public mutating func add(_ entry: Entry) throws(FileError) {
        // A full chunk waits for the entry behind it: only then is it known that its page has a next one.
        if tiles.count == Self.chunkLength { try writeChunk(isLast: false) }
        if block.count == Self.blockLength { try writeBlock() }
        let tile = Tile(entry)
        tally.count(tile)
        block.add(tile)
        text.add(tile)
        tiles.append(tile)
    }

    /// Writes what is left, and removes the chunks of a longer gallery that stood here before.
    @discardableResult
    public consuming func finish() throws(FileError) -> GalleryChange {
        if !tiles.isEmpty { try writeChunk(isLast: true) }
        if block.count > 0 { try writeBlock() }
        try files.update(Assets.style, at: "gallery/style.css")
        try files.update(Assets.script, at: "gallery/gallery.js")
        try files.update(options.theme == .light ? nil : Assets.dark, at: "gallery/dark.css")
        try files.update(options.style, at: "gallery/user.css")
        try files.removeBehind(tally.chunks) { GalleryFiles.chunk($0) }
        try files.removeBehind(tally.chunks) { GalleryFiles.page($0) }
        try files.removeBehind(tally.blocks) { GalleryFiles.block($0) }
        try files.removeBehind(tally.blocks) { GalleryFiles.text($0) }
        try files.flushRemovals()
        try files.place()
        try files.update(FrontPage(options: options, tally: tally).bytes, at: Self.frontPage)
        try files.place()
        return files.change
    }

    private mutating func writeChunk(isLast: Bool) throws(FileError) {
        let number = tally.chunks
        try files.update(DataChunk(number: number, tiles: tiles).bytes, at: GalleryFiles.chunk(number))
        let page = PlainPage(number: number, tiles: tiles, isLast: isLast, options: options, first: tally.firstOfChunk)
        try files.update(page.bytes, at: GalleryFiles.page(number))
        tally.chunks += 1
        tiles.removeAll(keepingCapacity: true)
    }

    private mutating func writeBlock() throws(FileError) {
        try files.update(block.bytes, at: GalleryFiles.block(block.number))
        try files.update(text.bytes, at: GalleryFiles.text(text.number))
        tally.blocks += 1
        block = IndexBlock(number: tally.blocks, continuing: block)
        text = TextBlock(number: tally.blocks)
    }
}

/// What the writing of a gallery did to the disk.
public struct GalleryChange: Sendable, Hashable {
    /// Files that were new or had other bytes.
    public var written = 0
    /// Files that already held their bytes.
    public var kept = 0
    /// Leftovers of an earlier, longer gallery.
    public var removed = 0

    /// Makes the change of a gallery that did nothing yet.
    public init() {}
}
