// SPDX-License-Identifier: MIT

package import SluiceFiles
package import SluiceModel
package import SluiceStore

/// Writes a mirror's gallery: static files that open from disk, without a server or network.
///
/// Entries are added one at a time, in the feed's order. Memory holds one chunk of entries and one block of the index,
/// regardless of the mirror's size. The same entries give the same bytes, and unchanged files are not rewritten.
/// `index.html` is written last, so that it never refers to chunks that do not exist yet.
package struct GalleryWriter {
    /// The number of entries in a data chunk and on a plain page.
    package static let chunkLength = 200
    /// The number of entries in a block of the index.
    package static let blockLength = 10_000

    /// The gallery's folders, relative to the mirror.
    package static let folders = GalleryFiles.folders
    /// The script that marks photos; only a server that accepts marks has it.
    package static let editScript = Assets.editScript
    /// The page that the user opens.
    package static let frontPage = "index.html"

    private let options: GalleryOptions
    private let files: GalleryFiles
    private var counts = GalleryCounts()
    private var tiles: [Tile] = []
    private var first: [Tile] = []
    private var block = IndexBlock(number: 0)
    private var text = TextBlock(number: 0)
    private var hashes = HashBlock(number: 0)

    /// Starts a gallery in a mirror's store.
    ///
    /// Files of an earlier gallery remain until they are replaced.
    package init(into store: any Store, options: GalleryOptions) {
        self.options = options
        self.files = GalleryFiles(in: store, flushed: options.flushed)
        tiles.reserveCapacity(Self.chunkLength)
    }

    package mutating func add(_ entry: LedgerEntry) throws(FileError) {
        // A full chunk is written when the next entry arrives, because its page links to the next page.
        if tiles.count == Self.chunkLength { try writeChunk(isLast: false) }
        if block.count == Self.blockLength { try writeBlock() }
        let tile = Tile(entry, originals: options.originals)
        counts.add(tile)
        block.add(tile)
        text.add(tile)
        hashes.add(tile)
        tiles.append(tile)
        if first.count < FrontPage.firstLength, tile.state != .rejected { first.append(tile) }
    }

    /// Writes the remaining files, and removes the extra files of an earlier, larger gallery.
    @discardableResult
    package consuming func finish() throws(FileError) -> GalleryChange {
        if !tiles.isEmpty { try writeChunk(isLast: true) }
        if block.count > 0 { try writeBlock() }
        try files.update(Assets.style, at: "gallery/style.css")
        try files.update(Assets.script, at: "gallery/gallery.js")
        try files.update(Assets.detailScript, at: "gallery/detail.js")
        try files.update(Assets.zipScript, at: "gallery/zip.js")
        try files.update(Assets.world, at: "gallery/world.png")
        try files.update(options.theme == .light ? nil : Assets.dark, at: "gallery/dark.css")
        try files.update(options.style, at: "gallery/user.css")
        try files.removeFiles(from: counts.chunks) { GalleryFiles.chunk($0) }
        try files.removeFiles(from: counts.chunks) { GalleryFiles.page($0) }
        try files.removeFiles(from: counts.blocks) { GalleryFiles.block($0) }
        try files.removeFiles(from: counts.blocks) { GalleryFiles.text($0) }
        try files.removeFiles(from: counts.blocks) { GalleryFiles.hashes($0) }
        try files.commit()
        try files.update(FrontPage(options: options, counts: counts, first: first).bytes, at: Self.frontPage)
        try files.commit()
        return files.change
    }

    private mutating func writeChunk(isLast: Bool) throws(FileError) {
        let number = counts.chunks
        try files.update(DataChunk(number: number, tiles: tiles).bytes, at: GalleryFiles.chunk(number))
        let page = PlainPage(number: number, tiles: tiles, isLast: isLast, options: options, first: counts.firstOfChunk)
        try files.update(page.bytes, at: GalleryFiles.page(number))
        counts.chunks += 1
        tiles.removeAll(keepingCapacity: true)
    }

    private mutating func writeBlock() throws(FileError) {
        try files.update(block.bytes, at: GalleryFiles.block(block.number))
        try files.update(text.bytes, at: GalleryFiles.text(text.number))
        try files.update(hashes.bytes, at: GalleryFiles.hashes(hashes.number))
        counts.blocks += 1
        block = IndexBlock(number: counts.blocks, continuing: block)
        text = TextBlock(number: counts.blocks)
        hashes = HashBlock(number: counts.blocks)
    }
}

/// The numbers of files that writing a gallery changed.
package struct GalleryChange: Sendable, Hashable {
    /// Files that were new or had changed.
    package var written = 0
    /// Files that were up to date.
    package var kept = 0
    /// Files of an earlier gallery that were removed.
    package var removed = 0

    package init() {}
}
