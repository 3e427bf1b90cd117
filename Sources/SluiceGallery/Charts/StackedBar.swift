// SPDX-License-Identifier: MIT

/// A bar divided into the parts of a whole, with a legend.
struct StackedBar {
    /// A part of the whole.
    struct Share {
        var name: String
        /// The CSS class that sets the colour.
        var cssClass: String
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
            let description = shares.map(label).joined(separator: ", ")
            html.svg(id, width: Self.width, height: 10, title: title, description: description, isStretched: true) {
                svg in
                svg.rectangle("empty", x: 0, y: 0, width: Self.width, height: 10)
                var start = 0.0
                for share in shares {
                    let width = Self.width * min(1, share.value / whole)
                    svg.rectangle(
                        "share \(share.cssClass)", x: start, y: 0, width: min(width, Self.width - start), height: 10)
                    start += width
                }
            }
            html.legend(shares.map { (label(for: $0), $0.cssClass) })
            html.markup("</div>")
        }
    }

    private func label(for share: Share) -> String { "\(share.name) \(NumberFormat.percent(share.value / whole))" }
}
