// SPDX-License-Identifier: MIT

internal import SluiceModel

/// The figures of consecutive photos, with a heading for each collection.
///
/// If collections alternate too often, there are no headings.
struct PlainFigures {
    let tiles: [Tile]
    /// The path from the page to the mirror's folder: empty or with a slash at its end.
    let root: String
    /// Whether `sluice mirror` can resume the mirror.
    let isResumable: Bool

    var html: HTML {
        let sections = tiles.indices.count(where: isNewSection)
        let hasHeadings = sections * 2 <= tiles.count && (sections > 1 || tiles.first?.collection != nil)
        var html = HTML()
        for (index, tile) in tiles.enumerated() {
            if index == 0 || (hasHeadings && isNewSection(at: index)) {
                if index > 0 { html.markup("</div>\n") }
                if hasHeadings { heading(tile, &html) }
                html.markup("<div class=\"plain\">\n")
            }
            PlainFigure(tile: tile, root: root, isResumable: isResumable).append(to: &html)
        }
        html.markup("</div>")
        return html
    }

    private func isNewSection(at index: Int) -> Bool {
        index == 0 || tiles[index - 1].collection !== tiles[index].collection
    }

    private func heading(_ tile: Tile, _ html: inout HTML) {
        html.markup("<h2><bdi>")
        html.text(tile.collection ?? "Other photos")
        html.markup("</bdi></h2>\n")
    }
}
