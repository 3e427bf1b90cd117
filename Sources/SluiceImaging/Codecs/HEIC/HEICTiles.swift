// SPDX-License-Identifier: MIT

/// The tiles that make up a picture of a HEIC, or its transparency; a picture that is not a grid is its only tile.
struct HEICTiles {
    struct Tile {
        let item: Int
        /// The place of the item's configuration in the file.
        let configuration: Range<Int>
    }

    private(set) var tiles: [Tile] = []
    private(set) var columns = 1
    /// The size of each tile.
    private(set) var tileWidth = 0
    private(set) var tileHeight = 0
    /// The configuration of the first tile, which the others resemble.
    let configuration: HEVCConfiguration

    /// Finds the tiles of an item that fills a picture of a size, and checks them against that size.
    init(
        of item: Int, width: Int, height: Int, in items: HEIFItems, _ window: inout ByteWindow
    ) throws(ImagingError) {
        var parts = [item]
        if items.items[item]?.type == "grid" {
            parts = items.targets(of: "dimg", from: item)
            let grid = try Grid(item, in: items, &window)
            guard grid.columns * grid.rows == parts.count, grid.width == width, grid.height == height else {
                throw ImagingError(.corrupt, "HEIC grid of \(parts.count) tiles")
            }
            columns = grid.columns
        }
        try items.checkEssentials(of: item, known: Self.properties)
        var checked: HEVCConfiguration?
        for part in parts {
            try items.checkEssentials(of: part, known: Self.properties)
            guard items.items[part]?.type == "hvc1" else { throw ImagingError(.unsupported, "HEIC without HEVC") }
            guard let range = items.property("hvcC", of: part), let size = items.property("ispe", of: part) else {
                throw ImagingError(.corrupt, "HEIC without its configuration")
            }
            var fields = BoxFields(size.dropFirst(min(4, size.count)))
            let side = (try fields.number(4, in: &window), try fields.number(4, in: &window))
            if tiles.isEmpty { (tileWidth, tileHeight) = side }
            guard side == (tileWidth, tileHeight) else { throw ImagingError(.corrupt, "HEIC tiles of several sizes") }
            if tiles.last?.configuration != range {
                let found = try HEVCConfiguration(range, &window)
                try Self.check(found, checked ?? found, tileWidth, tileHeight)
                checked = checked ?? found
            }
            tiles.append(Tile(item: part, configuration: range))
        }
        guard let checked else { throw ImagingError(.corrupt, "HEIC without a picture") }
        configuration = checked
        try checkCoverage(width, height)
    }

    /// Checks that a tile's coded picture is as large as declared, and has the samples of the first one.
    private static func check(
        _ found: HEVCConfiguration, _ first: HEVCConfiguration, _ width: Int, _ height: Int
    ) throws(ImagingError) {
        guard found.width <= width + maxPadding, found.height <= height + maxPadding else {
            throw ImagingError(.corrupt, "HEVC picture of \(found.width)x\(found.height) in \(width)x\(height)")
        }
        guard found.depth == first.depth, found.chroma == first.chroma else {
            throw ImagingError(.unsupported, "HEIC tiles with several kinds of samples")
        }
    }

    /// The properties that the decoder applies, or may ignore.
    private static let properties: Set = [
        "hvcC", "ispe", "pixi", "colr", "clap", "irot", "imir", "auxC", "pasp", "clli", "mdcv", "cclv",
    ]

    /// A coded picture is up to a block larger than the picture.
    private static let maxPadding = 64

    /// Checks that the tiles cover the picture, and that each of them is needed.
    private func checkCoverage(_ width: Int, _ height: Int) throws(ImagingError) {
        let rows = tiles.count / columns
        guard tileWidth > 0, tileHeight > 0, tileWidth <= 1 << 20, tileHeight <= 1 << 20,
            tileWidth * columns >= width, tileHeight * rows >= height,
            tileWidth * (columns - 1) < width, tileHeight * (rows - 1) < height
        else { throw ImagingError(.corrupt, "HEIC tiles of \(tileWidth)x\(tileHeight) for \(width)x\(height)") }
    }
}

/// The numbers of a grid item.
private struct Grid {
    let columns: Int
    let rows: Int
    let width: Int
    let height: Int

    init(_ item: Int, in items: HEIFItems, _ window: inout ByteWindow) throws(ImagingError) {
        guard let range = items.items[item]?.extents.first, range.count <= 12 else {
            throw ImagingError(.corrupt, "HEIC grid without its size")
        }
        var fields = BoxFields(range)
        _ = try fields.number(1, in: &window)
        let hasLongNumbers = try fields.number(1, in: &window) & 1 == 1
        rows = try fields.number(1, in: &window) + 1
        columns = try fields.number(1, in: &window) + 1
        width = try fields.number(hasLongNumbers ? 4 : 2, in: &window)
        height = try fields.number(hasLongNumbers ? 4 : 2, in: &window)
    }
}
