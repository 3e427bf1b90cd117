// SPDX-License-Identifier: MIT

internal import SluiceModel

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
        PlainFigures(tiles: tiles.filter { $0.state != .rejected }, root: "../../", isResumable: options.isResumable)
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

/// Links to the style sheets that follow the gallery's own: dark colours if the theme has them, and the user's.
///
/// The dark colours apply to screens only; printed pages are always light.
func styleLinks(of options: GalleryOptions, in folder: StaticString) -> HTML {
    html { html in
        func sheet(_ name: StaticString, _ media: StaticString?) {
            html.markup("<link rel=\"stylesheet\" href=\"")
            html.markup(folder)
            html.markup(name)
            html.markup("\"")
            html.attribute("media", media?.description)
            html.markup(">")
        }
        switch options.theme {
        case .auto: sheet("dark.css", "screen and (prefers-color-scheme: dark)")
        case .dark: sheet("dark.css", "screen")
        case .light: break
        }
        if options.style != nil { sheet("user.css", nil) }
    }
}

/// The colour scheme of the browser's own controls, such as scroll bars.
func colorScheme(of options: GalleryOptions) -> HTML {
    html { $0.text(options.theme == .auto ? "light dark" : options.theme.rawValue) }
}
