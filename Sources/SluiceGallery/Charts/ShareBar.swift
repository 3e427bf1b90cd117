// SPDX-License-Identifier: MIT

/// What parts a whole has: one bar, and beside it what its colours are and how much each is.
struct ShareBar {
    /// A part of the whole.
    struct Share {
        var name: String
        /// The colour's place in the style sheet.
        var look: String
        var value: Double
    }

    let id: String
    let title: String
    let shares: [Share]
    let whole: Double

    private static let width = 420.0

    var html: HTML {
        SluiceGallery.html { html in
            guard !shares.isEmpty, whole > 0 else { return }
            html.markup("<div class=\"shares\">")
            let all = shares.map(words).joined(separator: ", ")
            html.picture(id, width: Self.width, height: 10, title: title, description: all, isStretched: true) { svg in
                svg.rectangle("empty", x: 0, y: 0, width: Self.width, height: 10)
                var start = 0.0
                for share in shares {
                    let width = Self.width * min(1, share.value / whole)
                    svg.rectangle(
                        "share \(share.look)", x: start, y: 0, width: min(width, Self.width - start), height: 10)
                    start += width
                }
            }
            html.legend(shares.map { (words($0), $0.look) })
            html.markup("</div>")
        }
    }

    private func words(_ share: Share) -> String { "\(share.name) \(Figures.percent(share.value / whole))" }
}
