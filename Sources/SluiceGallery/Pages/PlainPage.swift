// SPDX-License-Identifier: MIT

/// A page that needs no script: the photos of one chunk, with links to the previous and next page.
struct PlainPage {
    let number: Int
    let tiles: [Tile]
    let isLast: Bool
    let options: GalleryOptions
    /// The 1-based position of the first tile in the gallery.
    let first: Int

    var bytes: [UInt8] {
        Assets.plainPage.filled([
            "title": html { $0.text(title(of: options)) }, "range": range, "figures": figures.html, "ways": navigation,
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

    private var figures: PlainFigures {
        PlainFigures(tiles: tiles, root: "../../", isResumable: options.isResumable)
    }

    private var navigation: HTML {
        html {
            if number > 0 { link("prev", to: number, "Previous photos", &$0) }
            $0.markup("<a href=\"../../index.html\">Gallery</a>")
            if !isLast { link("next", to: number + 2, "Next photos", &$0) }
        }
    }

    private func link(_ relation: StaticString, to page: Int, _ text: StaticString, _ html: inout HTML) {
        html.markup("<a rel=\"")
        html.markup(relation)
        html.markup("\" href=\"")
        html.number(page)
        html.markup(".html\">")
        html.markup(text)
        html.markup("</a>")
    }
}
