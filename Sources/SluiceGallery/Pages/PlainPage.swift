// SPDX-License-Identifier: MIT

internal import SluiceModel

/// One of the plain linked pages, which need no script: a chunk's tiles, and the way to the next.
struct PlainPage {
    let number: Int
    let tiles: [Tile]
    let isLast: Bool
    let options: GalleryOptions
    /// The first tile's place in the gallery, from 1.
    let first: Int

    var bytes: [UInt8] {
        Assets.plainPage.filled([
            "title": html { $0.text(title(of: options)) }, "range": range, "figures": figures, "ways": ways,
            "scheme": colorScheme(of: options), "styles": styleLinks(of: options, in: "../"),
        ])
    }

    private var range: HTML {
        html {
            $0.markup("Photos ")
            $0.text(grouped(first))
            $0.markup("–")
            $0.text(grouped(first + tiles.count - 1))
        }
    }

    private var ways: HTML {
        html {
            if number > 0 { way("prev", to: number, "Earlier photos", &$0) }
            $0.markup("<a href=\"../../index.html\">Gallery</a>")
            if !isLast { way("next", to: number + 2, "Further photos", &$0) }
        }
    }

    private func way(_ relation: StaticString, to page: Int, _ words: StaticString, _ html: inout HTML) {
        html.markup("<a rel=\"")
        html.markup(relation)
        html.markup("\" href=\"")
        html.number(page)
        html.markup(".html\">")
        html.markup(words)
        html.markup("</a>")
    }

    /// Headings where neighbours share a collection; where collections alternate, they would be all that one sees.
    private var figures: HTML {
        var sections = 0
        for (place, tile) in tiles.enumerated() where place == 0 || tiles[place - 1].collection != tile.collection {
            sections += 1
        }
        let hasHeadings = sections * 2 <= tiles.count && (sections > 1 || tiles.first?.collection != nil)
        return html {
            for (place, tile) in tiles.enumerated() {
                let begins = place == 0 || tiles[place - 1].collection != tile.collection
                if place == 0 || (hasHeadings && begins) { heading(tile, hasHeadings, isFirst: place == 0, &$0) }
                PlainFigure(tile: tile, goesOn: options.goesOn).append(to: &$0)
            }
            $0.markup("</div>")
        }
    }

    private func heading(_ tile: Tile, _ hasHeadings: Bool, isFirst: Bool, _ html: inout HTML) {
        if !isFirst { html.markup("</div>\n") }
        if hasHeadings {
            html.markup("<h2><bdi>")
            html.text(tile.collection ?? "Other photos")
            html.markup("</bdi></h2>\n")
        }
        html.markup("<div class=\"plain\">\n")
    }
}
