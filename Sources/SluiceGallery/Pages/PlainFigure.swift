// SPDX-License-Identifier: MIT

internal import SluiceModel

/// One photo on a plain page: the picture, or the reason why it is missing, with caption and credit.
struct PlainFigure {
    let tile: Tile
    /// The path from the page to the mirror's folder: empty or with a slash at its end.
    let root: String
    /// Whether `sluice mirror` can resume the mirror.
    let isResumable: Bool

    func append(to html: inout HTML) {
        html.markup("<figure")
        html.attribute("id", "photo-\(tile.seq)")
        html.attribute("class", tile.state == .done ? nil : "plain-\(tile.state.rawValue)")
        html.markup(">")
        if let image = tile.images.first {
            link(image, &html)
        } else {
            reason(&html)
        }
        html.markup("<figcaption><strong>")
        html.link(tile.name, to: tile.photo.pageURL)
        html.markup("</strong>")
        credit(&html)
        originalFile(&html)
        html.markup("</figcaption></figure>\n")
    }

    /// The address of the original from the page; `nil` without an original.
    private var original: String? {
        tile.original.map { relativeAddress(of: $0.path) }.flatMap { $0.isEmpty ? nil : root + $0 }
    }

    private func link(_ image: TileImage, _ html: inout HTML) {
        html.markup("<a")
        html.attribute("href", original ?? root + (tile.images.last?.address ?? ""))
        html.markup("><img loading=\"lazy\" decoding=\"async\"")
        html.attribute("src", root + image.address)
        if tile.images.count > 1 {
            let set = tile.images.compactMap { each in each.size.map { "\(root)\(each.address) \($0.width)w" } }
            html.attribute("srcset", set.joined(separator: ", "))
            html.attribute(
                "sizes", "\((tile.size ?? image.size).map { max(1, 220 * $0.width / $0.height) } ?? 330)px")
        }
        html.attribute("width", (tile.size ?? image.size)?.width)
        html.attribute("height", (tile.size ?? image.size)?.height)
        html.attribute("alt", tile.name)
        html.markup("></a>")
    }

    private func reason(_ html: inout HTML) {
        html.markup("<p class=\"reason\"><span>")
        html.markup(stateText)
        html.markup("</span>")
        if let failure = tile.receipt?.failure {
            html.markup("<code>")
            html.text(failure.cause.name)
            html.markup("</code> <bdi>")
            html.text(failure.detail.shown(upTo: 500) ?? "")
            html.markup("</bdi>")
        }
        if isResumable, let remedy = tile.remedy {
            html.markup("<code class=\"remedy\">sluice mirror ")
            html.text(remedy)
            html.markup("</code>")
        }
        html.markup("</p>")
    }

    /// A link to the original with its format and size, because the picture's link has no text.
    private func originalFile(_ html: inout HTML) {
        guard let file = tile.original, let original else { return }
        html.markup("<span><a")
        html.attribute("href", original)
        html.markup(tile.originalIsShown ? ">Original</a> (" : " download>Original</a> (")
        if let format = tile.receipt?.format { html.text(format.uppercased() + ", ") }
        html.text(NumberFormat.bytes(Double(file.bytes)))
        html.markup(")</span>")
    }

    private var stateText: StaticString {
        switch tile.state {
        case .done: tile.original == nil ? "No file kept" : "No thumbnail"
        case .skipped: "Skipped"
        case .failed: "Failed"
        case .pending: "Not downloaded yet"
        case .rejected: "Rejected"
        }
    }

    private func credit(_ html: inout HTML) {
        if let attribution = tile.attribution {
            html.markup("<span><bdi>")
            html.text(attribution)
            html.markup("</bdi></span>")
        } else if let author = tile.author {
            html.markup("<span>")
            html.link(author, to: tile.photo.authorURL)
            html.markup("</span>")
        }
        if let license = tile.license {
            html.markup("<span>")
            html.link(license, to: tile.photo.licenseURL)
            html.markup("</span>")
        }
    }
}

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
